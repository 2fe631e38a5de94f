import { RECALL_CLAIMS } from "./claims.ts";
import { openRecallPublished } from "./published.ts";
import { RECALL_RUN_CLAIMS } from "./run_claims.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** The paper on prompt dependence: its claims about published scores and about runs. */
export const PROMPT_DEPENDENCE_PAPER: Paper = {
  claims: [
    claimSet({
      name: "text",
      title: "Statements of the paper, checked on Tables 1 and 5",
      claims: RECALL_CLAIMS,
      evidence: () => openRecallPublished(),
    }),
  ],
  runClaims: RECALL_RUN_CLAIMS,
};
