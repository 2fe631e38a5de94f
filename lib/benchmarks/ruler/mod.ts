/**
 * RULER (Hsieh et al. 2024): its tasks, published numbers, claims and figures.
 *
 * @module
 */
export { ABLATION_CLAIMS, type AblationEvidence } from "./ablation_claims.ts";
export { ablationFigure, type AblationFigureOptions } from "./ablation_figure.ts";
export {
  type AblationKnobs,
  ablationLines,
  type AblationPanel,
  type AblationPanelName,
  type AblationSeries,
  ablationTasks,
  type LinePoint,
  NO_CONTEXT_TASKS,
  publishedAblationLines,
  rulerAblations,
  type ScoreLine,
} from "./ablations.ts";
export { RULER_CLAIMS } from "./claims.ts";
export {
  type CategoryStability,
  type ClusterStability,
  type Resampling,
  studyStability,
  type StudyStabilityOptions,
  type TaskStability,
} from "./cluster_stability.ts";
export { COMMON_WORDS_READER, type CweOptions, cweTask } from "./common_words.ts";
export type { CategoryCluster } from "./correlation_clusters.ts";
export {
  categoryTable,
  clusterStabilityTable,
  correlationFigure,
  type CorrelationFigureOptions,
  linkageTable,
  type StudyTableOptions,
  taskTable,
} from "./correlation_figures.ts";
export {
  CORRELATION_CLAIMS,
  type CorrelationStudy,
  correlationStudy,
  type CorrelationStudyOptions,
  type ModelReplies,
  publishedCorrelationStudy,
} from "./correlation_study.ts";
export {
  type CorrelatedTasks,
  correlatedTasks,
  type CorrelationMatrix,
  correlationMatrix,
  type CorrelationMethod,
  type CorrelationOptions,
  type LeftOutTask,
  type ModelScore,
  type TaskVectors,
  taskVectors,
  type VectorColumn,
} from "./correlation.ts";
export {
  type Coverage,
  type CoverageBand,
  coverageBands,
  coverageFigure,
  type CoverageFigureOptions,
  type CoverageOptions,
  coverageTable,
  type CoverageTableOptions,
  simulateCoverage,
} from "./coverage.ts";
export { DOCUMENT_READER, QUESTION_READER, WORLD_READER } from "./document_readers.ts";
export { frequencyFigure, type FrequencyFigureOptions } from "./frequencies.ts";
export { CODED_WORDS_READER, type FweOptions, fweTask } from "./frequent_words.ts";
export { leaderboardTable, type LeaderboardTableOptions, settledTable } from "./leaderboard_tables.ts";
export {
  leaderboard,
  type LeaderboardAverages,
  type LeaderboardEntry,
  publishedBoard,
  type PublishedBoardOptions,
  type PublishedScoreOptions,
  type SettledLengths,
  settledLengths,
} from "./leaderboard.ts";
export { type Disagreement, type DisagreementCause, type DisagreementKind, disagreements } from "./misprints.ts";
export { FAMILY_CLAIMS, MODEL_CLAIMS } from "./model_claims.ts";
export {
  familyLines,
  type FamilyMember,
  modelFigure,
  type ModelFigureOptions,
  type ModelLine,
  publishedModelLines,
} from "./model_lines.ts";
export type { NeedleType } from "./needles.ts";
export { type HaystackType, NEEDLE_READER, type NiahOptions, niahTask } from "./niah.ts";
export type {
  PrintedAverages,
  PublishedCategory,
  PublishedModel,
  PublishedTask,
  PublishedThreshold,
  SeriesPoint,
  TaskScore,
} from "./published_tables.ts";
export {
  type CorrelatedTask,
  type Edition,
  openPublished,
  type PublishedRow,
  type RulerPublished,
  type TaskCorrelations,
} from "./published.ts";
export { type QaOptions, qaTask } from "./qa.ts";
export { type ProfileResidual, profileResiduals, residualFigure, residualTable } from "./residuals.ts";
export {
  RULER_GROUPS,
  RULER_OVERALL,
  RULER_STUDY_TASK_NAMES,
  RULER_TASK_NAMES,
  type RulerOptions,
  rulerTask,
  type RulerTaskName,
  type Variant,
  VARIANTS,
} from "./ruler.ts";
export { GENERATOR_CLAIMS, type GeneratorEvidence, RUN_CLAIMS, type RunEvidence } from "./run_claims.ts";
export {
  compareDesigns,
  type CompareDesignsOptions,
  type DesignsCompared,
  designsTable,
  type DesignsTableOptions,
} from "./search_designs.ts";
export { CHAIN_READER, type VtOptions, vtTask } from "./variable_tracking.ts";
