import { lengthText, plural } from "@/lib/base/mod.ts";
import { simpleStatistics } from "@/lib/statistics/mod.ts";

/** A model at a length: one component of every task's vector. */
export interface VectorColumn {
  readonly model: string;
  /** Context length in tokens. */
  readonly length: number;
}

/** The score of one model on one task at one length. */
export interface ModelScore extends VectorColumn {
  readonly task: string;
  /** In any unit, the same for all; `null` if there is none. */
  readonly score: number | null;
}

/** Tasks as vectors of their scores over models and lengths. */
export interface TaskVectors {
  /** The tasks, in order of first appearance. */
  readonly tasks: readonly string[];
  /** Models in order of first appearance, lengths rising. */
  readonly columns: readonly VectorColumn[];
  /** A row per task, a value per column; `null` if there is no score. */
  readonly values: readonly (readonly (number | null)[])[];
}

/**
 * Arranges scores as one vector per task, over all models and lengths (RULER, appendix C). A missing score is `null`, never 0.
 *
 * @param scores At most one for each model, task and length.
 * @throws {RangeError} If there are no scores, all are `null`, or one cell has two.
 */
export function taskVectors(scores: readonly ModelScore[]): TaskVectors {
  const known = new Map<string, number | null>();
  for (const { task, score, ...column } of scores) {
    const cell = keyOf(task, column);
    if (known.has(cell)) {
      const place = `"${task}" of ${column.model} at ${lengthText(column.length)}`;
      throw new RangeError(
        `Cannot make task vectors as a task must have one score for each model and length: current value is two for ${place}`,
      );
    }
    known.set(cell, score);
  }
  if (scores.every(({ score }) => score === null)) {
    throw new RangeError(
      `Cannot make task vectors as there must be at least one score: current value is 0 of ${scores.length}`,
    );
  }
  const tasks = [...new Set(scores.map(({ task }) => task))];
  const columns = [...Map.groupBy(scores, ({ model }) => model)].flatMap(([model, ofModel]) =>
    [...new Set(ofModel.map(({ length }) => length))]
      .sort((left, right) => left - right).map((length) => ({ model, length }))
  );
  const values = tasks.map((task) => columns.map((column) => known.get(keyOf(task, column)) ?? null));
  return { tasks, columns, values };
}

function keyOf(task: string, { model, length }: VectorColumn): string {
  return JSON.stringify([task, model, length]);
}

/** The correlation of each pair of tasks. */
export interface CorrelationMatrix {
  /** The tasks, in the order of rows and columns. */
  readonly tasks: readonly string[];
  /** Pearson's r, in [-1, 1]; `null` for a pair without one, and on the diagonal of a task that has none with any. */
  readonly matrix: readonly (readonly (number | null)[])[];
  /** The number of columns in which both tasks have a score. */
  readonly shared: readonly (readonly number[])[];
}

/** Two points always lie on a line. */
const MIN_SHARED = 3;

/**
 * Correlates task vectors (Pearson), each pair over the columns that both have. A pair has no correlation if it shares fewer than three
 * columns, or if one task has the same score in all of them.
 */
export function correlationMatrix({ tasks, values }: TaskVectors): CorrelationMatrix {
  // A pair is correlated once, for its two cells: the other way around the last digit could differ.
  const halves = values.map((first, at) => values.slice(at).map((second) => correlate(first, second)));
  const pairs = values.map((_, at) => values.map((_, other) => halves[Math.min(at, other)]![Math.abs(at - other)]!));
  return {
    tasks,
    matrix: pairs.map((row) => row.map(({ correlation }) => correlation)),
    shared: pairs.map((row) => row.map(({ shared }) => shared)),
  };
}

function correlate(
  first: readonly (number | null)[],
  second: readonly (number | null)[],
): { readonly correlation: number | null; readonly shared: number } {
  const both = first.flatMap((value, at): [number, number][] => {
    const other = second[at] ?? null;
    return value === null || other === null ? [] : [[value, other]];
  });
  const [left, right] = [both.map(([value]) => value), both.map(([, value]) => value)];
  if (both.length < MIN_SHARED || [left, right].some((values) => new Set(values).size === 1)) {
    return { correlation: null, shared: both.length };
  }
  // Rounding alone can push r past 1, or a vector's own just below it.
  const found = first === second ? 1 : Math.max(-1, Math.min(1, simpleStatistics.sampleCorrelation(left, right)));
  return { correlation: Number.isFinite(found) ? found : null, shared: both.length };
}

/** Correlations without gaps. */
export interface CorrelatedTasks {
  /** The tasks that remain, in the order of rows and columns. */
  readonly tasks: readonly string[];
  /** The correlation of each pair, in [-1, 1]. */
  readonly matrix: readonly (readonly number[])[];
  /** The tasks that were dropped, in the order of dropping. */
  readonly leftOut: readonly { readonly task: string; readonly reason: string }[];
}

/**
 * Drops tasks until every pair has a correlation: each time the one with the most gaps, the last if there are several. If no two tasks have a
 * correlation, none remains.
 */
export function correlatedTasks(correlations: CorrelationMatrix): CorrelatedTasks {
  const { tasks, matrix } = correlations;
  const leftOut: CorrelatedTasks["leftOut"][number][] = [];
  let kept = tasks.map((_, at) => at);
  const gapsOf = (row: number): number => kept.filter((column) => matrix[row]![column] === null).length;
  for (;;) {
    const worst = kept.reduce((most, row) => gapsOf(row) >= gapsOf(most) ? row : most, kept[0] ?? 0);
    if (kept.length === 0 || gapsOf(worst) === 0) break;
    leftOut.push({ task: tasks[worst]!, reason: reasonOf(correlations, worst) });
    kept = kept.filter((row) => row !== worst);
  }
  if (kept.length === 1) {
    leftOut.push({ task: tasks[kept[0]!]!, reason: "no other task has one" });
    kept = [];
  }
  return {
    tasks: kept.map((row) => tasks[row]!),
    matrix: kept.map((row) => kept.map((column) => matrix[row]![column]!)),
    leftOut,
  };
}

function reasonOf({ matrix, shared }: CorrelationMatrix, row: number): string {
  const own = shared[row]![row]!;
  if (matrix[row]![row] !== null) return "too few or equal scores where others have theirs";
  return own < MIN_SHARED ? `${own} ${plural(own, "score")}` : `the same score in all ${own} places`;
}
