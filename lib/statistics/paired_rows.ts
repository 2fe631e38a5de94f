import { mean as meanOf, sampleStandardDeviation } from "simple-statistics";
import { shownSign } from "./comparison.ts";
import { correlationOfMeans, exactPairedInterval, foldPairs, pairedComparison, type ScorePair } from "./score_pairs.ts";
import { type Third, THIRDS } from "./depths.ts";
import { adjustPValues, type Correction, type PermutationOptions } from "./permutation_tests.ts";
import { minimumDetectableDifference, planSamples, type SamplePlanOptions } from "./sample_plan.ts";
import type { TaskGroup } from "./summarise.ts";
import { lengthText, plural } from "@/lib/text/mod.ts";

/** The scores of a baseline and of another model on one sample. */
export interface PairedSample {
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The third of the context that its one target is in; `null` where it has no such place. */
  readonly third: Third | null;
  /** The question, text or context that the sample shares with others; left out, it is independent of all others. */
  readonly cluster?: string | undefined;
  /** The score of the baseline, in [0, 1]. */
  readonly baseline: number;
  /** The score of the other model. */
  readonly other: number;
}

/** What the samples of a row have in common: nothing, a length, a task, a third of the context, or a group of tasks at a length. */
export const PAIRED_BY = ["all", "length", "task", "third", "group"] as const;

/** One of {@linkcode PAIRED_BY}. */
export type PairedBy = typeof PAIRED_BY[number];

/** A model compared with a baseline on some of the samples that both were asked. */
export interface PairedRow {
  readonly by: PairedBy;
  /** Such as `all samples`, `4K`, `vt` or `first third`. */
  readonly name: string;
  /** Samples compared. */
  readonly n: number;
  /** Independent units among them: a question or text that several share counts once. */
  readonly units: number;
  /** Tasks at a length among them; each weighs the same. */
  readonly cells: number;
  /** The mean of the baseline, in percent. */
  readonly baseline: number;
  /** The mean of the other model. */
  readonly other: number;
  /** The other less the baseline, in points: below 0 is a loss. */
  readonly difference: number;
  /** The low end of its 95% interval, not corrected for the number of comparisons. */
  readonly low: number;
  /** The high end. */
  readonly high: number;
  /** The p-value of this row alone. */
  readonly p: number;
  /** The p-value corrected for all rows of all models. */
  readonly adjusted: number;
  /** Which is higher, if the corrected p-value is at most 5% and the interval excludes 0. */
  readonly higher: "baseline" | "other" | null;
}

/** Options for {@linkcode comparePairs}. */
export interface ComparePairsOptions extends PermutationOptions {
  /**
   * The rows, in this order.
   *
   * @default {["all", "length", "task", "third"]}
   */
  readonly by?: readonly PairedBy[];
  /**
   * Tasks that are averaged at each length, for rows by group; a group without one of its tasks has no row.
   *
   * @default {[]}
   */
  readonly groups?: readonly TaskGroup[];
  /**
   * How p-values are corrected for the number of rows.
   *
   * @default {"holm"}
   */
  readonly correction?: Correction;
}

/** Models compared with one baseline. */
export interface PairsCompared {
  /** The rows of each model, in the order given. */
  readonly rows: readonly (readonly PairedRow[])[];
  /** How many rows the p-values are corrected for. */
  readonly comparisons: number;
  /** How they were corrected, in words for a caption. */
  readonly corrected: string;
}

/**
 * Compares models with a baseline sample by sample: over all samples, by length, by task and by third of the context. In each row
 * every task at a length weighs the same. Holm's or another correction is for all rows of all models together.
 *
 * @param models The samples that each model shares with the baseline.
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
): PairsCompared {
  const { by = ["all", "length", "task", "third"], groups = [], correction = "holm", ...permutations } = options;
  const found = models.map((pairs) =>
    by.flatMap((each) => slicesOf(pairs, each, groups)).map((slice) => compareSlice(slice, permutations))
  );
  const adjusted = adjustPValues(found.flat().map(({ p }) => p), correction);
  const comparisons = adjusted.length;
  let at = 0;
  return {
    rows: found.map((rows) =>
      rows.map((row): PairedRow => {
        const p = adjusted[at++]!;
        const sign = shownSign({ ...row, adjusted: p });
        return { ...row, adjusted: p, higher: sign === 0 ? null : sign < 0 ? "baseline" : "other" };
      })
    ),
    comparisons,
    corrected: correction === "none"
      ? "p-values are not corrected"
      : `p-values corrected for ${comparisons} comparisons (${
        correction === "holm" ? "Holm" : "Benjamini and Hochberg"
      })`,
  };
}

interface Slice extends Pick<PairedRow, "by" | "name"> {
  readonly pairs: readonly PairedSample[];
}

function slicesOf(pairs: readonly PairedSample[], by: PairedBy, groups: readonly TaskGroup[]): readonly Slice[] {
  if (pairs.length === 0) return [];
  const lengths = [...Map.groupBy(pairs, ({ length }) => length)].sort(([left], [right]) => left - right);
  switch (by) {
    case "all":
      return [{ by, name: "all samples", pairs }];
    case "length":
      return lengths.map(([length, ofLength]) => ({ by, name: lengthText(length), pairs: ofLength }));
    case "task":
      return [...Map.groupBy(pairs, ({ task }) => task)].map(([name, ofTask]) => ({ by, name, pairs: ofTask }));
    case "third":
      return THIRDS.map((third) => ({
        ...{ by, name: `${third} third` },
        pairs: pairs.filter((pair) => pair.third === third),
      })).filter((slice) => slice.pairs.length > 0);
    case "group":
      return groups.flatMap(({ name, tasks }) =>
        lengths.map(([length, ofLength]) => ({
          ...{ by, name: `${name}, ${lengthText(length)}` },
          pairs: ofLength.filter(({ task }) => tasks.includes(task)),
        })).filter((slice) => tasks.every((task) => slice.pairs.some((pair) => pair.task === task)))
      );
  }
}

function compareSlice(
  { by, name, pairs }: Slice,
  options: PermutationOptions,
): Omit<PairedRow, "adjusted" | "higher"> {
  const cells = cellsOf(pairs);
  const { first, second, difference, low, high, p, units } = pairedComparison(cells, options);
  return {
    by,
    name,
    n: pairs.length,
    units,
    cells: cells.length,
    other: first,
    baseline: second,
    difference,
    low,
    high,
    p,
  };
}

/** The pairs of each task and length; the other model comes first, so that a loss is below 0. */
function cellsOf(pairs: readonly PairedSample[]): readonly (readonly ScorePair[])[] {
  const cells = Map.groupBy(pairs, ({ task, length }) => JSON.stringify([task, length]));
  return [...cells.values()].map((cell) =>
    cell.map(({ cluster, baseline, other }) => ({ cluster, first: other, second: baseline }))
  );
}

/** Options for {@linkcode judgeLoss}. */
export interface JudgeLossOptions {
  /** The loss that is allowed, in points. Range: from 0, below 100. */
  readonly margin: number;
  /** What the finding calls the two. */
  readonly models: readonly [baseline: string, other: string];
}

/** Whether a model loses more than a margin against its baseline. */
export interface LossVerdict {
  /**
   * `worse` if all of the 95% interval is a loss above the margin, `not worse` if none of it is.
   */
  readonly verdict: "worse" | "not worse" | "cannot tell";
  /** The loss in points; below 0 is a gain. */
  readonly loss: number;
  /** The low end of its 95% interval. */
  readonly low: number;
  /** The high end. */
  readonly high: number;
  /** Samples compared. */
  readonly n: number;
  /** Independent units among them: questions or texts that samples share count once. */
  readonly units: number;
  /** The loss above the margin that so many samples find in four of five tries; `null` where even a total loss is not. */
  readonly detectable: number | null;
  /** Samples that it takes to tell a loss of twice the margin from the margin in four of five tries; `null` for a margin of 0. */
  readonly needed: number | null;
  /** The same as a sentence, without its full stop. */
  readonly finding: string;
}

/**
 * Judges whether a model loses more than a margin against its baseline over all samples, from the exact 95% interval of the
 * paired difference, {@linkcode exactPairedInterval}. A model that loses exactly the margin is called worse in at most 2.5% of
 * comparisons, and not worse in at most 2.5%. Samples that share a cluster are averaged first.
 *
 * @param pairs At least one.
 * @throws {RangeError} If there is no pair, or the margin is outside its range.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const lost = { task: "vt", length: 4096, third: null, baseline: 1, other: 0 };
 * const options = { margin: 2, models: ["before", "after"] } as const;
 * equal(judgeLoss(Array(40).fill(lost), options).verdict, "worse");
 * equal(judgeLoss([lost, { ...lost, other: 1 }], options).verdict, "cannot tell");
 * ```
 */
export function judgeLoss(pairs: readonly PairedSample[], { margin, models }: JudgeLossOptions): LossVerdict {
  if (pairs.length === 0) {
    throw new RangeError("Cannot judge a loss as there must be at least one pair: current value is 0");
  }
  if (!(margin >= 0 && margin < 100)) {
    throw new RangeError(`Cannot judge a loss as the margin must be in [0, 100) points: current value is ${margin}`);
  }
  const cells = cellsOf(pairs);
  const strata = foldPairs(cells);
  const baseline = 100 * meanOf(cells.map((cell) => meanOf(cell.map(({ second }) => second))));
  const difference = 100 * meanOf(cells.map((cell) => meanOf(cell.map(({ first }) => first)))) - baseline;
  const { low, high } = exactPairedInterval(strata);
  const units = strata.reduce((sum, stratum) => sum + stratum.pairs.length, 0);
  const plan = planOf(strata.map((stratum) => stratum.pairs), baseline);
  const canPlan = baseline > margin && margin > 0;
  const found = {
    verdict: high < -margin ? "worse" : low >= -margin ? "not worse" : "cannot tell",
    ...{ loss: -difference, low: -high, high: -low, n: pairs.length, units },
    detectable: baseline === 0 ? null : minimumDetectableDifference(Math.max(1, units / strata.length), plan),
    needed: canPlan ? Math.ceil(planSamples(margin, plan).calls * pairs.length / units) : null,
  } as const;
  return { ...found, finding: findingOf(found, { margin, models }) };
}

function findingOf(
  { verdict, loss, low, high, n, units, detectable, needed }: Omit<LossVerdict, "finding">,
  { margin, models: [baseline, other] }: JudgeLossOptions,
): string {
  const points = (number: number): string => number.toFixed(1).replace(/^-(0\.0)$/, "$1");
  const found = `${other} less ${baseline} is ${points(-loss)} points [${points(-high)}, ${points(-low)}] on ${n} ${
    plural(n, "sample")
  }${units === n ? "" : ` of ${units} independent questions or texts`}`;
  if (verdict === "worse") return `${found}: a loss of more than ${margin}, with 95% confidence`;
  if (verdict === "not worse") return `${found}: no loss of more than ${margin}, with 95% confidence`;
  const least = detectable === null
    ? "not even the loss of everything would be found with so few"
    : `with so many, a loss must be ${points(margin + detectable)} to be found in four of five runs`;
  const more = needed === null ? "" : `, and about ${needed.toLocaleString("en")} find a loss of ${2 * margin}`;
  return `${found}: too few to decide whether the loss is more than ${margin}; ${least}${more}`;
}

/** What a planner of samples needs to know of these pairs. */
function planOf(cells: readonly (readonly ScorePair[])[], baseline: number): SamplePlanOptions {
  const scores = cells.flat().flatMap(({ first, second }) => [first, second]);
  const isYesNo = scores.every((score) => score === 0 || score === 1);
  const deviation = isYesNo || scores.length < 2 ? 0 : 100 * sampleStandardDeviation(scores);
  return {
    ...{ score: baseline, tasks: cells.length },
    correlation: Math.min(0.99, Math.max(0, correlationOfMeans(cells))),
    ...(deviation > 0 ? { deviation: Math.min(50, deviation) } : {}),
  };
}
