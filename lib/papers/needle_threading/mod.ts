/**
 * Needle Threading (Roberts et al. 2024): published numbers, claims and figures.
 *
 * @module
 */
export { THREADING_CLAIMS } from "./claims.ts";
export {
  contourFigure,
  type ContourFigureOptions,
  type PublishedLimit,
  publishedLimit,
  type PublishedLimitOptions,
} from "./contours.ts";
export type { ThreadingEvidence } from "./figure_claims.ts";
export {
  contextChart,
  knobMap,
  type KnobMapOptions,
  limitCurves,
  type LimitCurvesOptions,
  limitHeatmap,
  type LimitPoint,
  type ModelReplies,
  needleDepthMaps,
  taskLimitTable,
  type WindowedRun,
} from "./figures.ts";
export {
  type KnobLimit,
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
  modelLimitTable,
  type ModelThreadingScore,
  modelThreadingScores,
  threadingPart,
  threadingRows,
  type ThreadingRun,
} from "./model_scores.ts";
export { NEEDLE_THREADING_PAPER } from "./paper.ts";
export {
  type HaystackSize,
  openThreadingPublished,
  PUBLISHED_THREADING_TASKS,
  type PublishedContext,
  type PublishedContextLimit,
  type PublishedContourPoint,
  type PublishedThreadingTask,
  type ThreadingPublished,
  type ThreadingRepeats,
  type ThreadingTableScore,
  type ThreadSafetyPoint,
} from "./published.ts";
export { threadingSchematic } from "./schematic.ts";
export { type LevelFit, levelFits, type LevelFitsOptions } from "./table_level.ts";
export {
  accuracyCurves,
  type AccuracyCurvesOptions,
  type OwnScore,
  publishedLimitTable,
  publishedRepeatTable,
  publishedScoreTable,
  type PublishedTableOptions,
  repeatSummaryTable,
} from "./tables.ts";
export {
  countTexts,
  type FamilyCost,
  tokenizerFamilies,
  tokenizerFamilyChart,
  tokenizerFitTable,
} from "./tokenizer_families.ts";
