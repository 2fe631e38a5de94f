import { sampleCorrelation } from "simple-statistics";
import { midranks } from "../comparison/_midranks.ts";
import type { TaskVectors } from "./task_vectors.ts";

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
