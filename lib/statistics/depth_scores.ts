import { differenceInterval, type Interval, need, type ScoreWithInterval } from "./intervals.ts";
import { inPercent, meanInterval, meanOfMeans } from "./mean_interval.ts";
import { adjustPValues, guardedP, isShown, permutationTest, type ScoreGroups } from "./permutation_tests.ts";
import { clusterMeans, independent, joinCells, meanOfRepeats, type ScoredRecord, scoreOf } from "./units.ts";
import { summarise, type SummaryRow } from "./summarise.ts";
import { sum } from "@/lib/base/mod.ts";

/** The score of one task at one length and depth. */
export interface DepthCell extends SummaryRow {
  /** In percent of the context; the middle of a stretch. */
  readonly depth: number;
  /** The start of the stretch in percent, included. */
  readonly from: number;
  /** Its end in percent, excluded unless it is 100. */
  readonly to: number;
  /** Such as `20 to 40%`; absent unless the context is divided into stretches. */
  readonly stretch?: string;
}

/**
 * Averages scored replies over each task, length and depth: the cells of a depth map. Replies without a known depth are skipped.
 *
 * @param replies `depth`: the share of the context before the target, in [0, 1]; by default the depth that was asked for.
 * @param options `stretches`: the number of equal parts into which the context is divided, 1 to 100; by default each depth has
 *   its own cell.
 * @returns Tasks in order of first appearance, lengths and depths rising; scores in percent.
 * @throws {RangeError} If `stretches` is outside its range or a depth outside [0, 1].
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const of = (depth: number, value: number) => ({ task: "niah", length: 4096, depth, value, failed: false, noAnswer: false });
 * const replies = [of(0.1, 1), of(0.3, 1), of(1, 0)];
 * deepEqual(depthCells(replies).map(({ depth, score }) => [depth, score]), [[10, 100], [30, 100], [100, 0]]);
 * const cells = depthCells(replies, { stretches: 2 });
 * deepEqual(cells.map(({ stretch, n, score }) => [stretch, n, score]), [["0 to 50%", 2, 100], ["50 to 100%", 1, 0]]);
 * ```
 */
export function depthCells(
  replies: readonly (ScoredRecord & { readonly depth?: number })[],
  options: { readonly stretches?: number } = {},
): readonly DepthCell[] {
  const { stretches } = options;
  const isCount = stretches === undefined || Number.isInteger(stretches) && stretches >= 1 && stretches <= 100;
  need(isCount, "average over depths", "stretches must be a whole number from 1 to 100", stretches);
  const tasks = [...new Set(replies.map(({ task }) => task))];
  const known = replies.flatMap((reply) => {
    const depth = reply.depth ?? reply.record?.depth;
    return depth === undefined ? [] : [{ reply, depth }];
  });
  // Rounded to three decimals, those of sigmoid depths: 0.21 × 100 is not exactly 21.
  const places = Map.groupBy(
    known,
    ({ depth }) => stretches === undefined ? Math.round(checkDepth(depth) * 1e5) / 1e3 : stretchOf(depth, stretches),
  );
  const cells = [...places].flatMap(([place, asked]) => {
    const at = stretches === undefined ? { depth: place, from: place, to: place } : placeOf(place, stretches);
    return summarise(asked.map(({ reply }) => reply)).map((row): DepthCell => ({ ...row, ...at }));
  });
  return cells.toSorted((left, right) =>
    tasks.indexOf(left.task) - tasks.indexOf(right.task) || left.length - right.length || left.depth - right.depth
  );
}

function placeOf(stretch: number, stretches: number): Pick<DepthCell, "depth" | "from" | "to" | "stretch"> {
  const [from, to] = [100 * stretch / stretches, 100 * (stretch + 1) / stretches];
  return { depth: (from + to) / 2, from, to, stretch: `${Math.round(from)} to ${Math.round(to)}%` };
}

/** Returns the index of the stretch that contains a depth. */
function stretchOf(depth: number, stretches: number): number {
  return Math.min(stretches - 1, Math.floor(checkDepth(depth) * stretches));
}

function checkDepth(depth: number): number {
  need(depth >= 0 && depth <= 1, "average over depths", "each depth must be in [0, 1]", depth);
  return depth;
}

/** A third of a context. */
export type Third = "first" | "middle" | "last";

/** The thirds of a context, from its start. */
export const THIRDS: readonly Third[] = ["first", "middle", "last"];

/**
 * Returns the third of the context that contains a depth.
 *
 * @throws {RangeError} If the depth is outside [0, 1].
 */
export function thirdOf(depth: number): Third {
  return THIRDS[stretchOf(depth, THIRDS.length)]!;
}

/** The comparisons of the thirds of a context. */
export interface ThirdsCompared {
  /**
   * First and middle, middle and last, first and last: the means of both in percent, left minus right in points with its 95%
   * interval, its p-value, and that corrected for the three comparisons (Holm). All are `null` if no cell has both thirds.
   */
  readonly rows: readonly ({
    readonly left: Third;
    readonly right: Third;
    /** Tasks and lengths with scores in both thirds, those that share questions or texts as one; each has equal weight. */
    readonly cells: number;
    /** Independent scores of the left third in these cells: samples that share a question or a text count once. */
    readonly nLeft: number;
    /** The same of the right third. */
    readonly nRight: number;
    /** The fewer of both. */
    readonly units: number;
    /** The higher third, if the corrected p-value is at most 5% and the interval excludes 0. */
    readonly higher: Third | null;
  } & Readonly<Record<"leftScore" | "rightScore" | "difference" | "low" | "high" | "p" | "adjusted", number | null>>)[];
  /** The third in which targets are lost: lower than both others by the corrected p-values. */
  readonly lost: Third | null;
  /** The finding, as a sentence without its full stop. */
  readonly finding: string;
}

type ThirdsRow = ThirdsCompared["rows"][number];

const PAIRS: readonly (readonly [Third, Third])[] = [["first", "middle"], ["middle", "last"], ["first", "last"]];

/**
 * Tests whether the score depends on the third of the context (first, middle or last) that contains the target.
 *
 * Thirds are compared in pairs by a studentised permutation test within each task and length ({@linkcode permutationTest}), so
 * a hard task or a long context affects both sides equally; p-values are corrected for three comparisons (Holm 1979). A third
 * counts as lost only if it is lower than both others, as in "lost in the middle" (Liu et al. 2023, arXiv 2307.03172): a middle
 * below the mean of both ends could also be a score that falls early.
 *
 * @param replies Replies with depths; failed calls are skipped.
 * @param draws Random permutations; by default 9,999, fewer above 2,000 replies, never below 999.
 * @throws {RangeError} If a depth or a score is outside [0, 1].
 */
export function compareThirds(
  replies: readonly (ScoredRecord & { readonly depth: number })[],
  draws = Math.max(999, Math.min(9999, Math.floor(20_000_000 / Math.max(1, replies.length)))),
): ThirdsCompared {
  const cells = groupScores(replies);
  const rows = PAIRS.map(([left, right]) => comparePair(cells, { left, right, draws }));
  const adjusted = adjustPValues(rows.map(({ p }) => p));
  const compared = rows.map((row, at): ThirdsRow => {
    const p = adjusted[at]!;
    const higher = row.difference! > 0 ? row.left : row.right;
    return { ...row, adjusted: p, higher: isShown(p) ? higher : null };
  });
  const isBelow = ({ left, right, higher }: ThirdsRow, third: Third): boolean =>
    higher !== null && higher !== third && (left === third || right === third);
  const lost = THIRDS.find((third) => compared.filter((row) => isBelow(row, third)).length === 2) ?? null;
  return { rows: compared, lost, finding: findingOf(compared, lost) };
}

type Cell = Readonly<Record<Third, readonly number[]>>;

/** Groups independent scores of each task and length by third; tasks and lengths that share questions or texts are one group. */
function groupScores(replies: readonly (ScoredRecord & { readonly depth: number })[]): readonly Cell[] {
  const samples = meanOfRepeats(replies).flatMap((reply) => {
    const { task, length, cluster, depth } = reply;
    const [third, value] = [thirdOf(depth), scoreOf(reply)];
    return value === null ? [] : [{ cell: `${length} ${task}`, cluster, third, value }];
  });
  return joinCells(samples).map((cells) => {
    const own = samples.filter(({ cell }) => cells.has(cell));
    const [first, middle, last] = THIRDS.map((wanted) => clusterMeans(own.filter(({ third }) => third === wanted)));
    return { first: first!, middle: middle!, last: last! };
  });
}

function comparePair(
  cells: readonly Cell[],
  { left, right, draws }: { readonly left: Third; readonly right: Third; readonly draws: number },
): Omit<ThirdsRow, "adjusted" | "higher"> {
  const groups = cells.map((cell): ScoreGroups => ({ first: cell[left], second: cell[right] }))
    .filter(({ first, second }) => first.length > 0 && second.length > 0);
  const add = (side: "first" | "second"): number => sum(groups, (group) => group[side].length);
  const [nLeft, nRight] = [add("first"), add("second")];
  const counts = { left, right, cells: groups.length, nLeft, nRight, units: Math.min(nLeft, nRight) };
  if (groups.length === 0) {
    return { ...counts, leftScore: null, rightScore: null, difference: null, low: null, high: null, p: null };
  }
  const { first, second, difference, low, high, p } = unpairedComparison(groups, draws);
  return { ...counts, leftScore: first, rightScore: second, difference, low, high, p };
}

/**
 * Compares two models on different samples, possibly of different number. The p-value is that of {@linkcode permutationTest}, or of
 * the interval if that is larger; the interval is that of {@linkcode differenceInterval}.
 */
export function unpairedComparison(
  tasks: readonly ScoreGroups[],
  draws?: number,
): Interval & Readonly<Record<"first" | "second" | "difference" | "p", number>> {
  const groups = (["first", "second"] as const).map((group) => tasks.map((task) => independent(task[group])));
  const meansAt = (level?: number) =>
    groups.map((scores) => inPercent(meanOfMeans(scores.map((each) => meanInterval(each, level)), level))) as [
      ScoreWithInterval,
      ScoreWithInterval,
    ];
  const p = guardedP(permutationTest(tasks, draws).p, (level) => differenceInterval(...meansAt(level)));
  const [first, second] = meansAt();
  const { score, low, high } = differenceInterval(first, second);
  return { first: first.score, second: second.score, difference: score, low, high, p };
}

function findingOf(rows: readonly ThirdsRow[], lost: Third | null): string {
  if (rows.every(({ p }) => p === null)) return "No two thirds of the context can be compared";
  if (lost !== null) {
    const [one, other] = THIRDS.filter((third) => third !== lost);
    return `Targets in the ${lost} third of the context are lost more often than in the ${one} and in the ${other}`;
  }
  const shown = rows.filter(({ higher }) => higher !== null).map(({ left, right, higher }) =>
    `targets in the ${higher === left ? right : left} third of the context are lost more often than in the ${higher}`
  );
  if (shown.length === 0) return "No difference between the thirds of the context is shown";
  const text = shown.join(", and ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
