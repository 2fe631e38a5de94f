import { probit } from "simple-statistics";
import { cases } from "../_cases.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";
import { comparePairs, type PairedRow } from "@/lib/statistics/mod.ts";

/** A kind of score to simulate: how one is drawn, and its true mean. */
export interface ScoreSource {
  readonly name: string;
  readonly mean: number;
  readonly draw: (draw: Draw) => number;
}

/** Right or wrong, with a chance. */
export function yesNo(chance: number): ScoreSource {
  return { name: `right ${100 * chance}% of the time`, mean: chance, draw: (draw) => draw() < chance ? 1 : 0 };
}

/** The share found of some references, each with the same chance. */
export function shareFound(references: number, chance: number): ScoreSource {
  const draw = (next: Draw): number =>
    Array.from({ length: references }, () => next() < chance ? 1 : 0).reduce<number>((sum, hit) => sum + hit, 0) /
    references;
  return { name: `${references} references found with ${chance}`, mean: chance, draw };
}

/** Scores of a list, each with its weight. */
export function mixture(name: string, parts: readonly (readonly [score: number, weight: number])[]): ScoreSource {
  const draw = (next: Draw): number => {
    let left = next();
    return parts.find(([, weight]) => (left -= weight) < 0)?.[0] ?? parts.at(-1)![0];
  };
  return { name, mean: parts.reduce((sum, [score, weight]) => sum + score * weight, 0), draw };
}

/** Any number between 0 and 1. */
export const UNIFORM: ScoreSource = { name: "any share", mean: 0.5, draw: (draw) => draw() };

/** How far chance takes the share of few simulations: two standard errors of 95% in 250; none of all, which show it as it is. */
export const CHANCE = cases(0.028, 0);

/** How often an interval holds the true mean in seeded simulations. */
export function coverage(
  simulate: (draw: Draw) => { readonly low: number; readonly high: number; readonly truth: number },
  seed: string,
  rounds = cases(250, 2000),
): number {
  const hits = Array.from({ length: rounds }, (_, round) => {
    const { low, high, truth } = simulate(stream("coverage", seed, round));
    return low <= truth + 1e-12 && truth <= high + 1e-12 ? 1 : 0;
  });
  return hits.reduce<number>((sum, hit) => sum + hit, 0) / rounds;
}

/** Two models on the same samples: how a pair is drawn, and the true means. */
export interface PairSource {
  readonly first: number;
  readonly second: number;
  readonly draw: (draw: Draw) => { readonly first: number; readonly second: number };
}

/**
 * Pairs of which what is hard for one model is hard for the other: each of some facts is found where a normal number, of
 * which half is shared, is below a bound.
 */
export function pairs(first: number, second: number, facts = 1): PairSource {
  const [below, belowToo] = [probit(first), probit(second)];
  return {
    first,
    second,
    draw: (draw) => {
      const shared = normal(draw);
      const found = { first: 0, second: 0 };
      for (let fact = 0; fact < facts; fact++) {
        if ((shared + normal(draw)) * Math.SQRT1_2 < below) found.first++;
        if ((shared + normal(draw)) * Math.SQRT1_2 < belowToo) found.second++;
      }
      return { first: found.first / facts, second: found.second / facts };
    },
  };
}

/** The scores of two models on the same sample of a task. */
export interface TaskPair {
  readonly task: string;
  readonly first: number;
  readonly second: number;
}

/** Compares two models by the mean over the tasks of these pairs; the difference is first minus second. */
export function compareTaskPairs(pairs: readonly TaskPair[], draws?: number): PairedRow {
  const samples = pairs.map(({ task, first, second }) => (
    { task, length: 4096, third: null, baseline: second, other: first }
  ));
  return comparePairs([samples], { by: ["all"], draws }).rows[0]![0]!;
}

/** Draws as many pairs of each source, a source a task. */
export function drawPairs(sources: readonly PairSource[], n: number, draw: Draw): readonly TaskPair[] {
  return sources.flatMap((source, task) =>
    Array.from({ length: n }, () => ({ task: `task ${task}`, ...source.draw(draw) }))
  );
}

/** A standard normal number (Box and Muller 1958). */
function normal(draw: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}
