/**
 * Reports of recorded runs: scores, comparisons, leaderboards, failures, close-ups and pages of samples.
 *
 * @module
 */
export {
  type CloseUp,
  closeUp,
  type CloseUpLine,
  pickReply,
  type ReplyPlace,
  type SurroundedFact,
} from "./close_up.ts";
export { compareReplies, type OutcomeChange, type RepliesCompared } from "./compare_replies.ts";
export {
  type ComparedRun,
  compareRuns,
  type RunsCompared,
  runScores,
  type SharedSample,
  type SharedSamples,
  sharedSamples,
} from "./compare_runs.ts";
export {
  depthFigure,
  openPlacer,
  type PlacedReplies,
  type PlacedReply,
  type Placer,
  placeReplies,
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
export {
  drawnFrom,
  drawnFromAll,
  type DrawnRun,
  type NativeLength,
  nativeLengths,
  nativeLengthText,
} from "./native_lengths.ts";
export { checkPapers, checkRunClaims, type ClaimedRun } from "./run_claims.ts";
export { planTable, type ReplyOutcome, replyOutcomes, runOverview } from "./run_overview.ts";
export { type RunAnswer, runAnswer, runHeadline } from "./run_answer.ts";
export { groupsOf, OWN_SHARE, reportJson, type RunReport, runReport } from "./run_report.ts";
export { type Explorer, type ExplorerOptions, openExplorer, thresholdScript } from "./explorer/page.ts";
export type {
  ExplorerAnswer,
  ExplorerFacts,
  ExplorerPrompt,
  ExplorerRow,
  LiveState,
  RebuiltRow,
  Verdict,
} from "./explorer/data.ts";
export type { RebuiltPrompt } from "./explorer/prompts.ts";
export { markPrompt, type PromptMark, type PromptPart, type Stretch } from "./marked_prompt.ts";
