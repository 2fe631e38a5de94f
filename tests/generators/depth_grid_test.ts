import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { cases } from "../_cases.ts";
import { depthGrid, type DepthSpacing, lengthGrid, placeInGrid } from "@/lib/generators/mod.ts";
import { spreadDepths } from "@/lib/random/mod.ts";

Deno.test("depthGrid() gives OpenCompass's 20 linear depths", () => {
  // open-compass/opencompass e975a96f, configs/datasets/cdme: int() of 20 points from 0 to 100.
  const wanted = [0, 5, 10, 15, 21, 26, 31, 36, 42, 47, 52, 57, 63, 68, 73, 78, 84, 89, 94, 100];
  deepEqual(depthGrid({ points: 20, whole: "floor" }), wanted);
});

Deno.test("depthGrid() gives the 35 sigmoid depths of Needle In A Haystack", () => {
  // gkamradt/LLMTest_NeedleInAHaystack 7b90d28; the paper on prompt dependence prints the 11th, 11.3%.
  const wanted = "0 0.896 1.199 1.602 2.138 2.849 3.786 5.016 6.617 8.683 11.316 14.62 18.685 23.569 29.269 35.704 " +
    "42.7 50 57.3 64.296 70.731 76.431 81.315 85.38 88.684 91.317 93.383 94.984 96.214 97.151 97.862 " +
    "98.398 98.801 99.104 100";
  deepEqual(depthGrid({ points: 35, spacing: "sigmoid" }), wanted.split(" ").map(Number));
});

Deno.test("depthGrid() never falls, lies in [0, 100] and is symmetric", () => {
  const options = fc.record({
    points: fc.integer({ min: 2, max: 200 }),
    spacing: fc.constantFrom<DepthSpacing>("linear", "sigmoid"),
    pinned: fc.boolean(),
  });
  fc.assert(fc.property(options, (grid) => {
    const depths = depthGrid(grid);
    equal(depths.length, grid.points);
    ok(depths.every((depth, at) => depth >= 0 && depth <= 100 && (at === 0 || depth >= depths[at - 1]!)));
    ok(depths.every((depth, at) => Math.abs(depth + depths[depths.length - 1 - at]! - 100) < 0.0011));
  }));
});

/** The places of a grid's first samples. */
function firstPlaces(samples: number, points: number): number[] {
  return Array.from({ length: samples }, (_, index) => placeInGrid(index, points).place);
}

Deno.test("placeInGrid() begins with the middle, the quarters and the eighths of the grids that benchmarks have", () => {
  deepEqual(firstPlaces(7, 35), [17, 8, 26, 4, 22, 13, 31]);
  deepEqual(firstPlaces(7, 20), [10, 5, 15, 2, 13, 8, 18]);
  deepEqual(firstPlaces(11, 11), [5, 2, 8, 1, 7, 4, 10, 0, 6, 3, 9]);
});

Deno.test("placeInGrid() visits every place once a round, each round in the same order", () => {
  for (const points of [1, 2, 3, 9, 20, 35, cases(200, 1000)]) {
    const places = firstPlaces(points, points);
    deepEqual(places.toSorted((left, right) => left - right), Array.from({ length: points }, (_, place) => place));
    for (const index of [0, points - 1]) {
      deepEqual(placeInGrid(points + index, points), { place: places[index], round: 1 });
    }
  }
});

Deno.test("placeInGrid() leaves no gap of more than twice that of even places, however many samples there are", () => {
  for (let points = 2; points <= 60; points++) {
    const all = firstPlaces(points, points);
    for (let samples = 1; samples <= points; samples++) {
      const places = all.slice(0, samples).toSorted((left, right) => left - right);
      const gaps = [...places, points - 1].map((place, at) => place - (places[at - 1] ?? 0));
      const ideal = Math.max(1, (points - 1) / (samples + 1));
      ok(Math.max(...gaps) <= 2 * ideal, `${samples} of ${points} leave ${Math.max(...gaps)} places`);
    }
  }
});

Deno.test("lengthGrid() gives the 35 lengths from 1,000 to 16,000 that Needle In A Haystack goes through by default", () => {
  // numpy's round(linspace(1000, 16000, 35)); the step is 441.18.
  const grid = lengthGrid({ from: 1000, to: 16_000, points: 35 });
  deepEqual([...grid.slice(0, 4), ...grid.slice(-2)], [1000, 1441, 1882, 2324, 15_559, 16_000]);
});

Deno.test("lengthGrid() rises from the first length to the last, by steps that differ by at most 1", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 2, max: 60 }), (from, points) => {
    const grid = lengthGrid({ from, to: from + 20_000, points });
    equal(grid[0], from);
    equal(grid.at(-1), from + 20_000);
    const steps = grid.slice(1).map((length, at) => length - grid[at]!);
    equal(Math.max(...steps) - Math.min(...steps) <= 1, true);
  }));
});

Deno.test.each(
  [
    ["depths", (value) => depthGrid({ points: value }).length, [1, 2, 1000], [0, 1001, 1.5, NaN]],
    ["places of a grid", (value) => placeInGrid(0, value).round, [1, 2, 1000], [0, 1001, 1.5]],
    ["an index", (value) => placeInGrid(value, 7).place, [0, 1, 1e6], [-1, 0.5, NaN]],
    ["five lengths from 10", (to) => lengthGrid({ from: 10, to, points: 5 }).length, [14, 2_000_000], [13, 2_000_001]],
  ] as [string, (value: number) => number, number[], number[]][],
)("a grid takes %s from end to end of the range, and nothing beyond", (_name, make, taken, refused) => {
  for (const value of taken) ok(Number.isFinite(make(value)), `${value}`);
  for (const value of refused) throws(() => make(value), { name: "RangeError" }, `${value}`);
});

Deno.test("depthGrid() of a single point is the start, of two both ends", () => {
  deepEqual([1, 2, 3].map((points) => depthGrid({ points })), [[0], [0, 100], [0, 50, 100]]);
  deepEqual(depthGrid({ points: 201, whole: "floor" }).slice(0, 6), [0, 0, 1, 1, 2, 2]);
  deepEqual(depthGrid({ points: 3, spacing: "sigmoid" }), [0, 50, 100]);
  deepEqual(depthGrid({ points: 3, spacing: "sigmoid", pinned: false }), [0.669, 50, 99.331]);
});

Deno.test("spreadDepths() spreads each fact's depths evenly over the samples, made once for a path and a count", () => {
  const made: string[] = [];
  const kept = new Map<string, unknown>();
  const remember = <T>(key: string, make: () => T): T => {
    if (!kept.has(key)) {
      made.push(key);
      kept.set(key, make());
    }
    return kept.get(key) as T;
  };
  const depthsOf = (path: string[], count: number): number[][] =>
    Array.from({ length: 1000 }, (_, index) => spreadDepths(path, { index, count, remember }));
  const depths = depthsOf(["42", "niah"], 3);
  for (let fact = 0; fact < 3; fact++) {
    const tenths = Array.from({ length: 10 }, () => 0);
    for (const depth of depths) tenths[Math.floor(10 * depth[fact]!)]!++;
    ok(tenths.every((count) => count >= 90 && count <= 110), `fact ${fact}: ${tenths}`);
  }
  deepEqual(depthsOf(["42", "niah"], 3), depths);
  equal(made.length, 1);
});
