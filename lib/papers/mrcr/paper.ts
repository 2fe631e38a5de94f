import { MRCR_CLAIMS, MRCR_FLOOR_CLAIMS, MRCR_RUN_CLAIMS, openMrcrFloors } from "./claims.ts";
import type { Paper } from "@/lib/benchmarks/benchmark.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** MRCR: claims about both data sets of that name. */
export const MRCR_PAPER: Paper = {
  claims: [
    claimSet({
      name: "floors",
      title: "Statements about the score of a random text, checked on the rates of Google's repository",
      claims: MRCR_FLOOR_CLAIMS,
      evidence: openMrcrFloors,
    }),
    claimSet({
      name: "scores",
      title: "Statements about both MRCR v2, checked on their published scores",
      claims: MRCR_CLAIMS,
      evidence: () => openEvidence("mrcr"),
    }),
  ],
  runClaims: MRCR_RUN_CLAIMS,
};
