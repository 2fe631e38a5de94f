import { type ArmScore, cellName, type CertificateDesign, certificatePairs, ruleOf } from "./certificate.ts";
import {
  type CertificatePair,
  type CertificateRule,
  type CertificateState,
  certifyPairs,
} from "@/lib/statistics/mod.ts";

/** A score of one arm, with what is unknown about it: a value of `null` is missing. */
export interface BoundedScore extends ArmScore {
  /** Whether the output budget ended the reply before its answer; it counts as it stands. */
  readonly isCut?: boolean;
}

/** The scores of both arms of a certificate. */
export type ArmScores = Readonly<Record<"base" | "change", readonly BoundedScore[]>>;

/** The parts of a design that its pairs and its verdict follow from. */
export type JudgedBy =
  & Omit<CertificateRule, "cells">
  & Pick<CertificateDesign, "mix" | "firstPair" | "questions">;

/** What the pairs of a certificate show, with everything unknown counted for one side and for the other. */
export interface BoundedState {
  readonly pairs: readonly CertificatePair[];
  /** The state from the scores as they are, without those that are missing. */
  readonly state: CertificateState;
  /**
   * The states if everything unknown counted for the change, or for the base; `null` if nothing is unknown. Missing scores are right
   * on that side and wrong on the other. For the base, its replies that the output budget cut are right as well, unless the budget cut
   * the change's reply too: a gain over a base that was cut could hide a loss.
   */
  readonly bounds: Readonly<Record<"forChange" | "forBase", Omit<CertificateState, "low" | "high" | "path">>> | null;
  /** The verdict that the state has in spite of what is unknown; `not enough data` otherwise. */
  readonly verdict: CertificateState["verdict"];
}

/** Judges the scores of both arms. */
export function judgeArms(design: JudgedBy, arms: ArmScores): BoundedState {
  const pairs = certificatePairs(design, arms);
  const state = certifyPairs(pairs, ruleOf(design));
  const isKnown = [...arms.base, ...arms.change].every(({ value }) => value !== null);
  if (isKnown && !arms.base.some(({ isCut }) => isCut)) return { pairs, state, bounds: null, verdict: state.verdict };
  const bounds = {
    forChange: stateOf(design, countMissing(arms, "change")),
    forBase: stateOf(design, completeBase(countMissing(arms, "base"))),
  };
  const isSafe = Object.values(bounds).every(({ verdict }) => verdict === state.verdict);
  return { pairs, state, bounds, verdict: isSafe ? state.verdict : "not enough data" };
}

/** Returns a state whose verdict is exact and whose interval is coarse. */
function stateOf(design: JudgedBy, arms: ArmScores): CertificateState {
  return certifyPairs(certificatePairs(design, arms), ruleOf(design), [-design.margin / 100, 0]);
}

/**
 * Returns the share of the missing scores, in percent, up to which a verdict stands if they count against it and the others are left
 * out; in steps of 5. It is 0 without a verdict.
 */
export function standsUpTo(design: JudgedBy, arms: ArmScores, verdict: CertificateState["verdict"]): number {
  if (verdict === "not enough data") return 0;
  const stands = (percent: number): boolean =>
    (["change", "base"] as const).every((side) =>
      stateOf(design, countMissing(arms, side, percent / 100)).verdict === verdict
    );
  let [low, high] = [0, 21];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (stands(5 * middle)) low = middle;
    else high = middle;
  }
  return 5 * low;
}

/**
 * Counts missing scores for one side: right there, and wrong on the other.
 *
 * @param share The share of those of each arm that are counted, spread evenly; the others stay missing.
 */
function countMissing({ base, change }: ArmScores, favoured: "base" | "change", share = 1): ArmScores {
  const count = (scores: readonly BoundedScore[], side: "base" | "change"): readonly BoundedScore[] => {
    let missing = 0;
    return scores.map((score) => {
      if (score.value !== null) return score;
      missing++;
      const isCounted = Math.floor(missing * share) > Math.floor((missing - 1) * share);
      return isCounted ? { ...score, value: Number(side === favoured) } : score;
    });
  };
  return { base: count(base, "base"), change: count(change, "change") };
}

/** Counts replies of the base that the output budget cut as right, except those that it cut for the change too. */
function completeBase({ base, change }: ArmScores): ArmScores {
  const keyOf = (score: BoundedScore): string => `${score.index} of ${cellName(score)}`;
  const cutTwice = new Set(change.filter(({ isCut }) => isCut).map(keyOf));
  const complete = (score: BoundedScore): BoundedScore =>
    score.isCut && !cutTwice.has(keyOf(score)) ? { ...score, value: 1 } : score;
  return { base: base.map(complete), change };
}
