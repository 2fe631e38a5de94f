/**
 * Seeded randomness: a stream of numbers for each path of names, and the draws, shuffles and spreads made from it.
 *
 * @module
 */
export { type Draw, stream } from "./stream.ts";
export { distinct, integer, pick, shuffle, uuid } from "./draws.ts";
export { spread } from "./spread.ts";
export { strata } from "./strata.ts";
