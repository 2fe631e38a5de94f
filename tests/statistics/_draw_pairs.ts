import { probit } from "simple-statistics";
import type { Draw } from "@/lib/random/mod.ts";
import type { ScorePair } from "@/lib/statistics/comparison.ts";

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

/** Draws as many pairs of each source, a source a task. */
export function drawPairs(sources: readonly PairSource[], n: number, draw: Draw): readonly ScorePair[] {
  return sources.flatMap((source, task) =>
    Array.from({ length: n }, () => ({ task: `task ${task}`, ...source.draw(draw) }))
  );
}

/** A standard normal number (Box and Muller 1958). */
function normal(draw: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}
