import { equal } from "node:assert/strict";
import fc from "fast-check";
import { fillGap } from "@/lib/benchmarks/ruler/qa.ts";

/** All choices of one to three of the numbers. */
function choices(numbers: readonly number[]): number[][] {
  return numbers.flatMap((one, first) => [
    [one],
    ...numbers.slice(first + 1).flatMap((two, second) => [
      [one, two],
      ...numbers.slice(first + second + 2).map((three) => [one, two, three]),
    ]),
  ]);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The costs of documents already taken and of fresh ones, and a gap that no taken document leaves free. */
const GAPS = fc.record({
  taken: fc.array(fc.integer({ min: 20, max: 90 }), { maxLength: 4 }),
  fresh: fc.array(fc.integer({ min: 20, max: 90 }), { minLength: 1, maxLength: 8 }),
  gap: fc.integer({ min: 1, max: 89 }),
});

Deno.test("fillGap() finds what fills the gap best among all ways to replace the last two documents by one to three", () => {
  fc.assert(
    fc.property(GAPS, ({ taken, fresh, gap }) => {
      // Fresh documents that fit would be taken first.
      const costs = [...taken, ...fresh.map((cost) => cost + 90)];
      const numbers = costs.map((_, number) => number);
      const costOf = (document: number): number => costs[document]!;
      const [best] = fillGap(numbers.slice(0, taken.length), { fresh: numbers.slice(taken.length), costOf, gap });
      const kept = numbers.slice(0, Math.max(0, taken.length - 2));
      const totals = choices(numbers.slice(kept.length)).map((chosen) => sum([...kept, ...chosen].map(costOf)))
        .filter((total) => total > sum(taken) && total <= sum(taken) + gap);
      equal(best === undefined ? -Infinity : sum(best.map(costOf)), Math.max(...totals));
    }),
  );
});
