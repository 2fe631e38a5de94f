/**
 * OpenCompass's needle test CDME: published numbers, claims and figures.
 *
 * @module
 */
import { CDME_CLAIMS } from "./claims.ts";
import { CDME } from "@/lib/benchmarks/cdme/needles.ts";
import type { Paper } from "@/lib/papers/paper.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

export { CDME_CLAIMS };
export {
  type OpencompassCell,
  opencompassMap,
  type OpencompassMapOptions,
  opencompassMaps,
  type OpencompassSummary,
  readOpencompassPredictions,
  readOpencompassSummary,
} from "./opencompass.ts";
export {
  type KindedReply,
  modelReplyCounts,
  modelTwinRows,
  modelTwinTable,
  type ReplyCounts,
  replyCounts,
  replyCountTable,
  type TwinRow,
  twinRows,
  twinTable,
  type TwinTableOptions,
} from "./tables.ts";

/** OpenCompass's needle test: claims about its code, checked on the code as rebuilt here. */
export const CDME_PAPER: Paper = {
  benchmark: CDME,
  claims: [
    claimSet({
      name: "code",
      title: "Statements about OpenCompass's needle test, checked on its code as rebuilt here",
      origin: "measured",
      claims: CDME_CLAIMS,
      evidence: () => undefined,
    }),
  ],
  runClaims: [],
};
