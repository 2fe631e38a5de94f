/**
 * Reports of recorded runs: scores, comparisons, leaderboards, failures, close-ups and pages of samples.
 *
 * @module
 */
export {
  type CloseUp,
  closeUp,
  type CloseUpLine,
  type CloseUpOptions,
  closeUpTable,
  type CloseUpTableOptions,
  factTable,
  pickReply,
  type ReplyPlace,
  type SurroundedFact,
} from "./close_up.ts";
export {
  apartTable,
  type ApartTableOptions,
  compareReplies,
  type OutcomeChange,
  type RepliesCompared,
  type ReplyPair,
} from "./compare_replies.ts";
export {
  type ComparedRun,
  compareRuns,
  type RunsCompared,
  type SharedSample,
  type SharedSamples,
  sharedSamples,
} from "./compare_runs.ts";
export {
  publishedScores,
  publishedSuiteScores,
  runScores,
  type SuiteCost,
  suiteCosts,
  suiteCostTable,
  type SuitePair,
  suitePairs,
  suitePairTable,
  type SuiteRun,
  type SuiteScore,
  suiteScores,
  type SuiteSeparation,
  suiteSeparations,
  suiteSeparationTable,
  type SuiteTableOptions,
  type SuiteTaskScore,
} from "./compare_suites.ts";
export { SUITE_CLAIMS } from "./suite_claims.ts";
export {
  type DepthFigure,
  depthFigure,
  openPlacer,
  type PlacedReply,
  type Placer,
  placeReplies,
  type SkippedTask,
} from "./depth_report.ts";
export {
  closedBookAnswers,
  type ExplainedRecord,
  type Explainer,
  type FailedReply,
  failureFigure,
  openExplainer,
  type RunFailures,
  runFailures,
  type RunFailuresOptions,
} from "./failures.ts";
export { type ModelMeans, modelMeans, runLimits, type RunLimitsOptions, runLimitTable } from "./model_means.ts";
export { drawnFrom, drawnFromAll, type DrawnRun, type NativeLength, nativeLengths } from "./native_lengths.ts";
export {
  jointName,
  type LeaderboardRow,
  leaderboardRows,
  type RunBoard,
  type RunLeaderboard,
  runLeaderboard,
  type RunLeaderboardOptions,
  shortName,
} from "./run_leaderboard.ts";
export { planTable, type ReplyOutcome, replyOutcomes } from "./run_overview.ts";
export { runHeadline, type RunReport, runReport } from "./run_report.ts";
export {
  openSamplePage,
  type RebuiltPrompt,
  type SamplePage,
  type SamplePageOptions,
  type ShortMode,
} from "./sample_page.ts";
export { markPrompt, type PromptMark, type PromptPart, type Stretch } from "./marked_prompt.ts";
