/**
 * MRCR: the published scores of OpenAI's and of Google DeepMind's, claims and figures.
 *
 * @module
 */
import { MRCR_CLAIMS } from "./claims.ts";
import { openMrcrPublished } from "./published.ts";
import { MRCR_RUN_CLAIMS } from "./run_claims.ts";
import { MRCR } from "@/lib/benchmarks/mrcr/mrcr.ts";
import type { Paper } from "@/lib/papers/paper.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

export { googleFigure, openaiFigure } from "./figures.ts";
export {
  BIN_QUESTIONS,
  type MrcrPublished,
  type OpenaiScore,
  openaiScores,
  openMrcrPublished,
  publishedFloor,
} from "./published.ts";

/** MRCR: claims about both data sets of that name. */
export const MRCR_PAPER: Paper = {
  benchmark: MRCR,
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
