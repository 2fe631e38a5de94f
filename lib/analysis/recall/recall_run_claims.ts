import type { Claim, Finding } from "../claims.ts";
import { signed } from "./_recall_evidence.ts";
import type { PairedRecall } from "./paired_recall.ts";

/** Differences of at most so many points are called none. */
const SAME = 1;

/**
 * The paper's central claim, asked of a run pair by pair of tests: recall differs between two tests whose prompts differ in the needle
 * and its question alone. A verdict is given only where the 95% interval leaves no doubt; within 1 point there is no difference.
 *
 * @param pairs The comparisons of a run, from `pairedRecall`.
 * @returns A claim for each pair, to be checked against it.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const pair = { first: "a", second: "b", cells: 9, higher: 5, lower: 0, score: 8, low: 3, high: 14 };
 * equal(recallRunClaims([pair])[0]?.check(undefined).verdict, "holds");
 * ```
 */
export function recallRunClaims(pairs: readonly PairedRecall[]): readonly Claim<unknown>[] {
  return pairs.map((pair, at) => ({
    id: `P${at + 1}`,
    source: "section 4.1, asked of the run",
    kind: "paper",
    quote: "we see differences in performance between the San Francisco, Thornfield Hollow and PistachioAI tests",
    statement:
      `Recall differs between ${pair.first} and ${pair.second} (our measure: with 95% confidence; surely within ${SAME} point it does not).`,
    check: (): Finding => decide(pair),
  }));
}

function decide({ cells, higher, lower, score, low, high }: PairedRecall): Finding {
  const differs = low > 0 || high < 0;
  const isSame = low >= -SAME && high <= SAME;
  return {
    verdict: differs ? "holds" : isSame ? "fails" : "cannot tell",
    observed: `${signed(score)} points (95% interval ${signed(low)} to ${signed(high)}) over ${cells} cells; ` +
      `higher in ${higher}, lower in ${lower}.`,
  };
}
