/**
 * MRCR (Vodrahalli et al. 2024; OpenAI 2025; Google DeepMind 2026): its tasks and scorers.
 *
 * @module
 */
import { GOOGLE_MRCR, MRCR_TEST_FILES, OPENAI_MRCR } from "./authors_files.ts";
import { MRCR_GRAMMAR } from "./mrcr.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";

export { needleFloor } from "./scorer.ts";
export { MRCR_GRAMMAR };

/** MRCR in chat turns: with texts of a grammar, and the rows of both MRCRs. */
export const MRCR: Benchmark = {
  name: "mrcr",
  title: "MRCR",
  source: "Vodrahalli et al. 2024, arXiv 2409.12640; openai/mrcr; google-deepmind/eval_hub at 67b7fd2",
  families: [MRCR_GRAMMAR, OPENAI_MRCR, GOOGLE_MRCR],
  tasks: MRCR_GRAMMAR.tasks,
  testFiles: MRCR_TEST_FILES,
};
