/**
 * RULER (Hsieh et al. 2024): published numbers, claims and figures.
 *
 * @module
 */
export { ABLATION_CLAIMS } from "./ablation_claims.ts";
export {
  ablationFigure,
  type AblationFigureOptions,
  type AblationLine,
  ablationLines,
  type AblationPanel,
  ablationPanels,
  type KnobCost,
  knobCosts,
  publishedAblationLines,
} from "./ablations.ts";
export { clusterTree, correlationDistances, type Linkage, type SortedTasks } from "./clustering.ts";
export {
  type CorrelatedTasks,
  correlatedTasks,
  type CorrelationMatrix,
  correlationMatrix,
  type ModelScore,
  type TaskVectors,
  taskVectors,
  type VectorColumn,
} from "./correlation.ts";
export {
  categoryTable,
  CORRELATION_CLAIMS,
  correlationFigure,
  type CorrelationFigureOptions,
  type CorrelationStudy,
  correlationStudy,
  type ModelReplies,
  publishedCorrelationStudy,
  type StudyTableOptions,
  taskTable,
} from "./correlation_study.ts";
export {
  type BoardModel,
  type RankedMean,
  type RulerLeaderboard,
  rulerLeaderboard,
  type RulerLeaderboardRow,
  rulerLeaderboardTable,
  type RulerLeaderboardTableOptions,
} from "./leaderboard.ts";
export { LEADERBOARD_CLAIMS } from "./leaderboard_claims.ts";
export {
  compareDesigns,
  type CompareDesignsOptions,
  type DesignsCompared,
  designsTable,
  normalInterval,
} from "./method_figures.ts";
export { FAMILY_CLAIMS, MODEL_CLAIMS } from "./model_claims.ts";
export { familyLines, type FamilyMember, modelFigure, type ModelLine, publishedModelLines } from "./model_lines.ts";
export { RULER_PAPER } from "./paper.ts";
export {
  type CategoryName,
  type Edition,
  openPublished,
  type PublishedCategory,
  type PublishedRow,
  type RulerPublished,
} from "./published.ts";
export {
  publishedBoard,
  publishedModels,
  publishedTable,
  recomputedTable,
  settledTable,
} from "./published_leaderboard.ts";
export { type AblationEvidence, COPYING_CLAIMS, type CopyingModel } from "./reply_claims.ts";
export type { LineFigureOptions, LinePoint, ScoreLine } from "./score_lines.ts";
export { TOP_MODEL_CLAIMS } from "./table_claims.ts";
