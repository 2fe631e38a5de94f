/**
 * OpenCompass's needle test CDME: published numbers, claims and figures.
 *
 * @module
 */
export { CDME_CLAIMS } from "./claims.ts";
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
  type OpencompassAnswers,
  type OpencompassFile,
  opencompassFiles,
  type OpencompassRun,
  opencompassScoreFiles,
} from "./opencompass_output.ts";
export { CDME_PAPER } from "./paper.ts";
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
