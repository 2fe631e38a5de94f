import { plural } from "@/lib/base/mod.ts";
import { simpleStatistics } from "@/lib/statistics/mod.ts";

/** A task and its scores over models and lengths, in the same order for all tasks; `null` where there is none. */
export interface TaskVector {
  readonly task: string;
  readonly scores: readonly (number | null)[];
}

/** Correlations without gaps. */
export interface CorrelatedTasks {
  /** The tasks that remain, in the order of rows and columns. */
  readonly tasks: readonly string[];
  /** The correlation of each pair (Pearson's r), in [-1, 1]. */
  readonly matrix: readonly (readonly number[])[];
  /** The tasks that were dropped, in the order of dropping. */
  readonly leftOut: readonly { readonly task: string; readonly reason: string }[];
}

/** Two points always lie on a line. */
const MIN_SHARED = 3;

/**
 * Correlates tasks (RULER, appendix C), each pair over the scores that both have. A pair has no correlation if it shares fewer than
 * three, or if one task has the same score in all of them.
 *
 * Tasks are dropped until every pair has a correlation: each time the one with the most gaps, the last if there are several. If no two
 * tasks have a correlation, none remains.
 */
export function correlateTasks(vectors: readonly TaskVector[]): CorrelatedTasks {
  // A pair is correlated once, for its two cells: the other way around the last digit could differ.
  const halves = vectors.map(({ scores }, at) => vectors.slice(at).map((other) => correlate(scores, other.scores)));
  const at = (row: number, column: number): number | null => halves[Math.min(row, column)]![Math.abs(row - column)]!;
  const leftOut: CorrelatedTasks["leftOut"][number][] = [];
  let kept = vectors.map((_, row) => row);
  const gapsOf = (row: number): number => kept.filter((column) => at(row, column) === null).length;
  while (kept.some((row) => gapsOf(row) > 0)) {
    const worst = kept.reduce((most, row) => gapsOf(row) >= gapsOf(most) ? row : most);
    leftOut.push({ task: vectors[worst]!.task, reason: reasonOf(vectors[worst]!, at(worst, worst) !== null) });
    kept = kept.filter((row) => row !== worst);
  }
  if (kept.length === 1) leftOut.push({ task: vectors[kept[0]!]!.task, reason: "no other task has a correlation" });
  if (kept.length === 1) kept = [];
  return {
    tasks: kept.map((row) => vectors[row]!.task),
    matrix: kept.map((row) => kept.map((column) => at(row, column)!)),
    leftOut,
  };
}

function correlate(first: readonly (number | null)[], second: readonly (number | null)[]): number | null {
  const both = first.flatMap((value, at): [number, number][] => {
    const other = second[at] ?? null;
    return value === null || other === null ? [] : [[value, other]];
  });
  const [left, right] = [both.map(([value]) => value), both.map(([, value]) => value)];
  if (both.length < MIN_SHARED || [left, right].some((values) => new Set(values).size === 1)) return null;
  // Rounding alone can push r past 1, or a vector's own just below it.
  const found = first === second ? 1 : Math.max(-1, Math.min(1, simpleStatistics.sampleCorrelation(left, right)));
  return Number.isFinite(found) ? found : null;
}

function reasonOf({ scores }: TaskVector, variesAlone: boolean): string {
  const own = scores.filter((score) => score !== null).length;
  if (variesAlone) return "too few or equal scores where others have theirs";
  return own < MIN_SHARED ? `${own} ${plural(own, "score")}` : `all ${own} scores are equal`;
}
