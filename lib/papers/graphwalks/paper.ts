import { GRAPHWALKS_CLAIMS } from "./claims.ts";
import { openGraphScores } from "./published.ts";
import { GRAPHWALKS_RUN_CLAIMS } from "./run_claims.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** GraphWalks: its data card, and the model cards that report it. */
export const GRAPHWALKS_PAPER: Paper = {
  claims: [
    claimSet({
      name: "cards",
      title: "Statements about GraphWalks, checked on published scores and on its rules",
      claims: GRAPHWALKS_CLAIMS,
      evidence: openGraphScores,
    }),
  ],
  runClaims: GRAPHWALKS_RUN_CLAIMS,
};
