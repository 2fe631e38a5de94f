import { adjustPValues } from "../comparison/adjust_p_values.ts";
import type { ComparisonOptions } from "../comparison/paired_comparison.ts";
import type { ScoreGroups } from "../comparison/permutation_test.ts";
import { unpairedComparison } from "../comparison/unpaired_comparison.ts";
import { type DeepRecord, stretchOf } from "./depth_rows.ts";

/** The thirds of a context, from its beginning. */
export const THIRDS = ["first", "middle", "last"] as const;

/** A third of a context. */
export type Third = typeof THIRDS[number];

/** Two thirds of the context compared. */
export interface ThirdsRow {
  /** The third from which is subtracted. */
  readonly left: Third;
  /** The third that is subtracted. */
  readonly right: Third;
  /** Tasks and lengths that have scores in both; each weighs the same. */
  readonly cells: number;
  /** Scores of the left third in those. */
  readonly nLeft: number;
  /** Scores of the right third. */
  readonly nRight: number;
  /** The mean of the left third over those tasks and lengths, in percent; `null` where there are none. */
  readonly leftScore: number | null;
  /** The mean of the right third, in percent. */
  readonly rightScore: number | null;
  /** Left less right, in points. */
  readonly difference: number | null;
  /** The low end of the interval of the difference; it is of this row alone, not corrected. */
  readonly low: number | null;
  /** The high end. */
  readonly high: number | null;
  /** The p-value of this row alone. */
  readonly p: number | null;
  /** The p-value corrected for the three comparisons (Holm). */
  readonly adjusted: number | null;
  /** Which third is higher, by the corrected p-value; `null` where no difference is shown. */
  readonly higher: Third | null;
}

/** The thirds of a context compared. */
export interface ThirdsCompared {
  /** First and middle, middle and last, first and last. */
  readonly rows: readonly ThirdsRow[];
  /** The third whose facts are lost: shown to be lower than both of the others; `null` where none is. */
  readonly lost: Third | null;
  /** What was found, as a sentence without its full stop. */
  readonly finding: string;
}

const PAIRS: readonly (readonly [Third, Third])[] = [["first", "middle"], ["middle", "last"], ["first", "last"]];

/**
 * Tests whether the score depends on where the target stands: in the first, the middle or the last third of the context.
 *
 * Thirds are compared two by two as two groups of samples, task by task and length by length, so that a hard task or a long
 * context weighs on both sides alike; each task and length weighs the same. The p-values are those of a studentised permutation
 * test that divides the scores of each task and length anew (`permutationTest`), corrected for three comparisons (Holm 1979); the
 * intervals are put together from those of the means (`differenceInterval`). There are 9,999 permutations unless `draws` says
 * otherwise, and fewer (at least 999) where there are more than 2,000 replies. A third counts as lost only where it is lower than
 * each of the others, as "lost in the middle" says (Liu et al. 2023, arXiv 2307.03172): that the middle is lower than the mean
 * of both ends would be true as well of a score that merely falls early.
 *
 * @param replies Replies with the places of their targets, from `placeReplies`; failed calls are passed over, empty replies
 * score 0.
 * @param options The level of the intervals, at which a difference also counts as shown; how many permutations to draw.
 * @returns The three comparisons and what they show.
 * @throws {RangeError} If a depth or a score is outside [0, 1].
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const of = (depth: number, value: number) => ({ task: "niah", length: 4096, depth, value, failed: false, noAnswer: false });
 * const replies = Array.from({ length: 30 }, (_, at) => of(at / 30, at < 10 || at >= 20 ? 1 : 0));
 * const { lost, rows } = compareThirds(replies);
 * equal(lost, "middle");
 * equal(rows[0]?.difference, 100);
 * ```
 */
export function compareThirds(replies: readonly DeepRecord[], options: ComparisonOptions = {}): ThirdsCompared {
  const cells = groupScores(replies);
  const drawn = { draws: usualDraws(replies.length), ...options };
  const rows = PAIRS.map(([left, right]) => comparePair(cells, { left, right, options: drawn }));
  const adjusted = adjustPValues(rows.map(({ p }) => p), "holm");
  const limit = 1 - (options.level ?? 0.95);
  const compared = rows.map((row, at): ThirdsRow => {
    const p = adjusted[at]!;
    const isShown = p !== null && p <= limit && row.difference !== 0;
    return { ...row, adjusted: p, higher: isShown ? (row.difference! > 0 ? row.left : row.right) : null };
  });
  const lost = THIRDS.find((third) => lowerThan(compared, third).length === 2) ?? null;
  return { rows: compared, lost, finding: findingOf(compared, lost) };
}

/** Permutations that a notebook can wait for: 9,999 of up to 2,000 scores, and no fewer than 999 of ever so many. */
function usualDraws(scores: number): number {
  return Math.max(999, Math.min(9999, Math.floor(20_000_000 / Math.max(1, scores))));
}

type Cell = Readonly<Record<Third, readonly number[]>>;

/** The scores of each task and length by third. */
function groupScores(replies: readonly DeepRecord[]): readonly Cell[] {
  const cells = new Map<string, Record<Third, number[]>>();
  for (const { task, length, depth, value, failed, noAnswer } of replies) {
    const third = THIRDS[stretchOf(depth, THIRDS.length)]!;
    if (failed || (value === null && !noAnswer)) continue;
    const key = `${length} ${task}`;
    const cell = cells.get(key) ?? { first: [], middle: [], last: [] };
    cells.set(key, cell);
    cell[third].push(noAnswer ? 0 : value!);
  }
  return [...cells.values()];
}

function comparePair(
  cells: readonly Cell[],
  { left, right, options }: { readonly left: Third; readonly right: Third; readonly options: ComparisonOptions },
): Omit<ThirdsRow, "adjusted" | "higher"> {
  const groups = cells.map((cell): ScoreGroups => ({ first: cell[left], second: cell[right] }))
    .filter(({ first, second }) => first.length > 0 && second.length > 0);
  const add = (side: keyof ScoreGroups): number => groups.reduce((sum, group) => sum + group[side].length, 0);
  const counts = { left, right, cells: groups.length, nLeft: add("first"), nRight: add("second") };
  if (groups.length === 0) {
    return { ...counts, leftScore: null, rightScore: null, difference: null, low: null, high: null, p: null };
  }
  const { first, second, difference, low, high, p } = unpairedComparison(groups, options);
  return { ...counts, leftScore: first, rightScore: second, difference, low, high, p };
}

/** The thirds that a third is shown to be lower than. */
function lowerThan(rows: readonly ThirdsRow[], third: Third): readonly Third[] {
  return rows.flatMap(({ left, right, higher }) =>
    (left === third && higher === right) || (right === third && higher === left) ? [higher] : []
  );
}

function findingOf(rows: readonly ThirdsRow[], lost: Third | null): string {
  if (rows.every(({ p }) => p === null)) return "No two thirds of the context can be compared";
  if (lost !== null) {
    const [one, other] = THIRDS.filter((third) => third !== lost);
    return `What stands in the ${lost} third of the context is lost more often than in the ${one} and in the ${other}`;
  }
  const shown = rows.filter(({ higher }) => higher !== null).map(({ left, right, higher }) =>
    `the ${higher === left ? right : left} third is below the ${higher}`
  );
  if (shown.length === 0) return "No difference between the thirds of the context is shown";
  const text = shown.join(", and ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
