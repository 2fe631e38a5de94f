/**
 * Certificates: whether a change to a model's server cost more than a margin of the score.
 *
 * @module
 */
export {
  type CertificateAim,
  CertificatePaused,
  type CertificateSession,
  type CertifiedModel,
  runCertificate,
  type RunCertificateOptions,
  ServerChanged,
} from "./certify.ts";
export { type CertificatePair, type CertificateRule, type CertificateState, certifyPairs } from "./decision.ts";
export { type CertificateDesign, CERTIFICATES_FOLDER, readCertificate, type RegisteredCertificate } from "./design.ts";
export { contextCorrelation, expectedPairs } from "./expected_pairs.ts";
export { type Certificate, certifyRuns, differenceText, recordedCertificate } from "./judge.ts";
export {
  certificateFacts,
  certificateFigure,
  certificateJunit,
  certificateMarkdown,
  certificatePage,
  certificateTable,
  certifiedCellTable,
  droppedCellTable,
  failureJunit,
  failureMarkdown,
} from "./page.ts";
export { type CertificateRuns, readCertificateRuns } from "./recorded_runs.ts";
