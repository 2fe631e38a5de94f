import { MRCR_CLAIMS } from "./claims.ts";
import { openMrcrPublished } from "./published.ts";
import { MRCR_RUN_CLAIMS } from "./run_claims.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** MRCR: claims about both data sets of that name. */
export const MRCR_PAPER: Paper = {
  claims: [
    claimSet({
      name: "scores",
      title: "Statements about both MRCR v2, checked on their published scores and rebuilt scorers",
      claims: MRCR_CLAIMS,
      evidence: openMrcrPublished,
    }),
  ],
  runClaims: MRCR_RUN_CLAIMS,
};
