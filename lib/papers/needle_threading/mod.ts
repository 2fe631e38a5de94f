/**
 * Needle Threading (Roberts et al. 2024): published numbers, claims and figures.
 *
 * @module
 */
export { THREADING_CLAIMS } from "./claims.ts";
export { contourFigure, type LimitPoint, publishedLimit } from "./contours.ts";
export type { ThreadingEvidence } from "./figure_claims.ts";
export {
  accuracyCurves,
  type AccuracyCurvesOptions,
  contextChart,
  knobMap,
  limitCurves,
  type LimitCurvesOptions,
  limitHeatmap,
  needleDepthMaps,
} from "./figures.ts";
export {
  knobLimits,
  type KnobLimitsOptions,
  pairCharactersPerToken,
  type TaskLimit,
  taskLimit,
  type TaskLimitOptions,
} from "./limits.ts";
export {
  type ModelContextLimit,
  modelContextLimits,
  type ModelThreadingScore,
  modelThreadingScores,
  partialRows,
  threadingPart,
  threadingRows,
  type ThreadingRun,
} from "./model_scores.ts";
export { NEEDLE_THREADING_PAPER } from "./paper.ts";
export {
  openThreadingPublished,
  PUBLISHED_THREADING_TASKS,
  type PublishedContextLimit,
  type PublishedContourPoint,
  type PublishedThreadingTask,
  type ThreadingCell,
  type ThreadingPublished,
  type ThreadingTableScore,
} from "./published.ts";
export { type SchematicSource, threadingSchematic } from "./schematic.ts";
export { type LevelFit, levelFits } from "./table_level.ts";
export {
  type LimitTableOptions,
  modelLimitTable,
  publishedLimitTable,
  publishedRepeatTable,
  publishedScoreTable,
  repeatSummaryTable,
  taskLimitTable,
} from "./tables.ts";
export {
  countTexts,
  type FamilyCost,
  type TokenizerCost,
  tokenizerFamilies,
  tokenizerFamilyChart,
  tokenizerFitTable,
} from "./tokenizer_families.ts";
