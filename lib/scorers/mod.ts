/**
 * Scores of replies: what was wanted, what was found, and why.
 *
 * @module
 */
export type { Score } from "./score.ts";
