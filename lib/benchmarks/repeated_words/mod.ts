/**
 * Repeated words, of Chroma's report "Context Rot" (2025): texts to be copied, and the measures of a copy.
 *
 * @module
 */
import { REPEATED_WORDS } from "./repeated_words.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";

export { type CopyText, PAIR_NAMES, type PairName, PAIRS, PAPER_COUNTS, paperPlaces, writeCopy } from "./copies.ts";
export { type CopyFailure, type CopyMeasures, measureCopy, type MeasureCopyOptions } from "./scorer.ts";
export { REPEATED_WORDS };

/** Repeated words, with each of the report's combinations. */
export const REPEATED_WORDS_BENCHMARK: Benchmark = {
  name: "repeated_words",
  title: "Repeated words",
  source: "Hong, Troynikov and Huber: Context Rot (Chroma, July 2025); chroma-core/context-rot at 1091346",
  families: [REPEATED_WORDS],
  tasks: REPEATED_WORDS.tasks,
};
