/**
 * Seeded randomness: a stream of numbers for each path of names, and the draws, shuffles and spreads made from it.
 *
 * @module
 */
export { integer, permutation, pick, shuffle, uuid } from "./draws.ts";
export { spread, strata } from "./spread.ts";
export { type Draw, stream } from "./stream.ts";
