import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { cases } from "../../_cases.ts";
import { lengthStability, lengthStabilityChart } from "@/lib/papers/counting_stars/length_stability.ts";
import type { StarPanel } from "@/lib/papers/counting_stars/published.ts";
import { neededWins } from "@/lib/papers/counting_stars/length_stability.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";

/** A matrix whose cells are right with a given chance. */
function draw(chanceAt: (length: number, star: number) => number, next: Draw): StarPanel {
  const columns = Array.from({ length: 16 }, (_, length) => ({
    length: 8000 * (length + 1),
    cells: Array.from({ length: 32 }, (_, star) => next() < chanceAt(length, star) ? 1 : 0),
  }));
  return { model: "drawn", columns };
}

Deno.test("lengthStability() counts by hand: a context of 92K that fails between two that do not", () => {
  const [bad, good] = [[0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 1, 1]];
  const columns = [good, bad, good, good].map((cells, at) => ({ length: at + 1, cells: cells! }));
  const found = lengthStability({ model: "m", columns }, { seed: "a", rounds: 99 });
  equal(found.pairs, 6);
  equal(found.share, 2 / 6);
});

Deno.test("lengthStability() calls chance what is chance: at most one matrix in ten has p below 0.05 where length does not matter", () => {
  const next = stream("null");
  const chances = Array.from({ length: cases(20, 60) }, (_, number) => {
    // Stars of very different difficulty, the same at every length.
    const panel = draw((_, star) => 0.1 + 0.8 * star / 31, next);
    return lengthStability(panel, { seed: String(number), rounds: 99 }).p;
  });
  const small = chances.filter((p) => p < 0.05).length;
  ok(small <= cases(3, 6), `${small} of ${chances.length}`);
});

Deno.test("lengthStability() finds contexts that go up and down, and not ones that only fall", () => {
  const next = stream("planted");
  const unstable = draw((length) => length % 4 === 2 ? 0.3 : 0.9, next);
  const found = lengthStability(unstable, { seed: "u", rounds: 199 });
  ok(found.p < 0.01 && found.share > 0.15, JSON.stringify(found));
  const falling = draw((length) => 0.98 - 0.05 * length, next);
  const fall = lengthStability(falling, { seed: "f", rounds: 199 });
  ok(fall.p > 0.2 && fall.share < 0.05, JSON.stringify(fall));
});

Deno.test("lengthStability() refuses one length", () => {
  throws(() => lengthStability({ model: "m", columns: [{ length: 1, cells: [1] }] }, { seed: "s" }), {
    name: "RangeError",
    message: "Cannot judge length stability as lengths must be at least 2: current value is 1",
  });
});

Deno.test("lengthStabilityChart() counts in its title the matrices beyond chance", () => {
  const next = stream("chart");
  const unstable = lengthStability(draw((length) => length % 4 === 2 ? 0.3 : 0.9, next), { seed: "u" });
  const falling = lengthStability(draw((length) => 0.98 - 0.05 * length, next), { seed: "f" });
  const titleOf = (...rows: readonly (typeof unstable)[]): string =>
    lengthStabilityChart(rows.map((row, at) => ({ ...row, model: `${at}` })), { origin: "measured" }).title;
  match(titleOf(unstable, falling), /in 1 of 2 matrices$/);
  match(titleOf(falling), /in 0 of 1 matrices$/);
});

Deno.test("neededWins() is the one-sided sign test at 5%", () => {
  // 0.5^5 = 0.031, and 0.5^4 = 0.0625; (10 + 1) / 2^10 = 0.011, with 8 of 10 already 0.055; with 7 of 8 0.035.
  const needed = neededWins(10);
  deepEqual([needed[0], needed[4], needed[5], needed[8], needed[10]], [1, 5, 5, 7, 9]);
});

Deno.test("lengthStability() compares star by star, however many there are and whatever their scores", () => {
  const score = fc.constantFrom(0, 0.25, 1 / 3, 0.5, 1);
  const matrices = fc.integer({ min: 1, max: 70 }).chain((stars) =>
    fc.array(fc.array(score, { minLength: stars, maxLength: stars }), { minLength: 2, maxLength: 6 })
  );
  fc.assert(
    fc.property(matrices, (matrix) => {
      const columns = matrix.map((cells, at) => ({ length: at + 1, cells }));
      const wins = matrix.flatMap((late, at) => matrix.slice(0, at).map((early) => [early, late] as const));
      const won = wins.filter(([early, late]) => {
        const better = late.filter((cell, star) => cell > early[star]!).length;
        const worse = late.filter((cell, star) => cell < early[star]!).length;
        return signTest(better, better + worse) <= 0.05;
      }).length;
      equal(lengthStability({ model: "m", columns }, { seed: "s", rounds: 99 }).share, won / wins.length);
    }),
    { numRuns: 30 },
  );
});

/** The chance that so many of the stars that differ are better if each is so by even chance. */
function signTest(better: number, differing: number): number {
  const ways = (chosen: number): number =>
    Array.from({ length: chosen }, (_, at) => (differing - at) / (at + 1)).reduce((all, next) => all * next, 1);
  let [chance, from] = [0, better];
  while (from <= differing) chance += ways(from++) * 0.5 ** differing;
  return chance;
}
