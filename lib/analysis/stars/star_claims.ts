import { CLAIMS_OF_DESIGN } from "./_claims_of_design.ts";
import { CLAIMS_OF_LENGTH } from "./_claims_of_length.ts";
import { CLAIMS_OF_MODELS } from "./_claims_of_models.ts";
import type { Claim } from "../claims.ts";
import type { StarsPublished } from "./published_stars.ts";

/**
 * What the text of Counting-Stars (March 2024) claims and its published numbers can tell, in the order of their numbers.
 *
 * Where a claim says "on the whole" or "most", the measure taken is part of the statement; a letter marks what the text says
 * or implies beside it.
 */
export const STAR_CLAIMS: readonly Claim<StarsPublished>[] = [
  ...CLAIMS_OF_DESIGN,
  ...CLAIMS_OF_MODELS,
  ...CLAIMS_OF_LENGTH,
].toSorted((left, right) => numberOf(left.id) - numberOf(right.id));

function numberOf(id: string): number {
  return Number(id.match(/\d+/)![0]);
}
