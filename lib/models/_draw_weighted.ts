import type { Draw } from "@/lib/random/mod.ts";

/** Draws one of several things by weight; the first where all weights are 0. */
export function drawWeighted<T>(draw: Draw, choices: readonly (readonly [T, number])[]): T {
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
  let left = draw() * total;
  for (const [choice, weight] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  return choices[0]![0];
}
