import { CLAIMS_OF_CHAINS } from "./_claims_of_chains.ts";
import { CLAIMS_OF_COUNTS } from "./_claims_of_counts.ts";
import { CLAIMS_OF_NEEDLES } from "./_claims_of_needles.ts";
import { CLAIMS_OF_WORDS } from "./_claims_of_words.ts";
import type { Claim } from "../claims.ts";
import type { ExplainedReply } from "../failures/failure_rows.ts";
import type { ScoreLine } from "./score_line.ts";

/** What claims about task settings look at: the lines of Figures 2 and 3, printed or of a run. */
export interface AblationEvidence {
  /** The lines, from `publishedAblationLines` or `ablationLines`. */
  readonly lines: readonly ScoreLine[];
  /** Every reply with its ways of failing, from `explainRun`; `null` where replies are not known, as the paper's are not. */
  readonly replies: readonly ExplainedReply[] | null;
}

/**
 * What section 5 of the RULER paper says about Yi-34B, each with a check that decides on any model's lines: first on the
 * printed ones, then on those of a run. A verdict is given only where intervals leave no doubt. "Longest" is the longest
 * length of the lines, 256K in the paper.
 */
export const ABLATION_CLAIMS: readonly Claim<AblationEvidence>[] = [
  ...CLAIMS_OF_NEEDLES,
  ...CLAIMS_OF_COUNTS,
  ...CLAIMS_OF_CHAINS,
  ...CLAIMS_OF_WORDS,
].toSorted((left, right) => left.id.localeCompare(right.id, "en", { numeric: true }));
