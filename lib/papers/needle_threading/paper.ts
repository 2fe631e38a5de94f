import { THREADING_CLAIMS } from "./claims.ts";
import { openThreadingPublished } from "./published.ts";
import { THREADING_RUN_CLAIMS } from "./run_claims.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** The paper of Needle Threading: its claims about published scores and about runs. */
export const NEEDLE_THREADING_PAPER: Paper = {
  claims: [
    claimSet({
      name: "text",
      title: "Statements of Needle Threading, checked on its own numbers",
      claims: THREADING_CLAIMS,
      evidence: openThreadingPublished,
    }),
  ],
  runClaims: THREADING_RUN_CLAIMS,
};
