/**
 * GraphWalks: published numbers, claims and figures.
 *
 * @module
 */
import { GRAPHWALKS_CLAIMS } from "./claims.ts";
import { openGraphScores } from "./published.ts";
import { GRAPHWALKS_RUN_CLAIMS } from "./run_claims.ts";
import { GRAPHWALKS } from "@/lib/benchmarks/graphwalks/graphwalks.ts";
import type { Paper } from "@/lib/papers/paper.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

export { GRAPHWALKS_CLAIMS } from "./claims.ts";
export {
  graphCurves,
  type GraphPoint,
  type GraphScore,
  openGraphScores,
  type OwnGraphScore,
  publishedPoints,
} from "./published.ts";
export { graphPoints } from "./run_claims.ts";

/** GraphWalks: its data card, and the model cards that report it. */
export const GRAPHWALKS_PAPER: Paper = {
  benchmark: GRAPHWALKS,
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
