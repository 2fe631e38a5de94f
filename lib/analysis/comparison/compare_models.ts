import { adjustPValues, type Correction } from "./adjust_p_values.ts";
import type { TaskGroup } from "../groups.ts";
import { lengthText } from "../length_text.ts";
import { type ComparedRecord, type MatchedSamples, matchSamples } from "./match_samples.ts";
import { type Comparison, type ComparisonOptions, pairedComparison } from "./paired_comparison.ts";
import { unpairedComparison } from "./unpaired_comparison.ts";

/** Options for {@linkcode compareModels}. */
export interface CompareModelsOptions extends ComparisonOptions {
  /**
   * Whether samples are compared pair by pair, or as two groups of other samples.
   *
   * @default {true}
   */
  readonly paired?: boolean;
  /**
   * Which rows there are: single tasks, groups of tasks, or both.
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

/** The comparison of two models on one task, or a mean of tasks, at one length; numbers are `null` where there is none. */
export interface ComparisonRow extends Pick<MatchedSamples, "task" | "length" | "dropped" | "unmatched"> {
  /** Samples compared: pairs, or scores of the first model where they are not paired. */
  readonly n: number;
  /** Scores of the second model that are compared. */
  readonly nSecond: number;
  /** The mean of the first model, in percent. */
  readonly first: number | null;
  /** The mean of the second model, in percent. */
  readonly second: number | null;
  /** The first less the second, in points. */
  readonly difference: number | null;
  /** The low end of the interval of the difference; it is of this row alone, not corrected. */
  readonly low: number | null;
  /** The high end. */
  readonly high: number | null;
  /** The p-value of this row alone. */
  readonly p: number | null;
  /** The p-value corrected for the number of comparisons. */
  readonly adjusted: number | null;
  /** Which model is higher, by the corrected p-value; `null` where no difference is shown. */
  readonly higher: "first" | "second" | null;
  /** Why there is no comparison; `null` where there is one. */
  readonly reason: string | null;
}

/** Two models compared at every task and length. */
export interface ModelsCompared {
  /** A row for each task or group and length. */
  readonly rows: readonly ComparisonRow[];
  /** How many of the rows are comparisons, for which p-values are corrected. */
  readonly comparisons: number;
  /** How that was done, in words for a caption. */
  readonly corrected: string;
}

type Row = Omit<ComparisonRow, "adjusted" | "higher">;

/**
 * Compares two models at every task and length, and corrects for the number of comparisons shown.
 *
 * @param first The scored records of the first model.
 * @param second Those of the second.
 * @param options Which rows, whether paired, how corrected; the level at which a difference counts as shown.
 * @returns The rows: tasks as they came, lengths rising, then groups.
 * @throws {RangeError} If a model has two records of one sample, or an option is outside its range.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const of = (index: number, value: number) =>
 *   ({ task: "vt", length: 4096, failed: false, noAnswer: false, value, record: { index, seed: "42" } });
 * const indices = Array.from({ length: 8 }, (_, index) => index);
 * const { rows, comparisons } = compareModels(indices.map((i) => of(i, 1)), indices.map((i) => of(i, 0)), { rows: "tasks" });
 * deepEqual([comparisons, rows[0]?.difference, rows[0]?.higher], [1, 100, "first"]);
 * ```
 */
export function compareModels(
  first: readonly ComparedRecord[],
  second: readonly ComparedRecord[],
  options: CompareModelsOptions = {},
): ModelsCompared {
  const { paired = true, rows = "both", groups = [], correction = "holm", ...comparing } = options;
  const cells = matchSamples(first, second);
  const compare = (parts: readonly MatchedSamples[]): Comparison =>
    paired
      ? pairedComparison(parts.flatMap(({ task, pairs }) => pairs.map((pair) => ({ task, ...pair }))), comparing)
      : unpairedComparison(parts, comparing);
  const tasks = rows === "groups"
    ? []
    : cells.map((cell) => toRow(cell.task, [cell], { paired, compare, missing: [] }));
  // A group of one task would show that task's comparison twice.
  const shown = groups.filter((group) => rows === "groups" || (rows === "both" && group.tasks.length > 1));
  const means = shown.flatMap((group) => groupRows(group, cells, { paired, compare }));
  const found = [...tasks, ...means];
  const adjusted = adjustPValues(found.map(({ p }) => p), correction);
  const limit = 1 - (options.level ?? 0.95);
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
      const isShown = p !== null && p <= limit && row.difference !== 0;
      return { ...row, adjusted: p, higher: isShown ? (row.difference! > 0 ? "first" : "second") : null };
    }),
  };
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
  return `no sample has a score of both models: ${dropped} were dropped for failed calls, ${unmatched} asked of one alone`;
}
