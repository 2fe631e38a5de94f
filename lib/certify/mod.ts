/**
 * Certificates: whether a change to a model's server cost more than a margin of the score.
 *
 * @module
 */
export { type ArmChoice, certificateFolder, type Certified, type CertifyOptions, type PlannedByBase } from "./arms.ts";
export { CERTIFICATE_PAIRS, certify } from "./certify.ts";
export { certifyRuns } from "./certify_runs.ts";
export { type CertificatePair, type CertificateRule, type CertificateState, certifyPairs } from "./decision.ts";
export { type CertificateArm, type CertificateDesign, type Frozen, type MixCell } from "./design.ts";
export { expectedPairs, type PairForecast } from "./expected_pairs.ts";
export {
  type ArmFacts,
  type Certificate,
  type CertificateVerdict,
  type CertifiedCell,
  differenceText,
  type JudgedDesign,
  recordedCertificate,
} from "./judge.ts";
export { certificateFacts, certificateFigure, certificatePage, certifiedCellTable, droppedCellTable } from "./page.ts";
export type { JudgedBy } from "./pairs.ts";
export type { CertificateRuns } from "./recorded_runs.ts";
export {
  type CertificateAim,
  CertificatePaused,
  type CertifiedModel,
  NotEnoughData,
  type RunCertificateOptions,
} from "./session.ts";
export { SMOKE } from "./smoke.ts";
export { type CertificateCheck, verifyCertificate } from "./verify_certificate.ts";
export { certificateJunit, certificateMarkdown, failureJunit, failureMarkdown } from "./summary.ts";
