/**
 * Seeded randomness: an independent stream of numbers for each path of names, and draws, shuffles and even spreads from it.
 *
 * @module
 */
export {
  type Draw,
  drawInTurn,
  integer,
  permutation,
  pick,
  placeIn,
  shuffle,
  stream,
  uuid,
  UUID_LENGTH,
  writeUuid,
} from "./draws.ts";
export { spread, spreadDepths, strata } from "./spread.ts";
