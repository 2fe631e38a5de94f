/**
 * Asking a model: preflight, calls, batches, and replies graded by a second model.
 *
 * @module
 */
export {
  DEFAULT_CONCURRENCY,
  type Interrupts,
  MAX_CONCURRENCY,
  ModelNotAskable,
  type PaidCall,
  type RunSummary,
  type Spending,
  type SpendingLimit,
  type StopSignal,
  takeInterrupts,
} from "./ask_loop.ts";
export { cancelBatches, lookAtBatches, type RunBatch } from "./batch_files.ts";
export {
  type CertificateAim,
  CertificatePaused,
  type CertificateSession,
  type CertifiedModel,
  isUnstable,
  runCertificate,
  type RunCertificateOptions,
  ServerChanged,
} from "./certify.ts";
export {
  type AskedSample,
  chooseBySearch,
  chooseFewer,
  type ChooseSamples,
  type SampleCount,
  type SampleName,
  searchRun,
} from "./choose_samples.ts";
export { decisionNotes } from "./decision_notes.ts";
export { type Preflight, preflight, withTemplateTokens } from "./preflight.ts";
export { measuresTemplate, type OverviewLine, serverTable } from "./server_findings.ts";
export { checkWindow } from "./window_fit.ts";
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
