import { CLAIMS_OF_LENGTHS } from "./_claims_of_lengths.ts";
import { CLAIMS_OF_RANKS } from "./_claims_of_ranks.ts";
import { CLAIMS_OF_TABLES } from "./_claims_of_tables.ts";
import type { Claim } from "../claims.ts";
import type { RulerPublished } from "../published/published.ts";

/**
 * What the RULER paper (arXiv 2404.06654v1) says about its Tables 3, 4 and 10 to 16, each with a check against the
 * printed numbers.
 *
 * This and the other lists of RULER's claims quote the paper's English text; references in brackets are left out, and […]
 * stands for other words that are. Three of its words are measured alike in all of them: "large" is 10 points or more,
 * "significant" is beyond chance (a 95% interval that leaves out 0), and "nearly" or "almost perfect" is 95 or more.
 */
export const RULER_CLAIMS: readonly Claim<RulerPublished>[] = [
  ...CLAIMS_OF_LENGTHS,
  ...CLAIMS_OF_RANKS,
  ...CLAIMS_OF_TABLES,
].toSorted((left, right) => left.id.localeCompare(right.id, "en", { numeric: true }));
