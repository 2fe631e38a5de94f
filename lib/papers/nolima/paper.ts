import { NOLIMA_CLAIMS, NOLIMA_RUN_CLAIMS } from "./claims.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** NoLiMa: its table of results. */
export const NOLIMA_PAPER: Paper = {
  claims: [
    claimSet({
      name: "results",
      title: "Statements of NoLiMa, checked on its table of results",
      claims: NOLIMA_CLAIMS,
      evidence: () => openEvidence("nolima"),
    }),
  ],
  runClaims: NOLIMA_RUN_CLAIMS,
};
