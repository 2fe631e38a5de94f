import { adaptiveSearch, type SearchSample, type SearchScore, type SearchStep } from "./adaptive_search.ts";
import type { SearchDesign } from "./search_design.ts";

/** A search that has ended, with what it asked. */
export interface FinishedSearch extends SearchStep {
  /** Every sample that was asked, in the order of the steps. */
  readonly scores: readonly SearchScore[];
}

/**
 * Leads an adaptive search to its end with scores that are there at once, such as those of a recorded or simulated run.
 *
 * @param score Gives the score of a sample in [0, 1], or `null` where it has none; called once for each sample asked.
 * @param design What is looked for.
 * @returns The last step, and the samples asked.
 * @throws {RangeError} If an option of the design is outside its range.
 *
 * @example A model that reads 8K and forgets all beyond
 * ```ts
 * import { equal, ok } from "node:assert/strict";
 *
 * const design = { tasks: ["vt"], lengths: [4096, 8192, 16_384], samples: 100, threshold: 85.6 };
 * const { answer, scores } = searchWith(({ length }) => length > 8192 ? 0 : 1, design);
 * equal(answer?.text, "8K");
 * ok(scores.length < 100);
 * ```
 */
export function searchWith(
  score: (sample: SearchSample) => number | null,
  design: SearchDesign,
): FinishedSearch {
  const scores: SearchScore[] = [];
  for (;;) {
    const step = adaptiveSearch(scores, design);
    if (step.next.length === 0) return { ...step, scores };
    for (const sample of step.next) scores.push({ ...sample, value: score(sample) });
  }
}
