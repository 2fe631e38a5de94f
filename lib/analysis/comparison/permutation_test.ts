import { mean as meanOf, sampleVariance } from "simple-statistics";
import { type Draw, shuffle, stream } from "@/lib/random/mod.ts";
import { DRAWS, SAME } from "./_permutation.ts";
import type { PermutationOptions, PermutationResult } from "./sign_flip_test.ts";

/** The scores of two models on samples of one task that are not the same. */
export interface ScoreGroups {
  /** The scores of the first model; at least one. */
  readonly first: readonly number[];
  /** The scores of the second model; at least one, and of any other number. */
  readonly second: readonly number[];
}

// So many divisions into two groups are tried one by one.
const MOST_DIVISIONS = 20_000;

/**
 * Tests whether two groups of scores have the same mean, by dividing them anew into groups of the same sizes (Fisher
 * 1935; with several tasks, within each task).
 *
 * The difference of means is measured in standard errors that count each group's own spread (Welch), so that the test
 * keeps its level where the groups differ in size and in spread; a plain difference of means does not (Janssen 1997,
 * "Studentized permutation tests for non-i.i.d. hypotheses"). The division seen is counted among those drawn. Neither the
 * unit of the scores nor their zero changes p.
 *
 * @param tasks The two groups of each task; their mean over tasks is compared, each task weighing the same.
 * @param options How many divisions to draw, and from which seed.
 * @returns The p-value; exact where there are at most 20,000 divisions of one task.
 * @throws {RangeError} If there is no task, a group is empty, a score is not a finite number, or `draws` is outside its
 * range.
 *
 * @example Three against two: 1 of 10 divisions is as far apart to one side, and none to the other
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(permutationTest([{ first: [0.9, 0.8, 1], second: [0.1, 0.3] }]), { p: 1 / 10, isExact: true });
 * ```
 */
export function permutationTest(
  tasks: readonly ScoreGroups[],
  options: PermutationOptions = {},
): PermutationResult {
  const { draws = DRAWS.usual, seed = "permutation" } = options;
  DRAWS.check(draws);
  if (tasks.length === 0 || tasks.some(({ first, second }) => first.length === 0 || second.length === 0)) {
    throw new RangeError("Cannot compare two groups as each must hold at least one score: current value is 0");
  }
  for (const wrong of tasks.flatMap(({ first, second }) => [...first, ...second])) {
    if (Number.isFinite(wrong)) continue;
    throw new RangeError(`Cannot compare two groups as each score must be a finite number: current value is ${wrong}`);
  }
  const groups = rescale(tasks);
  const seen = distance(groups) * (1 - SAME) - SAME;
  const [only] = groups;
  if (groups.length === 1 && countDivisions(only!) <= MOST_DIVISIONS) {
    const distances = divisions(only!).map((division) => distance([division]));
    return { p: distances.filter((other) => other >= seen).length / distances.length, isExact: true };
  }
  const draw = stream(seed, "divisions");
  let beyond = 1;
  for (let round = 0; round < draws; round++) {
    if (distance(groups.map((task) => divideAnew(task, draw))) >= seen) beyond++;
  }
  return { p: beyond / (draws + 1), isExact: false };
}

/**
 * Counts the scores of each task from its lowest one, in units of the widest range, so that neither the unit of scores nor
 * where they lie changes what is taken for rounding.
 */
function rescale(tasks: readonly ScoreGroups[]): readonly ScoreGroups[] {
  const ranges = tasks.map(({ first, second }) => {
    const [low, high] = [[...first, ...second].reduce(lower), [...first, ...second].reduce(higher)];
    // Scores of one value but for rounding have no range.
    const isOne = high - low <= SAME * Math.max(Math.abs(low), Math.abs(high));
    return { low, range: isOne ? 0 : high - low };
  });
  const widest = ranges.reduce((most, { range }) => Math.max(most, range), 0);
  return tasks.map(({ first, second }, at) => {
    const { low, range } = ranges[at]!;
    const count = (score: number): number => range === 0 ? 0 : (score - low) / widest;
    return { first: first.map(count), second: second.map(count) };
  });
}

function lower(left: number, right: number): number {
  return Math.min(left, right);
}

function higher(left: number, right: number): number {
  return Math.max(left, right);
}

/** How far apart the means over tasks are, in standard errors. */
function distance(tasks: readonly ScoreGroups[]): number {
  let [difference, square] = [0, 0];
  for (const { first, second } of tasks) {
    difference += meanOf([...first]) - meanOf([...second]);
    square += errorSquare(first) + errorSquare(second);
  }
  if (Math.abs(difference) <= SAME) return 0;
  return square <= SAME * SAME ? Infinity : Math.abs(difference) / Math.sqrt(square);
}

function errorSquare(scores: readonly number[]): number {
  return scores.length < 2 ? 0 : sampleVariance([...scores]) / scores.length;
}

function divideAnew({ first, second }: ScoreGroups, draw: Draw): ScoreGroups {
  const shuffled = shuffle(draw, [...first, ...second]);
  return { first: shuffled.slice(0, first.length), second: shuffled.slice(first.length) };
}

function countDivisions({ first, second }: ScoreGroups): number {
  let count = 1;
  for (let one = 1; one <= first.length && count <= MOST_DIVISIONS; one++) count *= (second.length + one) / one;
  return count;
}

/** All divisions of the scores into groups of the same sizes. */
function divisions({ first, second }: ScoreGroups): readonly ScoreGroups[] {
  const all = [...first, ...second];
  const divide = (at: number, left: readonly number[], right: readonly number[]): ScoreGroups[] => {
    if (left.length > first.length || right.length > second.length) return [];
    if (at === all.length) return [{ first: left, second: right }];
    return [...divide(at + 1, [...left, all[at]!], right), ...divide(at + 1, left, [...right, all[at]!])];
  };
  return divide(0, [], []);
}
