import { GRAPHWALKS_CLAIMS, GRAPHWALKS_RUN_CLAIMS } from "./claims.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** GraphWalks: its data card, and the model cards that report it. */
export const GRAPHWALKS_PAPER: Paper = {
  claims: [
    claimSet({
      name: "cards",
      title: "Statements about GraphWalks, checked on published scores and on its rules",
      claims: GRAPHWALKS_CLAIMS,
      evidence: () => openEvidence("graphwalks"),
    }),
  ],
  runClaims: GRAPHWALKS_RUN_CLAIMS,
};
