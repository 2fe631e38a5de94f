import { RECALL_CLAIMS } from "./claims.ts";
import { openRecallScores } from "./recalls.ts";
import { RECALL_RUN_CLAIMS } from "./run_claims.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** The paper on prompt dependence: its claims about published scores and about runs. */
export const PROMPT_DEPENDENCE_PAPER: Paper = {
  claims: [
    claimSet({
      name: "text",
      title: "Statements of the paper, checked on Table 5 and Figure 3",
      claims: RECALL_CLAIMS,
      evidence: openRecallScores,
    }),
  ],
  runClaims: RECALL_RUN_CLAIMS,
};
