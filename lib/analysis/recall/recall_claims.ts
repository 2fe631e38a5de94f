import type { Claim } from "../claims.ts";
import { CLAIMS_OF_DESIGN } from "./_claims_of_design.ts";
import { CLAIMS_OF_MODELS } from "./_claims_of_models.ts";
import { CLAIMS_OF_TESTS } from "./_claims_of_tests.ts";
import type { RecallPublished } from "./recall_published.ts";

/**
 * What Machlab and Battle say about Tables 1 and 5 (arXiv 2404.08865v1), each with a check against the printed numbers, and two
 * checks of ours. Only a translation of the text was at hand: quotes are our translation back.
 */
export const RECALL_CLAIMS: readonly Claim<RecallPublished>[] = [
  ...CLAIMS_OF_DESIGN,
  ...CLAIMS_OF_TESTS,
  ...CLAIMS_OF_MODELS,
].toSorted((left, right) => left.id.localeCompare(right.id, "en", { numeric: true }));
