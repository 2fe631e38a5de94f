/**
 * Certificates: whether a change to a model's server cost more than a margin of the score.
 *
 * @module
 */
export {
  type ArmChoice,
  CERTIFICATE_PAIRS,
  type Certified,
  certify,
  type CertifyOptions,
  type PlannedByBase,
} from "./certify.ts";
export { certifyRuns } from "./certify_runs.ts";
export { contextCorrelation } from "./context_correlation.ts";
export { type CertificatePair, type CertificateRule, type CertificateState, certifyPairs } from "./decision.ts";
export {
  type CertificateArm,
  type CertificateDesign,
  CERTIFICATES_FOLDER,
  type Frozen,
  type MixCell,
  readCertificate,
  type RegisteredCertificate,
} from "./design.ts";
export { expectedPairs, type PairForecast } from "./expected_pairs.ts";
export {
  type ArmFacts,
  type Certificate,
  type CertificateVerdict,
  type CertifiedCell,
  differenceText,
  recordedCertificate,
} from "./judge.ts";
export { certificateFacts, certificateFigure, certificatePage, certifiedCellTable, droppedCellTable } from "./page.ts";
export type { JudgedBy } from "./pairs.ts";
export { type CertificateRuns, readCertificateRuns } from "./recorded_runs.ts";
export {
  type CertificateAim,
  CertificatePaused,
  type CertifiedModel,
  NotEnoughData,
  type RunCertificateOptions,
} from "./session.ts";
export { certificateJunit, certificateMarkdown, failureJunit, failureMarkdown } from "./summary.ts";
