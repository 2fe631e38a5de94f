/**
 * BABILong: the authors' recorded replies counted by two scorers, claims and figures.
 *
 * @module
 */
import { BABILONG_CLAIMS, BABILONG_RUN_CLAIMS } from "./claims.ts";
import { openBabilongCounts } from "./published.ts";
import { BABILONG } from "@/lib/benchmarks/babilong/babilong.ts";
import type { Paper } from "@/lib/papers/paper.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

export { BABILONG_CLAIMS, type Counts } from "./claims.ts";
export { faultTable, recordedCurves, type RecordedCurvesOptions } from "./figures.ts";
export {
  accuracyRows,
  BABILONG_MODELS,
  type BabilongCounts,
  type BabilongScoring,
  lengthName,
  meanRows,
  openBabilongCounts,
} from "./published.ts";

/** BABILong: claims of the paper and its code, checked on the replies that the authors recorded in 2024 and 2026. */
export const BABILONG_PAPER: Paper = {
  benchmark: BABILONG,
  claims: [
    claimSet({
      name: "recorded replies",
      title: "The paper, its code and the recorded replies, checked on those replies",
      claims: BABILONG_CLAIMS,
      evidence: openBabilongCounts,
    }),
  ],
  runClaims: BABILONG_RUN_CLAIMS,
};
