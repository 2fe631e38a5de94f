import { deepEqual, equal, ok } from "node:assert/strict";
import { meanOfCells } from "./_mean_of_cells.ts";
import { type ClusteredStudy, drawPairs, drawScores } from "./_clustered.ts";
import { foldClusters, unitsOf } from "@/lib/statistics/units.ts";
import { meanInterval } from "@/lib/statistics/mean_interval.ts";
import { anytimeInterval, comparePairs, meanOfClusters, searchWith, summarise } from "@/lib/statistics/mod.ts";

const of = (cell: string, cluster: string | undefined, ...values: number[]) => ({ cell, cluster, values });

Deno.test("foldClusters() leaves samples without a cluster as they are, a stratum for each cell", () => {
  deepEqual(foldClusters([of("4K", undefined, 1), of("4K", undefined, 0), of("8K", undefined, 0.5)]), [
    { cells: 1, units: [{ weight: 0.5, values: [1] }, { weight: 0.5, values: [0] }] },
    { cells: 1, units: [{ weight: 1, values: [0.5] }] },
  ]);
});

Deno.test("foldClusters() joins cells that share a cluster, even through a third cell", () => {
  const samples = [of("a", "1", 1), of("b", "2", 1), of("c", "1", 0), of("c", "2", 0), of("d", "3", 1)];
  deepEqual(foldClusters(samples).map(({ cells, units }) => [cells, units.length]), [[3, 2], [1, 1]]);
});

Deno.test("foldClusters() keeps the mean of the cell means, whatever is missing", () => {
  const samples = [of("4K", "a", 1), of("4K", "b", 0), of("4K", "c", 1), of("8K", "a", 0), of("16K", "c", 0.4)];
  const [stratum] = foldClusters(samples);
  const { values, weights } = unitsOf(stratum!);
  const mean = values.reduce((sum, value, at) => sum + value * weights[at]!, 0);
  ok(Math.abs(mean - (2 / 3 + 0 + 0.4) / 3) < 1e-12, `${mean}`);
  ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-12);
});

Deno.test("foldClusters() does not depend on the order of the samples", () => {
  const samples = drawScores({ ...STUDY, icc: 0.5 }, "order").map(({ task, length, cluster, value }) =>
    of(`${task}/${length}`, cluster, value)
  );
  const [there, back] = [samples, samples.toReversed()].map((each) => meanOfClusters(each));
  for (const key of ["mean", "low", "high", "n"] as const) ok(Math.abs(there![key] - back![key]) < 1e-9, key);
});

Deno.test("many samples of one text are one unit: their interval is that of a single graded score", () => {
  const depths = Array.from({ length: 35 }, (_, at) => of("4K", "text", Number(at % 5 > 0)));
  const [folded, one] = [meanOfClusters(depths), meanInterval({ values: [0.8], weights: [1] })];
  equal(folded.n, 1);
  for (const key of ["mean", "low", "high"] as const) ok(Math.abs(folded[key] - one[key]) < 1e-6, key);
});

Deno.test("summarise() counts units where they are fewer than samples", () => {
  const asked = { task: "recall", length: 4096, failed: false, noAnswer: false };
  const rows = summarise([0, 1, 2, 3].map((at) => ({ ...asked, value: 1, cluster: `text ${at % 2}` })));
  deepEqual(rows.map(({ n, units }) => [n, units]), [[4, 2]]);
  const alone = summarise([0, 1].map((at) => ({ ...asked, value: 1, cluster: `text ${at}` })));
  equal(alone[0]!.units, undefined);
});

/** Fifty questions, each asked at six lengths. */
const STUDY: ClusteredStudy = { clusters: 50, lengths: 6, perCell: 1, tasks: 1, icc: 0, mean: 0.8 };
const DRAWS = Number(Deno.env.get("FATHOM_DRAWS") ?? 150);
/** Three standard errors of a share near its bound. */
const CHANCE = 3 * Math.sqrt(0.05 * 0.95 / DRAWS);
const share = (holds: (seed: string) => boolean): number =>
  Array.from({ length: DRAWS }, (_, seed) => holds(String(seed))).filter(Boolean).length / DRAWS;

Deno.test.each([0, 0.5, 0.9])("a mean over lengths that share questions covers the truth in 93%%, ICC %s", (icc) => {
  const covered = share((seed) => {
    const records = drawScores({ ...STUDY, icc }, seed).map((each) => ({ ...each, failed: false, noAnswer: false }));
    const { low, high } = meanOfCells(records);
    return low <= 80 && 80 <= high;
  });
  ok(covered >= 0.93 - CHANCE, `${covered}`);
});

Deno.test.each([0, 0.5, 0.9])("35 depths in each of five texts cover the truth in 93%%, ICC %s", (icc) => {
  const covered = share((seed) => {
    const study = { ...STUDY, clusters: 5, lengths: 1, perCell: 35, icc };
    const records = drawScores(study, seed).map((each) => ({ ...each, failed: false, noAnswer: false }));
    const { low, high } = summarise(records)[0]!;
    return low! <= 80 && 80 <= high!;
  });
  ok(covered >= 0.93 - CHANCE, `${covered}`);
});

Deno.test.each([0, 0.5, 0.9])("two models that are alike differ in at most 5%% of comparisons, ICC %s", (icc) => {
  const differ = share((seed) => {
    const pairs = drawPairs({ ...STUDY, icc, loss: 0 }, seed);
    return comparePairs([pairs], { by: ["all"], draws: 399 }).rows[0]![0]!.higher !== null;
  });
  ok(differ <= 0.05 + CHANCE, `${differ}`);
});

Deno.test("a search over three tasks that share texts ever excludes the truth in at most 5% of runs", () => {
  const excluded = share((seed) => {
    const study = { ...STUDY, clusters: 60, lengths: 1, tasks: 3, shareTasks: true, icc: 0.9, mean: 0.8 };
    const scores = new Map(drawScores(study, seed).map(({ task, cluster, value }) => [`${task}${cluster}`, value]));
    const { lengths } = searchWith(
      ({ task, index }) => scores.get(`${task}/${index}`)!,
      { tasks: ["task 0", "task 1", "task 2"], lengths: [1000], samples: 60, threshold: 80 },
      ({ index }) => String(index),
    );
    const { low, high } = anytimeInterval(lengths[0]!);
    return low > 0.8 || high < 0.8;
  });
  ok(excluded <= 0.05 + CHANCE, `${excluded}`);
});

Deno.test("a search asks for whole texts: rounds that share one count once it has ended", () => {
  const { lengths, scores } = searchWith(
    ({ index }) => Number(index % 2 === 0),
    { tasks: ["recall"], lengths: [1000], samples: 21, threshold: 50 },
    ({ index }) => `text ${Math.floor(index / 7)}`,
  );
  equal(scores.length, 21);
  deepEqual(lengths[0]!.rounds.map(([mean]) => mean!.toFixed(3)), ["0.571", "0.429", "0.571"]);
});
