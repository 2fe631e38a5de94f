import type { RunEvidence } from "./claims.ts";
import { type Interval, need, type ScoreWithInterval, weightedMean } from "./intervals.ts";
import { meanInterval } from "./mean_interval.ts";
import { clusterMeans, independent, meanOfRepeats, type ScoredRecord } from "./units.ts";

/** The scores of the samples of one size and one difficulty. */
export interface GridCell {
  /** Context size, in tokens or characters; above 0. */
  readonly size: number;
  /** What makes the task harder: the number of needles, steps or threads, or the depth. */
  readonly difficulty: number;
  /** One for each independent sample, each in [0, 1]. */
  readonly scores: readonly number[];
}

/**
 * Sorts scored replies into a grid of sizes and values of a knob, for {@linkcode contextLimits}; without a knob all difficulties are
 * 0. Tasks without the knob and replies without a score are skipped, and those that share a question or a text are averaged.
 *
 * @returns The cells, sizes and difficulties rising.
 */
export function knobCells(
  replies: readonly ScoredRecord[],
  options: {
    readonly tasks?: RunEvidence["tasks"];
    /** A numeric knob that makes the task harder; `depth` is that of each sample if the task sets none. */
    readonly knob?: string;
  } = {},
): readonly GridCell[] {
  const { tasks = {}, knob } = options;
  const scored = meanOfRepeats(replies).flatMap(({ task, length, value, cluster, record }) => {
    const found = knob === undefined ? 0 : tasks[task]?.options[knob] ?? (knob === "depth" ? record?.depth : undefined);
    return typeof found !== "number" || value === null ? [] : [{ size: length, difficulty: found, value, cluster }];
  });
  return [...Map.groupBy(scored, ({ size, difficulty }) => `${size} ${difficulty}`).values()].map((same) => (
    { size: same[0]!.size, difficulty: same[0]!.difficulty, scores: clusterMeans(same) }
  )).toSorted((left, right) => left.size - right.size || left.difficulty - right.difficulty);
}

/** The context size up to which a model solves a task of some difficulty, with its 95% interval. */
export interface ContextLimit extends Interval {
  /** The difficulty it applies to. */
  readonly difficulty: number;
  /** The effective context limit, in the unit of the sizes; 0 if accuracy never reaches the level. */
  readonly limit: number;
  /** Whether accuracy is still at the level at the largest size, so that the limit is that size or more. */
  readonly isBeyond: boolean;
  /** The least number of independent samples of a size. */
  readonly units: number;
}

/**
 * Effective context limits of a task (Roberts, Han and Albanie, arXiv 2411.05000): for each difficulty, the size at which
 * interpolated accuracy falls through a level, the contour of the paper's figures.
 *
 * The paper's text at hand does not state its level; 75% is what its Table 2 follows from. Mean scores are interpolated linearly over the
 * difficulty and the logarithm of the size. The interval holds every limit that the intervals of the means allow. The true one follows
 * from the means of two sizes, or from all of them if it is 0, so that those of four sizes or more hold together (Bonferroni).
 *
 * @param cells The grid; sizes need not have the same difficulties.
 * @returns A limit for each difficulty, rising.
 * @throws {RangeError} If there is no cell, a cell has no score, or the level or a difficulty is outside its range.
 */
export function contextLimits(cells: readonly GridCell[], options: {
  /** The accuracy that counts as effective, in (0, 1]; 0.75 by default. */
  readonly level?: number;
  /** The difficulties to give a limit for, within those tested; all by default. */
  readonly difficulties?: readonly number[];
} = {}): readonly ContextLimit[] {
  const { level = 0.75 } = options;
  const tested = [...new Set(cells.map(({ difficulty }) => difficulty))].toSorted((left, right) => left - right);
  const { difficulties = tested } = options;
  check(cells, level, difficulties);
  const grid = toGrid(cells);
  return difficulties.map((difficulty): ContextLimit => {
    const points = pointsAt(grid, difficulty);
    const units = Math.min(...points.map(({ n }) => n));
    return { difficulty, ...levelCrossing(points, level), ...possibleCrossings(points, level), units };
  });
}

function check(cells: readonly GridCell[], level: number, difficulties: readonly number[]): void {
  const action = "find a context limit";
  need(cells.length > 0, action, "there must be at least one cell", 0);
  const bad = cells.find(({ size, scores }) => !(size > 0) || scores.length === 0);
  const found = `size ${bad?.size} with ${bad?.scores.length} scores`;
  need(bad === undefined, action, "each cell must have a size above 0 and at least one score", found);
  need(level > 0 && level <= 1, action, "level must be in (0, 1]", level);
  const tested = cells.map(({ difficulty }) => difficulty);
  const [least, most] = [Math.min(...tested), Math.max(...tested)];
  const outside = difficulties.find((difficulty) => !(difficulty >= least && difficulty <= most));
  need(outside === undefined, action, `each difficulty must be one from ${least} to ${most}`, outside);
}

/** The accuracy at a size and a difficulty, with the number of its samples. */
interface SizePoint extends ScoreWithInterval {
  readonly size: number;
  readonly difficulty: number;
  readonly n: number;
}

/** Averages each cell; sizes rise, and so do difficulties within each. */
function toGrid(cells: readonly GridCell[]): readonly (readonly SizePoint[])[] {
  const bySize = [...Map.groupBy(cells, ({ size }) => size)].toSorted(([left], [right]) => left - right);
  const level = 1 - 0.1 / Math.max(4, bySize.length);
  return bySize.map(([size, ofSize]) =>
    [...Map.groupBy(ofSize, ({ difficulty }) => difficulty)].toSorted(([left], [right]) => left - right)
      .map(([difficulty, same]): SizePoint => {
        const { mean, ...rest } = meanInterval(independent(same.flatMap(({ scores }) => scores)), level);
        return { ...rest, score: mean, size, difficulty };
      })
  );
}

/** Returns the accuracy at each size that has the difficulty, or one below and one above it. */
function pointsAt(grid: ReturnType<typeof toGrid>, difficulty: number): readonly SizePoint[] {
  const points = grid.flatMap((means): SizePoint[] => {
    const after = means.findIndex((each) => each.difficulty >= difficulty);
    const [left, right] = [means[after - 1], means[after]];
    if (right === undefined || right.difficulty === difficulty) return right === undefined ? [] : [right];
    if (left === undefined) return [];
    const mean = weightedMean([left, right], [right.difficulty - difficulty, difficulty - left.difficulty]);
    return [{ ...mean, size: right.size, difficulty, n: Math.min(left.n, right.n) }];
  });
  need(points.length > 0, "find a context limit", "a size must have difficulties around the one wanted", difficulty);
  return points;
}

/**
 * Finds the first size at which accuracy falls through a level: 0 if it never reaches it, the largest if it never falls. Sizes before
 * it first reaches the level are skipped, as in the paper's Table 2 for a model that fails on small contexts and reads larger ones.
 */
function levelCrossing(points: readonly SizePoint[], level: number): Pick<ContextLimit, "limit" | "isBeyond"> {
  const reached = points.findIndex(({ score }) => score >= level);
  if (reached < 0) return { limit: 0, isBeyond: false };
  const fallen = points.findIndex(({ score }, at) => at > reached && score < level);
  if (fallen < 0) return { limit: points.at(-1)!.size, isBeyond: true };
  return { limit: sizeBetween([points[fallen - 1]!, points[fallen]!], level), isBeyond: false };
}

/** Interpolates between the last size at a level and the first below it. */
function sizeBetween([above, below]: readonly Pick<SizePoint, "size" | "score">[], level: number): number {
  const lost = above!.score - below!.score;
  const share = lost === 0 ? 1 : (above!.score - level) / lost;
  return above!.size * (below!.size / above!.size) ** share;
}

/** Returns the range of crossings that the intervals allow: between two sizes, before the first or beyond the last. */
function possibleCrossings(points: readonly SizePoint[], level: number): Interval {
  const possible = points.slice(1).flatMap((below, before) => {
    const above = points[before]!;
    if (above.high < level || below.low >= level) return [];
    const soonest = [{ ...above, score: Math.max(level, above.low) }, { ...below, score: below.low }];
    const latest = [{ ...above, score: above.high }, { ...below, score: Math.min(level, below.high) }];
    return [sizeBetween(soonest, level), sizeBetween(latest, level)];
  });
  if (points.every(({ low }) => low < level)) possible.push(0);
  const last = points.at(-1)!;
  if (last.high >= level) possible.push(last.size);
  return { low: Math.min(...possible), high: Math.max(...possible) };
}
