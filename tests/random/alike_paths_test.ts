import { equal, ok } from "node:assert/strict";
// @ts-types="npm:@types/seedrandom@3.0.8"
import seedrandom from "seedrandom";
import { cases } from "../_cases.ts";
import { mean, sum } from "@/lib/base/mod.ts";
import { type Draw, permutation, spread, strata, stream } from "@/lib/random/mod.ts";

type Path = readonly (string | number)[];
type Open = (...path: Path) => Draw;

/** Streams as they were once seeded: keys that are alike, and characters modulo 256. */
const openOld: Open = (...path) => seedrandom(JSON.stringify(path));

interface Place {
  readonly seed?: string;
  readonly length?: number;
  readonly index: number;
}

const OPTIONS = JSON.stringify({
  variant: "2026",
  haystack: "noise",
  keyType: "words",
  valueType: "numbers",
  keys: 1,
  values: 1,
  queries: 1,
});

/** A path as RULER's needles seed the streams of their samples. */
function pathOf({ seed = "42", length = 4096, index }: Place): Path {
  return [seed, "needles-2", "niah_single_1", OPTIONS, length, index];
}

/** Lengths and seeds as they are asked for, some of them alike. */
const LENGTHS = [4096, 4097, 8192, 16_384, 131_072];
const SEEDS = ["42", "24", "A", "Ł", "kk2", "𝔘", ""];

/** Counts first draws that were drawn before: of 100,000 draws of 52 bits one in a million such lists has any. */
function countRepeats(open: Open): number {
  const draws = Array.from(
    { length: cases(60, 2500) },
    (_, index) =>
      [...SEEDS, `seed ${index}`].flatMap((seed) =>
        LENGTHS.map((length) => open(...pathOf({ seed, length, index }))())
      ),
  ).flat();
  return draws.length - new Set(draws).size;
}

/** Pearson's statistic of counts that should all be equal. */
function chiSquare(counts: readonly number[]): number {
  const expected = mean(counts);
  return sum(counts, (count) => (count - expected) ** 2 / expected);
}

/** The value that chi-square exceeds with a chance of about one in 200,000 (Wilson and Hilferty's approximation). */
function chiSquareLimit(degrees: number): number {
  return degrees * (1 - 2 / (9 * degrees) + 4.4 * Math.sqrt(2 / (9 * degrees))) ** 3;
}

/** Returns how uneven numbers are over tenths, as a share of what chance allows. */
function unevenness(draws: readonly number[]): number {
  const counts = new Array<number>(10).fill(0);
  for (const draw of draws) counts[Math.floor(draw * 10)]!++;
  return chiSquare(counts) / chiSquareLimit(9);
}

/** Numbers nearer to each other than this are nearly the same. */
const NEAR = 0.001;

/**
 * Returns how dependent pairs are, as a share of what chance allows: by correlation, over a square of 64 fields, and by how many
 * are nearly the same.
 */
function dependence(pairs: readonly (readonly [number, number])[]): number {
  const fields = new Array<number>(64).fill(0);
  let [product, near] = [0, 0];
  for (const [left, right] of pairs) {
    fields[Math.floor(left * 8) * 8 + Math.floor(right * 8)]!++;
    product += (left - 0.5) * (right - 0.5);
    near += Number(Math.abs(left - right) < NEAR);
  }
  // The mean product of independent uniform numbers has a standard error of 1/12 by the root of their number.
  const correlation = Math.abs(12 * product / pairs.length) * Math.sqrt(pairs.length) / 4.4;
  const expected = 2 * NEAR * pairs.length;
  return Math.max(correlation, chiSquare(fields) / chiSquareLimit(63), near / (expected + 6 * Math.sqrt(expected)));
}

/** Samples that are drawn along. */
const SAMPLES = cases(2_000, 5_000);

/** Draws the first number of consecutive samples. */
function drawAlong(place: Omit<Place, "index"> = {}, open: Open = stream): number[] {
  return Array.from({ length: SAMPLES }, (_, index) => open(...pathOf({ ...place, index }))());
}

/** Pairs of samples that could be alike: neighbours, and those whose numbers have the same sum of digits. */
function listPairs(draws: readonly number[]): Record<string, (readonly [number, number])[]> {
  const groups = Map.groupBy(draws.keys(), (index) => `${String(index).length} ${sum(String(index), Number)}`);
  const alike = [...groups.values()].flatMap((group) =>
    group.slice(1).map((index, at) => [draws[group[at]!]!, draws[index]!] as const)
  );
  return { neighbours: draws.slice(1).map((draw, at) => [draws[at]!, draw] as const), "sum of digits": alike };
}

Deno.test("stream() begins differently and independently for samples, lengths and seeds that are alike", () => {
  equal(countRepeats(stream), 0);
  const draws = drawAlong();
  for (const [kind, pairs] of Object.entries(listPairs(draws))) ok(dependence(pairs) < 1, kind);
  for (const other of [{ length: 4097 }, { length: 4069 }, { seed: "43" }, { seed: "24" }]) {
    const others = drawAlong(other);
    ok(dependence(draws.map((draw, at) => [draw, others[at]!] as const)) < 1, JSON.stringify(other));
  }
});

/** Seeds that differ by a digit, as people count them up. */
const COUNTED = Array.from({ length: SAMPLES }, (_, number) => String(number));

/** Questions of the generated world. */
const QUESTIONS = 63_000;

Deno.test("spread(), strata() and permutation() begin evenly and independently for seeds and lengths that are alike", () => {
  const path = (seed: string, length: number): Path => [seed, "needles-2", "niah_multivalue", "{}", length];
  const order = (seed: string, round: number): (place: number) => number =>
    permutation([seed, "needles-2", "questions", "world_one_hop", round], QUESTIONS);
  const points: Record<string, (seed: string) => number[]> = {
    spread: (seed) => [
      ...spread(path(seed, 4096), { index: 0, dimensions: 2 }),
      ...spread(path(seed, 4097), { index: 0, dimensions: 2 }),
    ],
    strata: (seed) => [
      ...strata(path(seed, 4096), { index: 7, dimensions: 2 }),
      ...strata(path(seed, 4097), { index: 7, dimensions: 2 }),
    ],
    permutation: (seed) =>
      [order(seed, 0)(0), order(seed, 0)(1), order(seed, 1)(0)].map((number) => number / QUESTIONS),
  };
  for (const [name, pointOf] of Object.entries(points)) {
    const drawn = COUNTED.map(pointOf);
    const axes = drawn[0]!.map((_, axis) => drawn.map((point) => point[axis]!));
    for (const [number, axis] of axes.entries()) {
      ok(unevenness(axis) < 1, `${name} ${number}`);
      for (const other of axes.slice(number + 1)) ok(dependence(axis.map((each, at) => [each, other[at]!])) < 1, name);
      ok(dependence(axis.slice(1).map((each, at) => [axis[at]!, each])) < 1, `${name} ${number} of the seed before`);
    }
  }
});

Deno.test("these checks find fault with streams that were seeded by the text of their path", () => {
  ok(countRepeats(openOld) > 4);
  ok(dependence(listPairs(drawAlong({}, openOld))["sum of digits"]!) > 1);
  equal(openOld("A", "vt", 1)(), openOld("Ł", "vt", 1)());
});
