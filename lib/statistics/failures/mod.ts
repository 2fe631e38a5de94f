/**
 * Classes of failures: why a reply is wrong, and how often.
 *
 * @module
 */
export { classifyFailure, explainFailedCall, explainFiltered } from "./classify_failure.ts";
export {
  type ExplainedReply,
  type FailedOutcome,
  type FailedSample,
  FAILURE_CLASSES,
  FAILURE_MEANINGS,
  type FailureClass,
  type FailureCount,
  type FailureEvidence,
  failureFinding,
  type FailureMode,
  type FailureRow,
  failureRows,
} from "./failure_rows.ts";
export { isLooping } from "./loops.ts";
