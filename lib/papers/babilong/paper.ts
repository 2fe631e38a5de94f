import { BABILONG_CLAIMS, BABILONG_RUN_CLAIMS, originalScores } from "./claims.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** BABILong: claims of the paper and its code, checked on the replies that the authors recorded in 2024 and 2026. */
export const BABILONG_PAPER: Paper = {
  claims: [
    claimSet({
      name: "recorded replies",
      title: "The paper, its code and the recorded replies, checked on those replies",
      claims: BABILONG_CLAIMS,
      evidence: async () => originalScores(await openEvidence("babilong")),
    }),
  ],
  runClaims: BABILONG_RUN_CLAIMS,
};
