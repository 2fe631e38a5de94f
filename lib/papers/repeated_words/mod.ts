/**
 * Repeated words of Chroma's report "Context Rot" (Hong, Troynikov and Huber 2025): published numbers, claims and figures.
 *
 * @module
 */
import { REPEATED_WORDS_BENCHMARK } from "@/lib/benchmarks/repeated_words/mod.ts";
import type { Paper } from "@/lib/papers/paper.ts";

/** The report "Context Rot", of which the experiment on repeated words is rebuilt. */
export const REPEATED_WORDS_PAPER: Paper = {
  benchmark: REPEATED_WORDS_BENCHMARK,
  claims: [],
  runClaims: [],
};
