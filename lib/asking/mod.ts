/**
 * Asking a model: preflight, calls, batches, and replies graded by a second model.
 *
 * @module
 */
export { cancelBatches, lookAtBatches, type RunBatch } from "./batch_files.ts";
export {
  type AskedSample,
  askedSample,
  chooseBySearch,
  type ChooseSamples,
  nameOf,
  type SampleName,
  searchRun,
} from "./choose_samples.ts";
export { decisionNotes } from "./decision_notes.ts";
export { asRunBegan, type Preflight, preflight, withTemplateTokens } from "./preflight.ts";
export { type Findings, findingTexts, measuresTemplate, type OverviewLine, serverTable } from "./server_findings.ts";
export { checkWindow, type WindowNeed } from "./window_fit.ts";
export { type Interrupts, type StopSignal, takeInterrupts } from "./interrupts.ts";
export { DEFAULT_CONCURRENCY, MAX_CONCURRENCY } from "./pool.ts";
export {
  type RegradedReply,
  type RegradeOptions,
  regradeReplies,
  type RegradeRow,
  regradeRows,
  regradeTable,
  verdictOrigin,
} from "./regrade.ts";
export type { Batching } from "./run_batches.ts";
export type { RunOptions } from "./run_plan.ts";
export { asInRun, NothingCameYet, runStudy, type RunStudyOptions, type StudyRun } from "./run_study.ts";
export type { PaidCall, Spending, SpendingLimit } from "./spending.ts";
export type { RunSummary } from "./tally.ts";
export { type Verdict, verdictFile } from "./verdicts.ts";
export { ModelNotAskable } from "./watch.ts";
export { changeText, replyChanges, watchReplies } from "./reply_changes.ts";
