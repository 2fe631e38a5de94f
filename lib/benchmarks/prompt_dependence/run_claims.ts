import { signed } from "./claims.ts";
import { type PairedRecall, pairedRecall } from "./paired_recall.ts";
import { cannotTell, type Claim, type Finding, type RunEvidence } from "@/lib/statistics/mod.ts";

/** Differences of at most so many points are called none. */
const SAME = 1;

/** The paper's three tests, in pairs. */
const PAIRS = [
  ["recall_pistachio", "recall_san_francisco"],
  ["recall_pistachio", "recall_thornfield"],
  ["recall_san_francisco", "recall_thornfield"],
] as const;

/**
 * The paper's central claim, asked of a run pair by pair of tests: recall differs between two tests whose prompts differ only
 * in the needle and its question. A verdict is given only where the 95% interval leaves no doubt; within 1 point there is no
 * difference.
 */
export const RECALL_RUN_CLAIMS: readonly Claim<RunEvidence>[] = PAIRS.map((pair, at) => ({
  id: `P${at + 1}`,
  source: "section 4.1, asked of the run",
  kind: "paper",
  quote: "we see differences in performance between the San Francisco, Thornfield Hollow and PistachioAI tests",
  statement: `Recall differs between ${
    pair.join(" and ")
  } (our measure: with 95% confidence; surely within ${SAME} point it does not).`,
  check: ({ replies }): Finding => {
    const found = pairedRecall(replies, pair);
    return found === null ? cannotTell("No cell has a grade in both tests.") : decide(found);
  },
}));

function decide({ cells, higher, lower, score, low, high }: PairedRecall): Finding {
  const differs = low > 0 || high < 0;
  const isSame = low >= -SAME && high <= SAME;
  return {
    verdict: differs ? "holds" : isSame ? "fails" : "cannot tell",
    observed: `${signed(score)} points (95% interval ${signed(low)} to ${signed(high)}) over ${cells} cells; ` +
      `higher in ${higher}, lower in ${lower}.`,
  };
}
