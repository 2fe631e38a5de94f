import { midranks, sampleCorrelation } from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/**
 * Which correlation:
 * - *pearson*: of the scores themselves, as RULER's appendix C seems to take it (it says "correlation coefficient")
 * - *spearman*: of their ranks, equal scores sharing the mean of theirs
 */
export type CorrelationMethod = "pearson" | "spearman";

/** Options for {@linkcode correlationMatrix}. */
export interface CorrelationOptions {
  /**
   * Which correlation.
   *
   * @default {"pearson"}
   */
  readonly method?: CorrelationMethod;
}

/** How alike tasks are, pair by pair. */
export interface CorrelationMatrix {
  /** The tasks, in the order of rows and columns. */
  readonly tasks: readonly string[];
  /** Which correlation it is. */
  readonly method: CorrelationMethod;
  /** In [-1, 1]; `null` where a pair has no correlation, on the diagonal where a task has none with any. */
  readonly matrix: readonly (readonly (number | null)[])[];
  /** How many models at lengths both tasks have scores of. */
  readonly shared: readonly (readonly number[])[];
}

/** The fewest columns that a correlation is taken of: two points always lie on a line. */
const LEAST_SHARED = 3;

/**
 * Correlates task vectors, each pair over the columns that both have (pairwise deletion).
 *
 * There is no correlation where fewer than three columns are shared, or where one of the two scores is the same in all of
 * them; the matrix then holds `null`.
 *
 * @param vectors The tasks' vectors.
 * @param options Which correlation.
 * @returns The correlations and how many columns each rests on.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const columns = [1, 2, 4].map((length) => ({ model: "a", length }));
 * const vectors = { tasks: ["up", "down", "flat"], columns, values: [[1, 2, 3], [5, 3, 1], [7, 7, 7]] };
 * deepEqual(correlationMatrix(vectors).matrix, [[1, -1, null], [-1, 1, null], [null, null, null]]);
 * ```
 */
export function correlationMatrix(vectors: TaskVectors, options: CorrelationOptions = {}): CorrelationMatrix {
  const { method = "pearson" } = options;
  const { tasks, values } = vectors;
  // A pair is correlated once, for its two cells: the other way round the last digit could differ.
  const halves = values.map((first, at) => values.slice(at).map((second) => correlate(first, second, method)));
  const pairs = values.map((_, at) => values.map((_, other) => halves[Math.min(at, other)]![Math.abs(at - other)]!));
  return {
    tasks,
    method,
    matrix: pairs.map((row) => row.map(({ correlation }) => correlation)),
    shared: pairs.map((row) => row.map(({ shared }) => shared)),
  };
}

function correlate(
  first: readonly (number | null)[],
  second: readonly (number | null)[],
  method: CorrelationMethod,
): { readonly correlation: number | null; readonly shared: number } {
  const both = first.flatMap((value, at): [number, number][] => {
    const other = second[at] ?? null;
    return value === null || other === null ? [] : [[value, other]];
  });
  const [left, right] = [both.map(([value]) => value), both.map(([, value]) => value)];
  if (both.length < LEAST_SHARED || isConstant(left) || isConstant(right)) {
    return { correlation: null, shared: both.length };
  }
  const [x, y] = method === "spearman" ? [midranks(left), midranks(right)] : [left, right];
  // Rounding alone can carry it past 1, or keep a vector's own from it.
  const found = first === second ? 1 : Math.max(-1, Math.min(1, sampleCorrelation([...x], [...y])));
  return { correlation: Number.isFinite(found) ? found : null, shared: both.length };
}

function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}

/** What one model scores on one task at one length. */
export interface ModelScore {
  /** The model's name. */
  readonly model: string;
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The score in any unit, the same for all; `null` where there is none. */
  readonly score: number | null;
}

/** A model at a length: one component of every task's vector. */
export interface VectorColumn {
  /** The model's name. */
  readonly model: string;
  /** Context length in tokens. */
  readonly length: number;
}

/** Tasks as vectors: how each fares over models and lengths. */
export interface TaskVectors {
  /** The tasks, in order of first appearance. */
  readonly tasks: readonly string[];
  /** The models at their lengths: models in order of first appearance, lengths rising. */
  readonly columns: readonly VectorColumn[];
  /** A row a task, a value a column; `null` where there is no score. */
  readonly values: readonly (readonly (number | null)[])[];
}

/**
 * Lays scores out as one vector a task, over all models and lengths (RULER, appendix C).
 *
 * @param scores At most one score for each model, task and length, in any order.
 * @returns The vectors. A cell that was not asked or has no score is `null`, never 0.
 * @throws {RangeError} If there are no scores, all are `null`, or one cell has two.
 *
 * @example A model that was not asked one of the tasks
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const { values } = taskVectors([
 *   { model: "a", task: "vt", length: 4096, score: 90 },
 *   { model: "b", task: "vt", length: 4096, score: 70 },
 *   { model: "a", task: "cwe", length: 4096, score: 60 },
 * ]);
 * deepEqual(values, [[90, 70], [60, null]]);
 * ```
 */
export function taskVectors(scores: readonly ModelScore[]): TaskVectors {
  const known = new Map<string, number | null>();
  for (const { task, score, ...column } of scores) {
    const cell = keyOf(task, column);
    if (known.has(cell)) {
      throw new RangeError(
        `Cannot make task vectors as a task must have one score for each model and length: current value is two for "${task}" of ${column.model} at ${
          lengthText(column.length)
        }`,
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

/** One sample's score, on which model, task and length it was. */
export interface SampleScore {
  /** The model's name. */
  readonly model: string;
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The number of the sample in its task and length. */
  readonly index: number;
  /** The score in [0, 1]; `null` where there is none, as of a failed call. */
  readonly value: number | null;
}

/** Averages samples for each model, task and length. */
export function meanScores(samples: readonly SampleScore[]): readonly ModelScore[] {
  const cells = Map.groupBy(samples, ({ model, task, length }) => JSON.stringify([model, task, length]));
  return [...cells.values()].map((ofCell): ModelScore => {
    const { model, task, length } = ofCell[0]!;
    const values = ofCell.map(({ value }) => value).filter((value) => value !== null);
    const score = values.length === 0 ? null : 100 * values.reduce((sum, value) => sum + value, 0) / values.length;
    return { model, task, length, score };
  });
}

/** A task that was left out of a correlation study. */
export interface LeftOutTask {
  /** The task's name. */
  readonly task: string;
  /** Why it could not stay. */
  readonly reason: string;
}

/** Correlations without a gap, and what was left out to have them so. */
export interface CorrelatedTasks {
  /** The tasks that stay, in the order of rows and columns. */
  readonly tasks: readonly string[];
  /** The correlation of each pair, in [-1, 1]. */
  readonly matrix: readonly (readonly number[])[];
  /** The tasks that were left out, in the order they were. */
  readonly leftOut: readonly LeftOutTask[];
}

/**
 * Leaves out tasks until every pair has a correlation: each time the one with the most gaps, of several the last.
 *
 * @param correlations The matrix, gaps included.
 * @returns The matrix without gaps, and the tasks left out.
 * @throws {RangeError} If fewer than two tasks are left; the message says why the others are not.
 *
 * @example A task that always scores the same correlates with none
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { correlationMatrix } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const columns = [1, 2, 4].map((length) => ({ model: "a", length }));
 * const vectors = { tasks: ["up", "flat", "down"], columns, values: [[1, 2, 3], [7, 7, 7], [5, 3, 1]] };
 * deepEqual(correlatedTasks(correlationMatrix(vectors)).tasks, ["up", "down"]);
 * ```
 */
export function correlatedTasks(correlations: CorrelationMatrix): CorrelatedTasks {
  const { tasks, matrix } = correlations;
  const leftOut: LeftOutTask[] = [];
  let kept = tasks.map((_, at) => at);
  const gapsOf = (row: number): number => kept.filter((column) => matrix[row]![column] === null).length;
  for (;;) {
    const worst = kept.reduce((most, row) => gapsOf(row) >= gapsOf(most) ? row : most, kept[0] ?? 0);
    if (kept.length === 0 || gapsOf(worst) === 0) break;
    leftOut.push({ task: tasks[worst]!, reason: reasonOf(correlations, worst) });
    kept = kept.filter((row) => row !== worst);
  }
  if (kept.length < 2) {
    const why = leftOut.map(({ task, reason }) => `${task} (${reason})`).join(", ");
    throw new RangeError(
      `Cannot compare tasks as at least 2 must have a correlation: current value is ${kept.length}${
        why === "" ? "" : `; left out: ${why}`
      }`,
    );
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
  return own < 3 ? `${own} scores` : `the same score in all ${own} places`;
}
