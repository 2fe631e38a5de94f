import { mean } from "simple-statistics";
import type { RunEvidence } from "./claims.ts";
import { type Interval, need, percentiles } from "./intervals.ts";
import { meanOfRepeats, type ScoredRecord } from "./repeats.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";

/** The scores of the samples of one size and one difficulty. */
export interface GridCell {
  /** Context size, in tokens or characters; above 0. */
  readonly size: number;
  /** What makes the task harder: the number of needles, steps or threads, or the depth. */
  readonly difficulty: number;
  /** One a sample, each in [0, 1]. */
  readonly scores: readonly number[];
}

/**
 * Sorts scored replies into a grid of sizes and values of a knob, for {@linkcode contextLimits}. Tasks without the knob and
 * replies without a score are skipped.
 *
 * @returns The cells, sizes and difficulties rising.
 */
export function knobCells(
  replies: readonly ScoredRecord[],
  options: {
    /** The run's tasks, from its manifest. */
    readonly tasks: RunEvidence["tasks"];
    /** A numeric knob that makes the task harder; `depth` is that of each sample if the task sets none. */
    readonly knob: string;
    /** The units of size in a token, such as characters; 1 by default. */
    readonly unit?: number;
  },
): readonly GridCell[] {
  const { tasks, knob, unit = 1 } = options;
  const cells = new Map<string, { size: number; difficulty: number; scores: number[] }>();
  for (const { task, length, value, record } of meanOfRepeats(replies)) {
    const difficulty = tasks[task]?.options[knob] ?? (knob === "depth" ? record?.depth : undefined);
    if (typeof difficulty !== "number" || value === null) continue;
    const size = length * unit;
    const key = `${size} ${difficulty}`;
    const cell = cells.get(key) ?? { size, difficulty, scores: [] };
    cell.scores.push(value);
    cells.set(key, cell);
  }
  return [...cells.values()].toSorted((left, right) => left.size - right.size || left.difficulty - right.difficulty);
}

/** Options for {@linkcode contextLimits}. */
export interface ContextLimitOptions {
  /** The accuracy that counts as effective, in (0, 1]; 0.75 by default. */
  readonly level?: number;
  /** The difficulties to give a limit for, within those tested; all by default. */
  readonly difficulties?: readonly number[];
  /** Bootstrap replicates for the interval; 0 for none; 1000 by default. */
  readonly replicates?: number;
  /** The same seed gives the same interval; "context limit" by default. */
  readonly seed?: string;
}

/** The context size up to which a model solves a task of some difficulty, with its 95% interval. */
export interface ContextLimit extends Interval {
  /** The difficulty it applies to. */
  readonly difficulty: number;
  /** The effective context limit, in the unit of the sizes; 0 if accuracy never reaches the level. */
  readonly limit: number;
  /** Whether accuracy is still at the level at the largest size, so that the limit is that size or more. */
  readonly isBeyond: boolean;
}

/**
 * Effective context limits of a task (Roberts, Han and Albanie, arXiv 2411.05000): for each difficulty, the size at which
 * interpolated accuracy falls through a level, the contour of the paper's figures.
 *
 * The paper's text at hand does not state its level; 75% is what its Table 2 follows from. Mean scores are interpolated linearly over the
 * difficulty and the logarithm of the size. The interval is the Bayesian bootstrap over the samples of each cell, with half a
 * right and half a wrong answer added, so that five right out of five is not taken as certain.
 *
 * @param cells The grid; sizes need not have the same difficulties.
 * @returns A limit for each difficulty, rising.
 * @throws {RangeError} If there is no cell, a cell has no score, or the level or a difficulty is outside its range.
 */
export function contextLimits(cells: readonly GridCell[], options: ContextLimitOptions = {}): readonly ContextLimit[] {
  const { level = 0.75, replicates = 1000, seed = "context limit" } = options;
  const tested = [...new Set(cells.map(({ difficulty }) => difficulty))].toSorted((left, right) => left - right);
  const { difficulties = tested } = options;
  check(cells, level, difficulties);
  const draw = stream(seed, "context limits");
  const drawn = Array.from({ length: replicates }, () => {
    const replicate = toGrid(cells, (scores) => posteriorMean(scores, draw));
    return difficulties.map((difficulty) => levelCrossing(accuraciesAt(replicate, difficulty), level).size);
  });
  const grid = toGrid(cells, mean);
  return difficulties.map((difficulty, at): ContextLimit => {
    const { size, isBeyond } = levelCrossing(accuraciesAt(grid, difficulty), level);
    const replicated = drawn.map((sizes) => sizes[at]!);
    const { low, high } = percentiles(replicated.length > 0 ? replicated : [size], size);
    return { difficulty, limit: size, low: Math.min(low, size), high: Math.max(high, size), isBeyond };
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

/** The mean of each cell: sizes rising, and difficulties rising within each. */
type Grid = readonly {
  readonly size: number;
  readonly means: readonly (readonly [difficulty: number, mean: number])[];
}[];

function toGrid(cells: readonly GridCell[], meanOf: (scores: number[]) => number): Grid {
  const bySize = [...Map.groupBy(cells, ({ size }) => size)].toSorted(([left], [right]) => left - right);
  return bySize.map(([size, ofSize]) => {
    const byDifficulty = [...Map.groupBy(ofSize, ({ difficulty }) => difficulty)];
    const means = byDifficulty.map(([difficulty, same]) =>
      [difficulty, meanOf(same.flatMap(({ scores }) => scores))] as const
    );
    return { size, means: means.toSorted(([left], [right]) => left - right) };
  });
}

/** The accuracy at each size that has the difficulty, or one below and one above it. */
function accuraciesAt(grid: Grid, difficulty: number): readonly SizePoint[] {
  return grid.flatMap(({ size, means }) => {
    const accuracy = interpolate(means, difficulty);
    return accuracy === null ? [] : [{ size, accuracy }];
  });
}

function interpolate(means: readonly (readonly [number, number])[], difficulty: number): number | null {
  const after = means.findIndex(([at]) => at >= difficulty);
  if (after < 0) return null;
  const [right, rightMean] = means[after]!;
  if (right === difficulty) return rightMean;
  if (after === 0) return null;
  const [left, leftMean] = means[after - 1]!;
  return leftMean + (rightMean - leftMean) * (difficulty - left) / (right - left);
}

interface SizePoint {
  readonly size: number;
  readonly accuracy: number;
}

/**
 * Finds the first size at which accuracy falls through a level: 0 if it never reaches the level, the largest size if it never
 * falls through it.
 *
 * Sizes before accuracy first reaches the level are skipped, as in the paper's Table 2 for a model that fails on small contexts
 * and reads larger ones.
 */
function levelCrossing(
  points: readonly SizePoint[],
  level: number,
): { readonly size: number; readonly isBeyond: boolean } {
  const reached = points.findIndex(({ accuracy }) => accuracy >= level);
  if (reached < 0) return { size: 0, isBeyond: false };
  const fallen = points.findIndex(({ accuracy }, at) => at > reached && accuracy < level);
  if (fallen < 0) return { size: points.at(-1)!.size, isBeyond: true };
  const [above, below] = [points[fallen - 1]!, points[fallen]!];
  const share = (above.accuracy - level) / (above.accuracy - below.accuracy);
  return { size: above.size * (below.size / above.size) ** share, isBeyond: false };
}

/**
 * Draws a mean by the Bayesian bootstrap (Rubin 1981), with half a right and half a wrong answer added (Jeffreys' prior). For
 * yes/no scores it is a draw from Beta(right + 1/2, wrong + 1/2).
 */
function posteriorMean(scores: readonly number[], draw: Draw): number {
  const right = halfWeight(draw);
  let weights = right + halfWeight(draw);
  let sum = right;
  for (const score of scores) {
    const weight = -Math.log(1 - draw());
    weights += weight;
    sum += weight * score;
  }
  return sum / weights;
}

/** Draws from the gamma distribution of shape 1/2: half the square of a normal number (Box and Muller 1958). */
function halfWeight(draw: Draw): number {
  return -Math.log(1 - draw()) * Math.cos(2 * Math.PI * draw()) ** 2;
}
