/**
 * Needle Threading (Roberts et al. 2024): published numbers, claims and figures.
 *
 * @module
 */
export { THREADING_CLAIMS } from "./claims.ts";
export { contourFigure, type ContourFigureOptions, type LimitPoint, publishedLimit } from "./contours.ts";
export type { ThreadingEvidence } from "./figure_claims.ts";
export {
  accuracyCurves,
  type AccuracyCurvesOptions,
  contextChart,
  knobMap,
  type KnobMapOptions,
  limitCurves,
  type LimitCurvesOptions,
  limitHeatmap,
  needleDepthMaps,
  type WindowedRun,
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
  type ModelContextLimitOptions,
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
  type PublishedTableOptions,
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
