import { mean as meanOf, sampleStandardDeviation } from "simple-statistics";
import { correlationOfMeans, exactPairedInterval, foldPairs, pairedComparison, type ScorePair } from "./differences.ts";
import { adjustPValues, shownSign } from "./permutation_tests.ts";
import { meanOfRepeats, type RunReply, scoreOf } from "./repeats.ts";
import { minimumDetectableDifference, planSamples, type SamplePlanOptions } from "./sample_plan.ts";
import type { TaskGroup } from "./summarise.ts";
import { type Third, THIRDS } from "./depth_scores.ts";
import { lengthText, plural } from "@/lib/text/mod.ts";

/** The scores of a baseline and of another model on one sample. */
export interface PairedSample {
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The third of the context that holds the one target of the sample; `null` where it has no single target. */
  readonly third: Third | null;
  /** The question, text or context that the sample shares with others; a sample without it is independent. */
  readonly cluster?: string | undefined;
  /** The score of the baseline, in [0, 1]. */
  readonly baseline: number;
  /** The score of the other model, in [0, 1]. */
  readonly other: number;
}

/**
 * Pairs the scores of two models by task, length, index and seed. Repeats of a sample are averaged first.
 *
 * @returns The pairs in the order of the baseline's tasks and lengths, and then by index; `dropped` counts common samples without
 *   a score from both models, `unmatched` samples that only one model was asked.
 * @throws {RangeError} If a model has two records of one sample.
 */
export function pairRecords(
  baseline: readonly RunReply[],
  other: readonly RunReply[],
): { readonly pairs: readonly PairedSample[]; readonly dropped: number; readonly unmatched: number } {
  const [left, right] = [indexSamples(baseline), indexSamples(other)];
  const common = [...left].filter(([name]) => right.has(name))
    .sort(([, one], [, two]) => one.record.index - two.record.index);
  const pairs = common.flatMap(([name, sample]): PairedSample[] => {
    const { task, length, cluster } = sample;
    const [score, otherScore] = [scoreOf(sample), scoreOf(right.get(name)!)];
    if (score === null || otherScore === null) return [];
    return [{ task, length, third: null, cluster, baseline: score, other: otherScore }];
  });
  return { pairs, dropped: common.length - pairs.length, unmatched: left.size + right.size - 2 * common.length };
}

function indexSamples(records: readonly RunReply[]): ReadonlyMap<string, RunReply> {
  const samples = new Map<string, RunReply>();
  for (const scored of meanOfRepeats(records)) {
    const { task, length, record: { index, seed } } = scored;
    const name = JSON.stringify([task, length, index, seed]);
    if (samples.has(name)) {
      throw new RangeError(
        `Cannot match samples as each must occur once per model: current value is ${task}, ${length} tokens, number ${index} twice`,
      );
    }
    samples.set(name, scored);
  }
  return samples;
}

/** A model compared with a baseline on some of the samples that both were asked. */
export interface PairedRow {
  /** What the samples of the row have in common: nothing, a length, a task, a third of the context, or a group at a length. */
  readonly by: "all" | "length" | "task" | "third" | "group";
  /** Such as `all samples`, `4K`, `vt` or `first third`. */
  readonly name: string;
  /** Samples compared. */
  readonly n: number;
  /** Independent units among them: a question or text that several samples share counts once. */
  readonly units: number;
  /** Tasks at a length among them; each has equal weight. */
  readonly cells: number;
  /** The mean of the baseline, in percent. */
  readonly baseline: number;
  /** The mean of the other model, in percent. */
  readonly other: number;
  /** The other minus the baseline, in points: below 0 is a loss. */
  readonly difference: number;
  /** The low end of its 95% interval, not corrected for the number of comparisons. */
  readonly low: number;
  /** The high end. */
  readonly high: number;
  /** The p-value of this row alone. */
  readonly p: number;
  /** The p-value corrected for all rows of all models. */
  readonly adjusted: number;
  /** Which model is higher, if the corrected p-value is at most 5% and the interval excludes 0. */
  readonly higher: "baseline" | "other" | null;
}

/** Options for {@linkcode comparePairs}. */
export interface ComparePairsOptions {
  /**
   * The rows, in this order.
   *
   * @default {["all", "length", "task", "third"]}
   */
  readonly by?: readonly PairedRow["by"][];
  /**
   * Tasks that are averaged at each length, for rows by group; a group without one of its tasks has no row.
   *
   * @default {[]}
   */
  readonly groups?: readonly TaskGroup[];
  /**
   * Random sign patterns for a p-value, if there are too many to count them all. Range: 99 to 1,000,000.
   *
   * @default {9999}
   */
  readonly draws?: number | undefined;
}

/**
 * Compares models with a baseline sample by sample: over all samples, by length, by task and by third of the context. In each row
 * every task at a length has equal weight. p-values are corrected for all rows of all models together (Holm 1979).
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
  const { by = ["all", "length", "task", "third"], groups = [], draws } = options;
  const found = models.map((pairs) =>
    by.flatMap((each) => slicesOf(pairs, each, groups)).map((slice) => compareSlice(slice, draws))
  );
  const adjusted = adjustPValues(found.flat().map(({ p }) => p));
  let at = 0;
  return {
    rows: found.map((rows) =>
      rows.map((row): PairedRow => {
        const p = adjusted[at++]!;
        const sign = shownSign({ ...row, adjusted: p });
        return { ...row, adjusted: p, higher: sign === 0 ? null : sign < 0 ? "baseline" : "other" };
      })
    ),
    corrected: `p-values corrected for ${adjusted.length} comparisons (Holm)`,
  };
}

interface Slice extends Pick<PairedRow, "by" | "name"> {
  readonly pairs: readonly PairedSample[];
}

function slicesOf(pairs: readonly PairedSample[], by: PairedRow["by"], groups: readonly TaskGroup[]): readonly Slice[] {
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

function compareSlice({ by, name, pairs }: Slice, draws?: number): Omit<PairedRow, "adjusted" | "higher"> {
  const cells = cellsOf(pairs);
  const { first: other, second: baseline, ...compared } = pairedComparison(cells, draws);
  return { by, name, n: pairs.length, cells: cells.length, other, baseline, ...compared };
}

/** Groups pairs by task and length. The other model comes first, so that a loss is below 0. */
function cellsOf(pairs: readonly PairedSample[]): readonly (readonly ScorePair[])[] {
  const cells = Map.groupBy(pairs, ({ task, length }) => JSON.stringify([task, length]));
  return [...cells.values()].map((cell) =>
    cell.map(({ cluster, baseline, other }) => ({ cluster, first: other, second: baseline }))
  );
}

/** The non-inferiority verdict on a model: whether it loses more than a margin against its baseline. */
export interface LossVerdict {
  /** `worse` if the whole 95% interval is a loss above the margin, `not worse` if none of it is. */
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
  /** The loss above the margin that this many samples detect with a power of 80%; `null` where not even a total loss is. */
  readonly detectable: number | null;
  /** Samples needed to detect a loss of twice the margin with a power of 80%; `null` for a margin of 0. */
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
 * @param options `margin`: the loss that is allowed, in points, in [0, 100). `models`: the names used in the finding.
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
export function judgeLoss(
  pairs: readonly PairedSample[],
  { margin, models }: { readonly margin: number; readonly models: readonly [baseline: string, other: string] },
): LossVerdict {
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
  { margin, models: [baseline, other] }: Parameters<typeof judgeLoss>[1],
): string {
  const points = (number: number): string => number.toFixed(1).replace(/^-(0\.0)$/, "$1");
  const found = `${other} less ${baseline} is ${points(-loss)} points [${points(-high)}, ${points(-low)}] on ${n} ${
    plural(n, "sample")
  }${units === n ? "" : ` of ${units} independent questions or texts`}`;
  if (verdict === "worse") return `${found}: a loss of more than ${margin}, with 95% confidence`;
  if (verdict === "not worse") return `${found}: no loss of more than ${margin}, with 95% confidence`;
  const power = detectable === null
    ? "this many would not even detect a total loss"
    : `this many detect a loss of ${points(margin + detectable)} in four of five runs`;
  const more = needed === null ? "" : `, and about ${needed.toLocaleString("en")} detect a loss of ${2 * margin}`;
  return `${found}: too few to decide whether the loss is more than ${margin}; ${power}${more}`;
}

/** Returns the options of a sample plan for pairs like these. */
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
