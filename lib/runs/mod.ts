/**
 * Runs: plan, ask, record, resume.
 *
 * @module
 */
export type { RunRecord } from "./record.ts";
