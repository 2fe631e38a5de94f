import { type ClusteredSample, foldUnits, independent, joinCells } from "./clusters.ts";
import { differenceInterval, type ScoreWithInterval } from "./intervals.ts";
import { inPercent, meanInterval, meanOfMeans } from "./mean_interval.ts";
import {
  adjustPValues,
  type Correction,
  type PermutationOptions,
  permutationTest,
  type ScoreGroups,
} from "./permutation_tests.ts";
import { meanOfRepeats, type ScoredRecord, scoreOf } from "./repeats.ts";
import { type Comparison, pairedComparison, type ScorePair } from "./score_pairs.ts";
import type { TaskGroup } from "./summarise.ts";
import type { RunRecord } from "@/lib/models/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** Options for {@linkcode compareModels}. */
export interface CompareModelsOptions extends PermutationOptions {
  /**
   * Whether samples are compared pair by pair, or as two independent groups.
   *
   * @default {true}
   */
  readonly paired?: boolean;
  /**
   * Single tasks, groups of tasks, or both.
   *
   * @default {"both"}
   */
  readonly rows?: "tasks" | "groups" | "both";
  /**
   * Which tasks are averaged, and under what names.
   *
   * @default {[]}
   */
  readonly groups?: readonly TaskGroup[];
  /**
   * How p-values are corrected for the number of rows that have one.
   *
   * @default {"holm"}
   */
  readonly correction?: Correction;
}

/** Two models compared on one task, or a mean of tasks, at one length; a number is `null` where there is none. */
export interface ComparisonRow {
  /** The task's name, or the group's. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** Samples both were asked, but a call failed or there was nothing to score. */
  readonly dropped: number;
  /** Samples only one of them was asked. */
  readonly unmatched: number;
  /** Samples compared: pairs, or scores of the first model if not paired. */
  readonly n: number;
  /** Scores of the second model. */
  readonly nSecond: number;
  /** The mean of the first model, in percent. */
  readonly first: number | null;
  /** The mean of the second model. */
  readonly second: number | null;
  /** First minus second, in points. */
  readonly difference: number | null;
  /** The low end of its 95% interval, not corrected for the number of comparisons. */
  readonly low: number | null;
  /** The high end. */
  readonly high: number | null;
  /** The p-value of this row alone. */
  readonly p: number | null;
  /** The p-value corrected for the number of comparisons. */
  readonly adjusted: number | null;
  /** Which model is higher, if the corrected p-value is at most 5% and the interval excludes 0. */
  readonly higher: "first" | "second" | null;
  /** Why there is no comparison. */
  readonly reason: string | null;
}

/** Two models compared at every task and length. */
export interface ModelsCompared {
  /** A row for each task or group and length. */
  readonly rows: readonly ComparisonRow[];
  /** Rows with a p-value, for which p-values are corrected. */
  readonly comparisons: number;
  /** How they were corrected, in words for a caption. */
  readonly corrected: string;
}

type Row = Omit<ComparisonRow, "adjusted" | "higher">;

/**
 * Compares two models at every task and length, and corrects for the number of comparisons shown.
 *
 * @returns The rows: tasks as they came, lengths rising, then groups.
 * @throws {RangeError} If a model has two records of one sample, or an option is outside its range.
 */
export function compareModels(
  first: readonly ComparedRecord[],
  second: readonly ComparedRecord[],
  options: CompareModelsOptions = {},
): ModelsCompared {
  const { paired = true, rows = "both", groups = [], correction = "holm", ...permutations } = options;
  const cells = matchSamples(first, second);
  const compare = (parts: readonly MatchedSamples[]): Comparison =>
    paired
      ? pairedComparison(parts.map(({ pairs }) => pairs), permutations)
      : unpairedComparison(foldGroups(parts), permutations);
  const tasks = rows === "groups"
    ? []
    : cells.map((cell) => toRow(cell.task, [cell], { paired, compare, missing: [] }));
  // A group of one task would show that task's comparison twice.
  const shown = groups.filter((group) => rows === "groups" || (rows === "both" && group.tasks.length > 1));
  const means = shown.flatMap((group) => groupRows(group, cells, { paired, compare }));
  const found = [...tasks, ...means];
  const adjusted = adjustPValues(found.map(({ p }) => p), correction);
  const comparisons = found.filter(({ p }) => p !== null).length;
  return {
    comparisons,
    corrected: correction === "none"
      ? "p-values are not corrected"
      : `p-values corrected for ${comparisons} comparisons (${
        correction === "holm" ? "Holm" : "Benjamini and Hochberg"
      })`,
    rows: found.map((row, place) => {
      const p = adjusted[place]!;
      const sign = shownSign({ ...row, adjusted: p });
      return { ...row, adjusted: p, higher: sign === 0 ? null : sign > 0 ? "first" : "second" };
    }),
  };
}

/** A difference with its interval and corrected p-value; `null` where there is none. */
interface JudgedDifference extends Pick<ComparisonRow, "difference" | "low" | "high" | "adjusted"> {}

/**
 * The sign of a difference that is shown; 0 if none is. The corrected p-value must be at most 5% and the interval exclude 0: a
 * sign-flip test alone rejects asymmetric differences of mean 0 too.
 */
export function shownSign({ difference, low, high, adjusted }: JudgedDifference): number {
  if (difference === null || low === null || high === null || adjusted === null || adjusted > SIGNIFICANT) return 0;
  return low > 0 || high < 0 ? Math.sign(difference) : 0;
}

interface RowOptions {
  readonly paired: boolean;
  readonly compare: (parts: readonly MatchedSamples[]) => Comparison;
}

function groupRows(group: TaskGroup, cells: readonly MatchedSamples[], options: RowOptions): readonly Row[] {
  const ofGroup = cells.filter(({ task }) => group.tasks.includes(task));
  const lengths = [...new Set(ofGroup.map(({ length }) => length))].sort((left, right) => left - right);
  return lengths.map((length) => {
    const parts = ofGroup.filter((cell) => cell.length === length);
    const missing = group.tasks.filter((task) =>
      !parts.some((part) => part.task === task && isComparable(part, options))
    );
    return toRow(group.name, parts, { ...options, missing });
  });
}

function isComparable({ pairs, first, second }: MatchedSamples, { paired }: Pick<RowOptions, "paired">): boolean {
  return paired ? pairs.length > 0 : first.length > 0 && second.length > 0;
}

function toRow(
  task: string,
  parts: readonly MatchedSamples[],
  options: RowOptions & { readonly missing: readonly string[] },
): Row {
  const { paired, compare, missing } = options;
  const add = (count: (part: MatchedSamples) => number): number => parts.reduce((sum, part) => sum + count(part), 0);
  const row = {
    task,
    length: parts[0]!.length,
    n: add(({ pairs, first }) => paired ? pairs.length : first.length),
    nSecond: add(({ pairs, second }) => paired ? pairs.length : second.length),
    dropped: add(({ dropped }) => dropped),
    unmatched: add(({ unmatched }) => unmatched),
  };
  if (missing.length === 0 && parts.every((part) => isComparable(part, options))) {
    const { first, second, difference, low, high, p } = compare(parts);
    return { ...row, first, second, difference, low, high, p, reason: null };
  }
  const reason = missing.length > 0
    ? `${missing.length} of the tasks cannot be compared at ${lengthText(row.length)}: ${missing.join(", ")}`
    : noneText(parts[0]!, paired);
  return { ...row, ...NOTHING, reason };
}

const NOTHING = { first: null, second: null, difference: null, low: null, high: null, p: null } as const;

function noneText({ first, second, dropped, unmatched }: MatchedSamples, paired: boolean): string {
  if (!paired) return `no scores to compare: ${first.length} of the first model, ${second.length} of the second`;
  return `no sample has a score from both models: ${dropped} dropped for failed calls, ${unmatched} asked of only one`;
}

/** A scored record with what identifies its sample. */
export interface ComparedRecord extends ScoredRecord {
  /** Samples of other seeds are other samples. */
  readonly record: Pick<RunRecord, "index" | "seed" | "repeat">;
}

/** Scores of two models on one task at one length, matched by sample. */
interface MatchedSamples extends Pick<ComparisonRow, "task" | "length" | "dropped" | "unmatched"> {
  /** Samples that both models have a score for, by index. */
  readonly pairs: readonly ScorePair[];
  /** All scores of the first model, matched or not. */
  readonly first: readonly CellScore[];
  /** All scores of the second model. */
  readonly second: readonly CellScore[];
}

interface CellScore extends Pick<ScoredRecord, "cluster"> {
  readonly value: number;
}

/** Averages the samples of each cluster, so that the groups are of independent units. */
function foldGroups(parts: readonly MatchedSamples[]): readonly ScoreGroups[] {
  const samplesOf = (group: "first" | "second"): ClusteredSample[] =>
    parts.flatMap((part, at) =>
      part[group].map(({ cluster, value }) => ({ cell: String(at), cluster, values: [value] }))
    );
  const [first, second] = [samplesOf("first"), samplesOf("second")];
  const scores = (cells: ReadonlySet<string>, samples: readonly ClusteredSample[]): number[] =>
    foldUnits(cells, samples).map(({ values }) => values[0]!);
  return joinCells([...first, ...second]).map((cells) => ({
    weight: cells.size,
    first: scores(cells, first),
    second: scores(cells, second),
  }));
}

/**
 * Matches the scores of two models by task, length and sample. A pair with a failed call is dropped.
 */
function matchSamples(
  first: readonly ComparedRecord[],
  second: readonly ComparedRecord[],
): readonly MatchedSamples[] {
  const tasks = new Set([...first, ...second].map(({ task }) => task));
  const cells = Map.groupBy([...first, ...second], ({ task, length }) => cellName(task, length));
  const [left, right] = [index(first), index(second)];
  return [...tasks].flatMap((task) => {
    const ofTask = [...cells.values()].filter(([record]) => record!.task === task).map(([record]) => record!.length);
    return ofTask.sort((one, other) => one - other).map((length) => {
      const name = cellName(task, length);
      return { task, length, ...matchCell(left.get(name) ?? new Map(), right.get(name) ?? new Map()) };
    });
  });
}

interface CellEntry extends Pick<ScoredRecord, "cluster"> {
  readonly index: number;
  readonly value: number | null;
}

type Cell = ReadonlyMap<string, CellEntry>;

function matchCell(first: Cell, second: Cell): Omit<MatchedSamples, "task" | "length"> {
  const common = [...first].filter(([name]) => second.has(name)).sort(([, left], [, right]) =>
    left.index - right.index
  );
  const pairs = common.flatMap(([name, { value, cluster }]) => {
    const other = second.get(name)!.value;
    return value === null || other === null ? [] : [{ cluster, first: value, second: other }];
  });
  const scores = (cell: Cell): CellScore[] =>
    [...cell.values()].flatMap(({ value, cluster }) => value === null ? [] : [{ cluster, value }]);
  return {
    pairs,
    first: scores(first),
    second: scores(second),
    dropped: common.length - pairs.length,
    unmatched: first.size + second.size - 2 * common.length,
  };
}

/** The values of each task and length by the sample's name. */
function index(records: readonly ComparedRecord[]): ReadonlyMap<string, Cell> {
  const cells = new Map<string, Map<string, CellEntry>>();
  for (const scored of meanOfRepeats(records)) {
    const { task, length, record } = scored;
    const cell = cells.get(cellName(task, length)) ?? new Map();
    cells.set(cellName(task, length), cell);
    const name = `${record.index} ${record.seed}`;
    if (cell.has(name)) {
      throw new RangeError(
        `Cannot match samples as each must occur once per model: current value is ${task}, ${length} tokens, number ${record.index} twice`,
      );
    }
    cell.set(name, { index: record.index, value: scoreOf(scored), cluster: scored.cluster });
  }
  return cells;
}

function cellName(task: string, length: number): string {
  return `${length} ${task}`;
}

/** The largest p-value that counts as a difference. */
export const SIGNIFICANT = 1 - 0.95;

function compareMeans(cells: readonly ScoreGroups[]): Omit<Comparison, "p" | "units"> {
  const [first, second] = (["first", "second"] as const).map((group) =>
    inPercent(
      meanOfMeans(cells.map((cell) => ({ cells: cell.weight ?? 1, ...meanInterval(independent(cell[group])) }))),
    )
  ) as [ScoreWithInterval, ScoreWithInterval];
  const { score, low, high } = differenceInterval(first, second);
  return { first: first.score, second: second.score, difference: score, low, high };
}

/**
 * Compares two models on different samples, possibly of different number. The p-value is that of {@linkcode permutationTest},
 * the interval that of {@linkcode differenceInterval}. On the same samples a paired comparison is more powerful.
 */
export function unpairedComparison(tasks: readonly ScoreGroups[], options: PermutationOptions = {}): Comparison {
  const { p } = permutationTest(tasks, options);
  return { ...compareMeans(tasks), p, units: tasks.reduce((sum, task) => sum + task.first.length, 0) };
}
