import { type Draw, stream } from "@/lib/random/mod.ts";

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

/** How often an interval holds the true mean in 1,000 seeded simulations. */
export function coverage(
  simulate: (draw: Draw) => { readonly low: number; readonly high: number; readonly truth: number },
  seed: string,
): number {
  const rounds = 2000;
  const hits = Array.from({ length: rounds }, (_, round) => {
    const { low, high, truth } = simulate(stream("coverage", seed, round));
    return low <= truth + 1e-12 && truth <= high + 1e-12 ? 1 : 0;
  });
  return hits.reduce<number>((sum, hit) => sum + hit, 0) / rounds;
}
