import { CLAIMS_OF_DESIGN } from "./_claims_of_design.ts";
import { CLAIMS_OF_LENGTH } from "./_claims_of_length.ts";
import { CLAIMS_OF_MODELS } from "./_claims_of_models.ts";
import type { Claim } from "../claims.ts";
import type { StarEvidence } from "./_star_words.ts";

export type { StarEvidence };

/**
 * What the text of Counting-Stars (March 2024) claims and its published numbers can tell, in the order of their numbers.
 *
 * The text is Chinese: quotes are our translation. Where it says "on the whole" or "most" the measure is ours, and the statement
 * says so; a letter marks what is asked beside the claim of that number.
 */
export const STAR_CLAIMS: readonly Claim<StarEvidence>[] = [
  ...CLAIMS_OF_DESIGN,
  ...CLAIMS_OF_MODELS,
  ...CLAIMS_OF_LENGTH,
].toSorted((left, right) => numberOf(left.id) - numberOf(right.id));

function numberOf(id: string): number {
  return Number(id.match(/\d+/)![0]);
}
