import { type Third, THIRDS } from "./depth_scores.ts";
import {
  differenceInterval,
  type Interval,
  need,
  PSEUDO_ANSWERS,
  type ScoreWithInterval,
  weightedMean,
} from "./intervals.ts";
import {
  groupAlike,
  inPercent,
  kishSize,
  type MeanEstimate,
  meanInterval,
  meanOfAlike,
  meanOfScores,
  withinRange,
} from "./mean_interval.ts";
import { adjustFamilies, adjustPValues, guardedP, isShown, SAME, signFlipTest } from "./permutation_tests.ts";
import {
  foldClusters,
  independent,
  meanOfRepeats,
  type RunReply,
  type ScoredRecord,
  scoreOf,
  unitsOf,
  type WeightedValues,
} from "./units.ts";
import { mean as meanOf } from "simple-statistics";
import { lengthText, sum } from "@/lib/base/mod.ts";

/** The scores of a baseline and of another model on one sample. */
export interface PairedSample extends Pick<ScoredRecord, "task" | "length" | "cluster" | "least"> {
  /** The third of the context that holds the target of the sample; `null` if it has no single target. */
  readonly third: Third | null;
  /** Both scores, in [0, 1]. */
  readonly baseline: number;
  readonly other: number;
}

/**
 * Pairs the scores of two models by task, length, index and seed. Repeats of a sample are averaged first.
 *
 * @returns The pairs in the order of the baseline's tasks and lengths, and then by index. A sample without a score from both
 *   models, or that only one was asked, has none.
 * @throws {RangeError} If a model has two records of one sample.
 */
export function pairRecords(
  baseline: readonly RunReply[],
  other: readonly RunReply[],
): { readonly pairs: readonly PairedSample[] } {
  const [left, right] = [indexSamples(baseline), indexSamples(other)];
  const common = [...left].filter(([name]) => right.has(name))
    .sort(([, one], [, two]) => one.record.index - two.record.index);
  const pairs = common.flatMap(([name, sample]): PairedSample[] => {
    const { task, length, cluster, least } = sample;
    const [score, otherScore] = [scoreOf(sample), scoreOf(right.get(name)!)];
    if (score === null || otherScore === null) return [];
    return [{ task, length, third: null, cluster, least, baseline: score, other: otherScore }];
  });
  return { pairs };
}

function indexSamples(records: readonly RunReply[]): ReadonlyMap<string, RunReply> {
  const samples = new Map<string, RunReply>();
  for (const scored of meanOfRepeats(records)) {
    const { task, length, record: { index, seed } } = scored;
    const name = JSON.stringify([task, length, index, seed]);
    const twice = `${task}, ${length} tokens, number ${index} twice`;
    need(!samples.has(name), "match samples", "each must occur once per model", twice);
    samples.set(name, scored);
  }
  return samples;
}

/** A model compared with a baseline on some of the samples that both were asked. The interval is not corrected. */
export interface PairedRow extends Interval {
  /** The common property of the samples of the row: none, a length, a task, or a third of the context. */
  readonly by: "all" | "length" | "task" | "third";
  /** Such as `all samples`, `4K`, `vt` or `first third`. */
  readonly name: string;
  readonly n: number;
  /** Independent units among them: a question or text that several samples share counts once. */
  readonly units: number;
  /** Tasks at a length among them; each has equal weight. */
  readonly cells: number;
  /** Both means, in percent. */
  readonly baseline: number;
  readonly other: number;
  /** The other minus the baseline, in points: below 0 is a loss. */
  readonly difference: number;
  /** The p-value of this row alone: of the sign-flip test, or of the interval if that is larger ({@linkcode guardedP}). */
  readonly p: number;
  /** The p-value corrected for the other rows and models; not below that of all samples. */
  readonly adjusted: number;
  /** The higher model, if the corrected p-value is at most 5%. */
  readonly higher: "baseline" | "other" | null;
}

/** Options for {@linkcode comparePairs}. */
export interface ComparePairsOptions {
  /** The rows, in this order; ["all", "length", "task", "third"] by default. */
  readonly by?: readonly PairedRow["by"][];
  /**
   * Random sign patterns for a p-value, if there are too many to count them all. Range: 99 to 1,000,000; 9999 by
   * default.
   */
  readonly draws?: number | undefined;
}

/**
 * Compares models with a baseline sample by sample: over all samples, by length, by task and by third of the context. In each row
 * every task at a length has equal weight.
 *
 * The row of all samples is the primary comparison: the other rows of a model count only if it is shown (a gatekeeper: Westfall and
 * Krishen 2001, "Optimally weighted, fixed sequence and gatekeeper multiple testing procedures"), and are then corrected for each other
 * (Holm 1979). Models are corrected for each other by {@linkcode adjustFamilies}. The chance of any difference shown that is not there
 * is at most 5% in all rows of all models together.
 *
 * @param models The samples that each model shares with the baseline.
 * @returns The rows of each model in the order given, and the correction in words for a caption.
 * @throws {RangeError} If an option is outside its range.
 *
 * @example
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 *
 * const of = (baseline: number, other: number) => ({ task: "vt", length: 4096, third: null, baseline, other });
 * const { rows } = comparePairs([[...Array(8).fill(of(1, 0)), of(1, 1)]]);
 * deepEqual(rows[0]!.map(({ name, n }) => [name, n]), [["all samples", 9], ["4K", 9], ["vt", 9]]);
 * equal(rows[0]![0]!.higher, "baseline");
 * ```
 */
export function comparePairs(
  models: readonly (readonly PairedSample[])[],
  options: ComparePairsOptions = {},
): { readonly rows: readonly (readonly PairedRow[])[]; readonly corrected: string } {
  const { by = ["all", "length", "task", "third"], draws } = options;
  const found = models.map((pairs) =>
    by.flatMap((each) =>
      slicesOf(pairs, each).map(([name, ofSlice]) => {
        const cells = cellsOf(ofSlice);
        const { first: other, second: baseline, ...compared } = pairedComparison(cells, draws);
        return { by: each, name, n: ofSlice.length, cells: cells.length, other, baseline, ...compared };
      })
    )
  );
  const adjusted = adjustFamilies(found.map(gatedPValues));
  const rows = found.map((ofModel, model) =>
    ofModel.map((row, at): PairedRow => {
      const p = adjusted[model]![at]!;
      const higher = row.difference < 0 ? "baseline" : "other";
      return { ...row, adjusted: p, higher: isShown(p) ? higher : null };
    })
  );
  return { rows, corrected: correctionText(rows) };
}

/** Corrects the p-values of a model: that of all samples counts first, and gates those of the other rows (Holm). */
function gatedPValues(rows: readonly Pick<PairedRow, "by" | "p">[]): readonly number[] {
  const gate = rows.find(({ by }) => by === "all")?.p ?? 0;
  return adjustPValues(rows.map(({ by, p }) => by === "all" ? null : p)).map((p) => Math.max(gate, p ?? 0));
}

function correctionText(rows: readonly (readonly PairedRow[])[]): string {
  const all = rows.flat();
  const others = all.filter(({ by }) => by !== "all").length;
  if (others === 0 || others === all.length) return `p-values corrected for ${all.length} comparisons (Holm)`;
  const models = rows.length === 1 ? "" : `, and all for ${rows.length} models`;
  return `all samples are the primary comparison; p-values of the other ${others} are corrected for each other (Holm)${models}, ` +
    "and never below that of all samples";
}

function slicesOf(
  pairs: readonly PairedSample[],
  by: PairedRow["by"],
): readonly (readonly [name: string, pairs: readonly PairedSample[]])[] {
  if (pairs.length === 0) return [];
  switch (by) {
    case "all":
      return [["all samples", pairs]];
    case "length":
      return [...Map.groupBy(pairs, ({ length }) => length)].sort(([left], [right]) => left - right)
        .map(([length, ofLength]) => [lengthText(length), ofLength] as const);
    case "task":
      return [...Map.groupBy(pairs, ({ task }) => task)];
    case "third":
      return THIRDS.map((third) => [`${third} third`, pairs.filter((pair) => pair.third === third)] as const)
        .filter(([, ofThird]) => ofThird.length > 0);
  }
}

/** Groups pairs by task and length. The other model comes first, so that a loss is below 0. */
function cellsOf(pairs: readonly PairedSample[]): readonly (readonly ScorePair[])[] {
  const cells = Map.groupBy(pairs, ({ task, length }) => JSON.stringify([task, length]));
  return [...cells.values()].map((cell) =>
    cell.map(({ cluster, least, baseline, other }) => ({ cluster, least, first: other, second: baseline }))
  );
}

/** The scores of two models on the same sample, each in [0, 1]. */
export interface ScorePair extends Pick<ScoredRecord, "cluster" | "least"> {
  readonly first: number;
  readonly second: number;
}

/**
 * Compares two models on the same samples; each cell (a task at a length) has equal weight.
 *
 * Samples that share a cluster are averaged first ({@linkcode foldClusters}), so a question asked at six lengths is one pair. The
 * p-value is that of {@linkcode signFlipTest}, or of the interval if that is larger; the interval is that of {@linkcode pairedInterval}.
 *
 * @param draws Random sign patterns for the p-value, if there are too many to count them all.
 * @returns Both means in percent, first minus second in points with its 95% interval, and the number of independent pairs.
 */
export function pairedComparison(
  cells: readonly (readonly ScorePair[])[],
  draws?: number,
): Interval & Readonly<Record<"first" | "second" | "difference" | "p" | "units", number>> {
  const [first, second] = (["first", "second"] as const).map((model) =>
    100 * meanOf(cells.map((cell) => meanOfScores(cell.map((pair) => pair[model]))))
  ) as [number, number];
  const strata = foldPairs(cells);
  const weighed = strata.flatMap(({ cells: share, gains: { values, weights } }) =>
    values.map((gain, at) => gain * weights[at]! * share)
  );
  const reach = 100 * (1 - meanOf(cells.map(([pair]) => pair?.least ?? 0)));
  const { low, high } = withinRange(pairedInterval(strata), [-reach, reach]);
  const p = guardedP(signFlipTest(weighed, draws).p, (level) => pairedInterval(strata, level));
  return { first, second, difference: first - second, low, high, p, units: weighed.length };
}

interface PairStratum extends Required<Pick<MeanEstimate, "cells" | "n" | "effectiveSize">> {
  /** First minus second, with weights. */
  readonly gains: WeightedValues;
}

/** Averages the pairs of each cluster, so that the result is independent pairs. */
function foldPairs(cells: readonly (readonly ScorePair[])[]): readonly PairStratum[] {
  const samples = cells.flatMap((cell, at) =>
    cell.map(({ cluster, first, second }) => {
      // Scores computed in two ways, such as 0.1 + 0.2 and 0.3, are equal.
      const gain = Math.abs(first - second) <= SAME ? 0 : first - second;
      return { cell: String(at), cluster, values: [gain] };
    })
  );
  return foldClusters(samples).map((stratum) => {
    const gains = unitsOf(stratum);
    return { cells: stratum.cells, n: gains.values.length, effectiveSize: kishSize(gains.weights), gains };
  });
}

/**
 * Returns the mean difference of independent pairs in points with its 95% interval.
 *
 * The difference is the mean gain minus the mean loss. Each has the interval of a mean, which keeps its width where none of a few
 * pairs differ, and {@linkcode differenceInterval} combines them. For yes/no scores they are the two discordant shares, which are
 * also the basis of Tango's score interval and of Bonett and Price's adjusted one (both recommended by Fagerland, Lydersen and
 * Laake 2014, "Recommended tests and confidence intervals for paired binomial proportions"). Newcombe (1998), method 10, combines
 * the means of both models instead. It covers only 80% if nearly all pairs agree or a task has one or two of them.
 *
 * Coverage is at least 92% for 3 to 60 yes/no pairs of which 1% to all differ (exact), and 95 to 99% on average; simulated, at
 * least 93% for tasks of one or two pairs, for shares, for 13 tasks of 10 and 50 pairs, and for tasks of one to 100 pairs. Tasks
 * whose pairs have similar weights are one group each, and {@linkcode weightedMean} joins their differences.
 */
function pairedInterval(strata: readonly PairStratum[], level = 0.95): ScoreWithInterval {
  const groups = groupAlike(strata);
  const differences = groups.map((group) => {
    const [gain, loss] = [1, -1].map((sign) => {
      const means = group.map(({ cells, gains: { values, weights } }) => (
        { cells, ...meanInterval({ values: values.map((each) => Math.max(0, sign * each)), weights }, level) }
      ));
      return inPercent(meanOfAlike(means, level));
    }) as [ScoreWithInterval, ScoreWithInterval];
    return differenceInterval(gain, loss, correlationOfGains(group));
  });
  return weightedMean(differences, groups.map((group) => sum(group, ({ cells }) => cells)));
}

/**
 * Returns the correlation of mean gain and mean loss. It is below 0, as a pair has only one of them.
 *
 * The moments of a task are shrunk by two pseudo-answers towards those of all pairs, as in `meanOfMeans`. All pairs include one
 * more full gain and one more full loss (Bonett and Price 2012, "Adjusted Wald confidence interval for a difference of binomial
 * proportions based on paired data").
 */
function correlationOfGains(strata: readonly PairStratum[]): number {
  const all = momentsOf(independent([...strata.flatMap(({ gains }) => gains.values), 1, -1]));
  const variance = { both: 0, gain: 0, loss: 0 };
  for (const { cells, effectiveSize: n, gains } of strata) {
    const [gain, loss, gainSquare, lossSquare] = momentsOf(gains).map((own, at) =>
      (n * own + PSEUDO_ANSWERS * all[at]!) / (n + PSEUDO_ANSWERS)
    ) as [number, number, number, number];
    variance.both -= cells ** 2 * gain * loss / n;
    variance.gain += cells ** 2 * (gainSquare - gain ** 2) / n;
    variance.loss += cells ** 2 * (lossSquare - loss ** 2) / n;
  }
  // Rounding can make it less than -1 if all pairs are full gains or losses.
  return Math.max(-1, variance.both / Math.sqrt(variance.gain * variance.loss));
}

/** Returns the means of the gains, of the losses, and of their squares. */
function momentsOf({ values, weights }: WeightedValues): readonly number[] {
  const parts = [1, -1].map((sign) => values.map((each) => Math.max(0, sign * each)));
  return [...parts, ...parts.map((part) => part.map((each) => each ** 2))]
    .map((part) => sum(part, (each, at) => weights[at]! * each));
}
