/**
 * From records and published tables to summaries, intervals and claims.
 *
 * @module
 */
export type { Origin, ScoreRow } from "./row.ts";
