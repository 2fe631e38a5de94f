import { ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { flipsOfMix, forecastFlips } from "@/lib/certify/calibrate.ts";
import { openerOf, verdictOf } from "@/lib/certify/decision.ts";
import { pick, stream } from "@/lib/random/mod.ts";
import { readScoredRun } from "@/lib/records/mod.ts";

// A KV cache in 8 and in 4 bits against one in 16: 480 recorded pairs of Gemma 3 270M, in 12 cells.

interface Cell {
  readonly score: number;
  readonly pairs: readonly (readonly [base: number, change: number])[];
}

async function cellsOf(change: string): Promise<readonly Cell[]> {
  const [before, after] = await Promise.all(
    ["kv-f16", change].map((name) => readScoredRun(`measured/gemma-3-270m-${name}/kv_cache`)),
  );
  const scores = new Map(after!.replies.map(({ record, value }) => [record.sample, value!]));
  const cells = Map.groupBy(before!.replies, ({ task, length }) => `${task} at ${length}`);
  return [...cells.values()].map((ofCell) => ({
    score: 100 * ofCell.reduce((sum, { value }) => sum + value!, 0) / ofCell.length,
    pairs: ofCell.map(({ record, value }) => [value!, scores.get(record.sample)!]),
  }));
}

const [Q8, Q4] = [await cellsOf("kv-q8"), await cellsOf("kv-q4")];

/** The mean pairs of certificates at a margin of 5 points, of cells whose pairs are drawn again; each differs with a chance. */
function meanPairs(
  cells: readonly Cell[],
  { share, flips, until = "a verdict" }: {
    readonly share: number;
    readonly flips?: number;
    readonly until?: "a verdict" | "a loss";
  },
): number {
  const cell = { name: "", weight: 1 };
  const rule = { margin: 5, samples: 4000, cells: cells.map(() => cell), ...(flips === undefined ? {} : { flips }) };
  const [open, draw, runs] = [openerOf(rule, [-0.05, 0]), stream("recorded flips"), cases(20, 200)];
  let total = 0;
  for (let run = 0; run < runs; run++) {
    const evidence = open();
    for (let pairs = cells.length; pairs <= rule.samples; pairs += cells.length) {
      total += cells.length;
      const values = cells.map(({ pairs }) => {
        const [base, change] = pick(draw, pairs);
        return draw() < share ? change - base : 0;
      });
      evidence.add({ values, weights: cells.map(() => 1) });
      const interval = evidence.interval();
      if (until === "a loss" ? interval.high <= 0 : verdictOf(interval, rule) !== null) break;
    }
  }
  return total / runs;
}

const inBetween = (cells: readonly Cell[]): readonly Cell[] => cells.filter(({ score }) => score >= 20 && score <= 90);
const aboveFloor = (cells: readonly Cell[]): readonly Cell[] => cells.filter(({ score }) => score >= 20);
const forecast = (cells: readonly Cell[]): number =>
  flipsOfMix(
    cells.map(({ score }) => ({ task: "", length: 0, weight: 1, score, n: 8, flips: forecastFlips(score, 8) })),
  );

Deno.test("cells at the ceiling and stakes of a forecast take a third fewer pairs on recorded changes", () => {
  const changes: readonly (readonly [name: string, cells: readonly Cell[], share: number])[] = [
    ["8 bits", Q8, 1],
    ["8 bits, half of the flips", Q8, 0.5],
    ["4 bits", Q4, 1],
    ["4 bits, half of the flips", Q4, 0.5],
  ];
  const found = changes.map(([name, cells, share]) => {
    const before = meanPairs(inBetween(cells), { share });
    const ceilings = meanPairs(aboveFloor(cells), { share });
    const now = meanPairs(aboveFloor(cells), { share, flips: forecast(aboveFloor(cells)) });
    return { name, before: Math.round(before), ceilings: Math.round(ceilings), now: Math.round(now) };
  });
  console.log(found);
  for (const { name, before, now } of found) ok(now <= 0.68 * before, `${name}: ${now} of ${before}`);
});

Deno.test("cells at the ceiling show the loss of a cache in 4 bits soonest", () => {
  const high = Q4.filter(({ score }) => score > 90);
  ok(high.length === 5 && meanPairs(high, { share: 0.5 }) < 0.15 * meanPairs(inBetween(Q4), { share: 0.5 }));
  // At a quarter of the flips the losses are 7 and 4 points: too close to the margin, but soon known to be above 0.
  const [atCeiling, between] = [high, inBetween(Q4)].map((cells) => meanPairs(cells, { share: 0.25, until: "a loss" }));
  console.log({ atCeiling, between });
  ok(atCeiling! < 0.5 * between!);
});
