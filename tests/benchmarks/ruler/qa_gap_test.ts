import { deepEqual, equal, ok } from "node:assert/strict";
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

Deno.test("fillGap() offers the fullest choice first, each fuller than what was taken, none over the gap and none twice", () => {
  fc.assert(
    fc.property(GAPS, ({ taken, fresh, gap }) => {
      const costs = [...taken, ...fresh];
      const costOf = (document: number): number => costs[document]!;
      const [old, others] = [taken, fresh].map((list, at) => list.map((_, place) => place + at * taken.length)) as [
        number[],
        number[],
      ];
      const offers = [...fillGap(old, { fresh: others, costOf, gap })];
      const room = sum(taken) + gap;
      const totals = offers.map((documents) => sum(documents.map(costOf)));
      for (const [at, documents] of offers.entries()) {
        equal(new Set(documents).size, documents.length);
        ok(totals[at]! > sum(taken) && totals[at]! <= room, `${totals[at]} of ${room}`);
      }
      equal(new Set(offers.map((documents) => String(documents.toSorted()))).size, offers.length);
      // The last offer is what fits without replacing anything.
      const replaced = totals.slice(0, -1);
      deepEqual(replaced, replaced.toSorted((left, right) => right - left));
    }),
  );
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

Deno.test("fillGap() offers at most twelve choices of equal merit, and then what fits alone", () => {
  const costs = [30, 30, 10, ...new Array<number>(20).fill(45)];
  const numbers = costs.map((_, number) => number);
  const offers = [...fillGap([0, 1], { fresh: numbers.slice(2), costOf: (number) => costs[number]!, gap: 15 })];
  deepEqual(offers, [...numbers.slice(3, 15).map((number) => [0, number]), [0, 1, 2]]);
});
