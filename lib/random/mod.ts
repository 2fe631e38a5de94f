/**
 * Seeded randomness: an independent stream of numbers for each path of names, and draws, shuffles and even spreads from it.
 *
 * @module
 */
export { integer, permutation, pick, placeIn, shuffle, uuid, UUID_LENGTH, writeUuid } from "./draws.ts";
export { openSpread, spread, strata } from "./spread.ts";
export { type Draw, stream } from "./stream.ts";
