import { REPEATED_WORDS_CLAIMS, REPEATED_WORDS_RUN_CLAIMS } from "./claims.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** The report "Context Rot", of which the experiment on repeated words is rebuilt. */
export const REPEATED_WORDS_PAPER: Paper = {
  claims: [
    claimSet({
      name: "report",
      title: "Statements of Context Rot on repeated words, checked on its figure and its code",
      claims: REPEATED_WORDS_CLAIMS,
      evidence: () => openEvidence("repeated_words"),
    }),
  ],
  runClaims: REPEATED_WORDS_RUN_CLAIMS,
};
