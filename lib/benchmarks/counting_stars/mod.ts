/**
 * Counting-Stars (Song, Zheng and Luo 2024): its tasks and scorers.
 *
 * @module
 */
import { STARS } from "./stars.ts";
import { STAR_TEST_FILES } from "./test_lines.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";

export { starResultFields } from "./test_lines.ts";
export {
  type NumberRun,
  type StarScore,
  starScore,
  type StarScoreOptions,
  starScorerOptions,
  type SumCause,
} from "./scorer.ts";
export { countingStarsLengths } from "./stars.ts";
export { type StarForm } from "./star_reply.ts";
export { STARS };

/** Counting-Stars, both languages. */
export const COUNTING_STARS: Benchmark = {
  name: "counting_stars",
  title: "Counting-Stars",
  source: "Song, Zheng and Luo 2024, arXiv 2403.11802; nick7nlp/Counting-Stars at 32e16f2",
  families: [STARS],
  tasks: ["search", "shuffled", "reasoning"].flatMap((kind) =>
    ["zh", "en"].map((language) => `counting_stars_${kind}_${language}`)
  ),
  testFiles: STAR_TEST_FILES,
};
