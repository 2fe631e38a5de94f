/**
 * Needle Threading (Roberts, Han and Albanie 2024): its tasks and scorers.
 *
 * @module
 */
export { countedPairs, PAIR_CHARACTERS, pairTokens, type ThreadingKind } from "./pairs.ts";
export { threadingRowFields } from "./test_rows.ts";
export { type ValueForm, valueMatch, type ValueScore } from "./scorer.ts";
export { NEEDLE_THREADING, THREADING } from "./threading.ts";
