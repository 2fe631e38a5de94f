/**
 * Repeated words of Chroma's report "Context Rot" (Hong, Troynikov and Huber 2025): published numbers, claims and figures.
 *
 * @module
 */
import { REPEATED_WORDS_CLAIMS } from "./claims.ts";
import { openRepeatedWordsPublished } from "./published.ts";
import { REPEATED_WORDS_RUN_CLAIMS } from "./runs.ts";
import { REPEATED_WORDS_BENCHMARK } from "@/lib/benchmarks/repeated_words/repeated_words.ts";
import type { Paper } from "@/lib/papers/paper.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

export { REPEATED_WORDS_CLAIMS } from "./claims.ts";
export {
  copyCurves,
  type CopyPoint,
  openRepeatedWordsPublished,
  type OwnCopyPoint,
  type RepeatedWordsPublished,
} from "./published.ts";
export { copyPoints, type CopyRun, copyTable } from "./runs.ts";

/** The report "Context Rot", of which the experiment on repeated words is rebuilt. */
export const REPEATED_WORDS_PAPER: Paper = {
  benchmark: REPEATED_WORDS_BENCHMARK,
  claims: [
    claimSet({
      name: "report",
      title: "Statements of Context Rot on repeated words, checked on its figure and its code",
      claims: REPEATED_WORDS_CLAIMS,
      evidence: openRepeatedWordsPublished,
    }),
  ],
  runClaims: REPEATED_WORDS_RUN_CLAIMS,
};
