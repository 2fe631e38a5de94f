import { type Draw, stream } from "@/lib/random/mod.ts";
import {
  effectiveLength,
  lengthMeans,
  type PairedSample,
  possibleLengths,
  summarise,
  type SummaryRow,
} from "@/lib/statistics/mod.ts";
import type { EffectiveLengthRule, PossibleLength } from "@/lib/statistics/effective_length.ts";

/** A study whose samples share clusters: every cluster is asked at each length. */
export interface ClusteredStudy {
  /** Questions or texts of each task. */
  readonly clusters: number;
  /** Lengths that each is asked at. */
  readonly lengths: number;
  /** Samples of a cluster at a length, such as depths in one text. */
  readonly perCell: number;
  /** Tasks; each has its own clusters unless they share them. */
  readonly tasks: number;
  readonly shareTasks?: boolean;
  /** The intraclass correlation of the scores of a cluster, in [0, 1). */
  readonly icc: number;
  /** The true mean score. */
  readonly mean: number;
}

/** A yes/no score with its cluster. */
export interface DrawnScore {
  readonly task: string;
  readonly length: number;
  readonly cluster: string;
  readonly value: number;
}

/**
 * Draws the scores of a study: each cluster has a chance of success of its own, from the beta distribution whose yes/no scores
 * have the intraclass correlation.
 */
export function drawScores(study: ClusteredStudy, seed: string): readonly DrawnScore[] {
  const draw = stream("clustered scores", seed);
  const { clusters, lengths, perCell, tasks, shareTasks = false, icc, mean } = study;
  const chanceOf = new Map<string, number>();
  return Array.from({ length: tasks }, (_, task) =>
    Array.from({ length: clusters }, (_, number) => {
      const cluster = `${shareTasks ? "" : task}/${number}`;
      const chance = chanceOf.get(cluster) ?? drawChance(draw, { icc, mean });
      chanceOf.set(cluster, chance);
      return Array.from({ length: lengths * perCell }, (_, at): DrawnScore => ({
        ...{ task: `task ${task}`, length: 1000 * (1 + at % lengths), cluster },
        value: Number(draw() < chance),
      }));
    }).flat()).flat();
}

/** Draws the scores of a baseline and of another model, whose clusters have chances of their own. */
export function drawPairs(
  study: ClusteredStudy & { readonly loss: number },
  seed: string,
): readonly PairedSample[] {
  const baseline = drawScores(study, `${seed} baseline`);
  const other = drawScores({ ...study, mean: study.mean - study.loss }, `${seed} other`);
  return baseline.map(({ value, ...place }, at) => ({
    ...place,
    third: null,
    baseline: value,
    other: other[at]!.value,
  }));
}

function drawChance(draw: Draw, { icc, mean }: Pick<ClusteredStudy, "icc" | "mean">): number {
  if (icc === 0) return mean;
  const size = (1 - icc) / icc;
  return drawBeta(draw, mean * size, (1 - mean) * size);
}

/** A beta variable by Jöhnk's method (1964), whose shapes are best below 1. */
function drawBeta(draw: Draw, a: number, b: number): number {
  for (;;) {
    const [x, y] = [Math.log(draw()) / a, Math.log(draw()) / b];
    const most = Math.max(x, y);
    const [left, right] = [Math.exp(x - most), Math.exp(y - most)];
    // Of x^(1/a) and y^(1/b), accepted where their sum is at most 1, on the logarithmic scale.
    if (most + Math.log(left + right) <= 0) return left / (left + right);
  }
}

/**
 * Draws runs of 25 yes/no samples of each of 13 tasks at six lengths, whose true score is 85 at every length, and averages their
 * tasks. The lengths share their questions unless the correlation is 0.
 */
export function drawEvenRuns(icc: number, runs: number): readonly (readonly SummaryRow[])[] {
  const study = { clusters: 25, lengths: 6, perCell: 1, tasks: 13, icc, mean: 0.85 };
  return Array.from({ length: runs }, (_, run) => {
    const records = drawScores(study, `even ${run}`).map(({ cluster, ...score }) => (
      { ...score, failed: false, noAnswer: false, ...(icc === 0 ? {} : { cluster }) }
    ));
    const tasks = [...new Set(records.map(({ task }) => task))];
    return lengthMeans(summarise(records), { groups: [{ name: "all tasks", tasks }] });
  });
}

/** The share of even runs in which the set of possible lengths holds the true one, and in which the length found is the true one. */
export function lengthSetCoverage(
  runs: readonly (readonly SummaryRow[])[],
  options: { readonly rule?: EffectiveLengthRule; readonly threshold: number },
): { readonly held: number; readonly right: number } {
  const { threshold } = options;
  const share = (isSo: (rows: readonly SummaryRow[], truth: PossibleLength) => boolean): number =>
    runs.filter((rows) => isSo(rows, possibleLengths(rows, threshold, options).at(threshold <= 85 ? -1 : 0)!)).length /
    runs.length;
  return {
    held: share((_, truth) => truth.isPossible),
    right: share((rows, { text }) => effectiveLength(rows, threshold, options).text === text),
  };
}
