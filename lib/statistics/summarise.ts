import { type ScoreWithInterval, weightedMean } from "./intervals.ts";
import {
  inPercent,
  type MeanEstimate,
  meanOfClusters,
  meanOfMeans,
  meansOfStrata,
  withinRange,
} from "./mean_interval.ts";
import { type ClusteredSample, leastMean, meanOfRepeats, type ScoredRecord, scoreOf } from "./units.ts";
import { quantileSorted } from "simple-statistics";
import { lengthText, sum } from "@/lib/base/mod.ts";
import type { Reply, ReplyOrigin } from "@/lib/models/mod.ts";

/** A {@linkcode ScoreRow} that can be averaged further, with the reason if it has no score. */
export interface SummaryRow extends ScoreRow {
  /** The number of yes/no answers with the same information; 0 without a score. */
  readonly effectiveSize: number;
  /** Replies with nothing to score; they are not in `n`. */
  readonly unscored: number;
  /** Why there is no score; `null` if there is one. */
  readonly reason: string | null;
  /** Its samples, if they can share clusters with those of other rows; means over rows need them. */
  readonly [SAMPLES]?: readonly ClusteredSample[];
}

/** The key of a row's samples: spread with the row, but absent from JSON. */
export const SAMPLES: unique symbol = Symbol("samples of a row");

/**
 * Averages scored records for each task and length, with the interval of {@linkcode meanInterval}.
 *
 * A failed call is counted in `failed` and excluded from the mean; an empty reply is counted in `noAnswer` and has the lowest score
 * of its benchmark: 0, as RULER's "nulls", or 1 of 5 for grades. Repeats of a sample are averaged, and count once.
 *
 * @returns Tasks in order of first appearance, lengths rising; scores in percent.
 * @throws {RangeError} If a value is outside [0, 1].
 *
 * @example A failed call is not a wrong answer
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const asked = { task: "vt", length: 4096, noAnswer: false };
 * const [row] = summarise([
 *   { ...asked, value: 1, failed: false },
 *   { ...asked, value: 0.6, failed: false },
 *   { ...asked, value: null, failed: true },
 * ]);
 * deepEqual([row!.score, row!.n, row!.failed], [80, 2, 1]);
 * ```
 */
export function summarise(records: readonly ScoredRecord[]): readonly SummaryRow[] {
  const tasks = Map.groupBy(meanOfRepeats(records), (record) => record.task);
  const isShared = records.some(({ cluster }) => cluster !== undefined);
  return [...tasks].flatMap(([task, ofTask]) => {
    const lengths = [...Map.groupBy(ofTask, (record) => record.length)].sort(([left], [right]) => left - right);
    return lengths.map(([length, ofLength]) => ({ task, length, ...summariseOne(ofLength, isShared) }));
  });
}

/** Returns the rows of a task that have a score, lengths rising. */
export function scoredRows(
  rows: readonly SummaryRow[],
  task: string,
): readonly (SummaryRow & ScoreWithInterval)[] {
  return rows
    .filter((row): row is SummaryRow & ScoreWithInterval => row.task === task && row.score !== null)
    .toSorted((left, right) => left.length - right.length);
}

function summariseOne(records: readonly ScoredRecord[], isShared: boolean): Omit<SummaryRow, "task" | "length"> {
  const replies = records.filter((record) => !record.failed);
  const samples = samplesOf(replies, ({ task, length }) => JSON.stringify([task, length]));
  const counts = {
    n: samples.length,
    failed: records.length - replies.length,
    noAnswer: replies.filter((reply) => reply.noAnswer).length,
    unscored: replies.length - samples.length,
    ...refusedOf(records.filter(({ refused }) => refused === true).length),
  };
  if (samples.length > 0) {
    return { ...scoreWith(meanOfClusters(samples), samples.length, isShared && samples), ...counts };
  }
  const reason =
    `no score: ${counts.failed} of ${records.length} calls failed, ${counts.unscored} had nothing to score`;
  return { ...NO_SCORE, reason, ...counts };
}

const NO_SCORE = { score: null, low: null, high: null, effectiveSize: 0 } as const;

/** Returns the parts of a row that depend on its mean; `samples` if they can share clusters with those of other rows. */
function scoreWith(
  mean: MeanEstimate,
  n: number,
  samples: readonly ClusteredSample[] | false,
): Pick<SummaryRow, "score" | "low" | "high" | "effectiveSize" | "reason" | "units" | typeof SAMPLES> {
  return {
    ...inPercent(mean),
    effectiveSize: mean.effectiveSize,
    reason: null,
    ...(mean.n === n ? {} : { units: mean.n }),
    ...(samples === false ? {} : { [SAMPLES]: samples }),
  };
}

/** Returns the scored samples of a model, each in the cell that is averaged with equal weight. */
export function samplesOf(
  records: readonly ScoredRecord[],
  cellOf: (record: ScoredRecord) => string,
): (ClusteredSample & { readonly length: number })[] {
  return meanOfRepeats(records).flatMap((record) => {
    const { cluster, length, least } = record;
    const score = scoreOf(record);
    return score === null ? [] : [{ cell: cellOf(record), cluster, least, values: [score], length }];
  });
}

function refusedOf(count: number): Pick<ScoreRow, "refused"> {
  return count === 0 ? {} : { refused: count };
}

/** Tasks whose scores are averaged with equal weight. */
export interface TaskGroup {
  readonly name: string;
  readonly tasks: readonly string[];
  /** Weighs each sample the same, where a suite's tasks are parts of one set. */
  readonly weigh?: "samples";
}

/**
 * Averages the tasks of each group at each length, with equal weight, as in RULER's Tables 3 and 12 to 16. If a task of the
 * group has no score, the group has none, and the row's reason lists the missing tasks.
 *
 * @param rows Rows of single tasks, from {@linkcode summarise}.
 * @returns Groups in the order given, lengths rising; `task` is the group's name. Groups without rows are skipped.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { summarise } from "@/lib/statistics/mod.ts";
 *
 * const asked = { length: 4096, failed: false, noAnswer: false };
 * const rows = summarise([{ task: "cwe", value: 1, ...asked }, { task: "fwe", value: 0.5, ...asked }]);
 * const [mean] = lengthMeans(rows, { groups: [{ name: "aggregation", tasks: ["cwe", "fwe"] }] });
 * equal(mean?.score, 75);
 * ```
 */
export function lengthMeans(
  rows: readonly SummaryRow[],
  options: { readonly groups: readonly TaskGroup[] },
): readonly SummaryRow[] {
  return options.groups.flatMap((group) => {
    const ofGroup = rows.filter((row) => group.tasks.includes(row.task));
    const lengths = [...new Set(ofGroup.map((row) => row.length))].sort((left, right) => left - right);
    return lengths.map((length) => {
      const ofLength = group.tasks.map((task) => ofGroup.find((row) => row.task === task && row.length === length));
      return averageRows(ofLength.filter((row) => row !== undefined), { group, length });
    });
  });
}

function averageRows(
  rows: readonly SummaryRow[],
  { group, length }: { readonly group: TaskGroup; readonly length: number },
): SummaryRow {
  const add = (count: (row: SummaryRow) => number): number => sum(rows, count);
  const row = {
    task: group.name,
    length,
    n: add(({ n }) => n),
    failed: add(({ failed }) => failed),
    noAnswer: add(({ noAnswer }) => noAnswer),
    unscored: add(({ unscored }) => unscored),
    ...refusedOf(add(({ refused = 0 }) => refused)),
  };
  const scored = rows.filter(({ score }) => score !== null);
  const missing = group.tasks.filter((task) => !scored.some((each) => each.task === task));
  if (missing.length > 0) {
    const lacking = `${missing.length} of ${group.tasks.length} tasks have no score at ${lengthText(length)}`;
    return { ...row, ...NO_SCORE, reason: `${lacking}: ${missing.join(", ")}` };
  }
  const samples = scored.flatMap((each) => each[SAMPLES] ?? []);
  if (group.weigh === "samples" && scored.every((each) => each[SAMPLES] !== undefined)) {
    const pooled = samples.map((each) => ({ ...each, cell: group.name }));
    return { ...row, ...scoreWith(meanOfClusters(pooled), row.n, pooled) };
  }
  const others = scored.filter((each) => each[SAMPLES] === undefined).map((each) => ({
    mean: each.score! / 100,
    low: each.low! / 100,
    high: each.high! / 100,
    n: each.n,
    effectiveSize: each.effectiveSize,
  }));
  const share = samples.length === 0 ? 0 : leastMean(samples) * (scored.length - others.length) / scored.length;
  const mean = withinRange(meanOfMeans([...meansOfStrata(samples), ...others]), [share, 1]);
  return { ...row, ...scoreWith(mean, row.n, samples.length > 0 && samples) };
}

/**
 * Returns the weighted mean of the rows of several lengths, in percent. Samples that share a cluster over lengths count once; rows
 * without samples, such as published ones, are taken as independent.
 *
 * @param weights One for each row, above 0.
 * @throws {RangeError} If there is no row, or not one weight for each.
 */
export function meanOfRows(
  rows: readonly (ScoreWithInterval & Pick<SummaryRow, "n" | "units" | typeof SAMPLES>)[],
  weights: readonly number[],
): ScoreWithInterval & Pick<ScoreRow, "units"> {
  const units = sum(rows, ({ n, units = n }) => units);
  if (rows.some((row) => row[SAMPLES] === undefined)) return { units, ...weightedMean(rows, weights) };
  const samples = rows.flatMap((row, at) => {
    const share = weights[at]! / new Set(row[SAMPLES]!.map(({ cell }) => cell)).size;
    return row[SAMPLES]!.map((sample) => ({ ...sample, weight: share }));
  });
  const mean = meanOfClusters(samples);
  return { units: mean.n, ...inPercent(mean) };
}

/** Where numbers come from, `computed` without any model's reply; shown on every figure and table. */
export type Origin = "published" | "computed" | ReplyOrigin;

/** Formats an origin for a sentence, in which "unknown" alone would be unclear. */
export function originText(origin: string): string {
  return origin === "unknown" ? "origin unknown" : origin;
}

/** Returns a suffix such as ` (simulated)` for a name with simulated or unknown numbers, unless the name contains it. */
export function originMark(name: string, origin: Origin | undefined): string {
  if (origin !== "simulated" && origin !== "unknown") return "";
  const mark = originText(origin);
  return name.includes(mark) ? "" : ` (${mark})`;
}

/** The score of one task (or of a mean of tasks) at one length. */
export interface ScoreRow extends Readonly<Record<"low" | "high", number | null>> {
  /** The task's name, or the name of a group of tasks. */
  readonly task: string;
  /** Context length in tokens, answer room included. */
  readonly length: number;
  /** Samples scored. */
  readonly n: number;
  /** Independent units among them: questions or texts that several samples share count once. Absent if each sample is one. */
  readonly units?: number;
  /** The mean score in percent, with its 95% interval; `null` if nothing could be scored. */
  readonly score: number | null;
  /** Calls that failed; they are not in `n`. */
  readonly failed: number;
  /** Failed calls whose prompt was too long for the model; absent if there are none. */
  readonly refused?: number;
  /** Empty replies; they are in `n` with the lowest score of their benchmark. */
  readonly noAnswer: number;
}

/**
 * Summarises the latency of answers by context length, shortest first. Failed calls are skipped, and so are answers without
 * latency, such as those of the simulated reader.
 *
 * @returns Median and 95th percentile in milliseconds of the `n` timed answers of a length; `resent` counts the calls that were
 *   retried, whose latency is that of the last request.
 */
export function replyTimes(
  records: readonly { readonly length: number; readonly reply: Reply }[],
): readonly Readonly<Record<"length" | "n" | "medianMs" | "p95Ms" | "resent", number>>[] {
  const timed = records.filter(({ reply }) => reply.kind === "answer" && reply.latencyMs > 0);
  const byLength = [...Map.groupBy(timed, ({ length }) => length)].sort(([left], [right]) => left - right);
  return byLength.map(([length, ofLength]) => {
    const times = ofLength.map(({ reply }) => reply.latencyMs).sort((left, right) => left - right);
    return {
      length,
      n: times.length,
      medianMs: quantileSorted(times, 0.5),
      p95Ms: quantileSorted(times, 0.95),
      resent: ofLength.filter(({ reply }) => reply.attempts > 1).length,
    };
  });
}
