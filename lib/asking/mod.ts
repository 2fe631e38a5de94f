/**
 * Asking a model: preflight, calls, batches, and replies graded by a second model.
 *
 * @module
 */
export { cancelBatches, lookAtBatches, type RunBatch } from "./batch_files.ts";
export { type Budget, type BudgetFit, budgetFitNote, fitBudget, parseBudget, withSamples } from "./budget.ts";
export { chooseFewer } from "./choose_fewer.ts";
export { decisionNotes } from "./decision_notes.ts";
export { type InterruptOptions, type Interrupts, takeInterrupts } from "./interrupt.ts";
export {
  checkWindow,
  measuresTemplate,
  type OverviewLine,
  type Preflight,
  preflight,
  serverTable,
  withTemplateTokens,
} from "./preflight.ts";
export type { PaidCall, Spending, SpendingLimit } from "./spending.ts";
export {
  type RegradedReply,
  type RegradeOptions,
  regradeReplies,
  type RegradeRow,
  regradeRows,
  regradeTable,
  type RegradeTableOptions,
  verdictOrigin,
} from "./regrade.ts";
export type { Batching } from "./run_batches.ts";
export type { AskedSample, ChooseSamples, SampleName } from "./run_chosen.ts";
export type { RunOptions } from "./run_plan.ts";
export { DEFAULT_CONCURRENCY, MAX_CONCURRENCY, type RunSummary } from "./ask_loop.ts";
export { asInRun, NothingCameYet, runStudy, type RunStudyOptions, type StudyRun } from "./run_study.ts";
export { chooseBySearch, searchRun } from "./search_run.ts";
export { ModelNotAskable } from "./watch_endpoint.ts";
