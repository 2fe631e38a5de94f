import { type CertificatePair, type CertificateRule, type CertificateState, certifyPairs } from "./decision.ts";
import { cellName, type CertificateDesign, ruleOf } from "./design.ts";
import { defined, mean } from "@/lib/base/mod.ts";
import { type AskedSample, askedSample } from "@/lib/asking/mod.ts";
import type { ScoredReply } from "@/lib/records/mod.ts";

/** Pairs the scores of base and change by context, in rounds of one of each cell, without contexts that are not asked in full. */
export function certificatePairs(
  design: Pick<CertificateDesign, "mix" | "firstPair" | "questions">,
  { base, change }: ArmScores,
): readonly CertificatePair[] {
  const [left, right] = [contextsOf(base, design), contextsOf(change, design)];
  const pairs = design.mix.flatMap((cell): CertificatePair[] => {
    const name = cellName(cell);
    return [...left.get(name) ?? []].flatMap(([round, before]) => {
      const after = right.get(name)?.get(round) ?? [];
      if (before.length < design.questions || after.length < design.questions) return [];
      return [pairOf({ cell: name, round }, before, after)];
    });
  });
  // The sort is stable, so cells keep their order.
  return pairs.sort((one, other) => one.round - other.round);
}

/** Groups scores by cell and by the number of their context. */
function contextsOf(
  scores: readonly AskedSample[],
  { firstPair, questions }: Pick<CertificateDesign, "firstPair" | "questions">,
): ReadonlyMap<string, ReadonlyMap<number, readonly AskedSample[]>> {
  const compared = scores.filter(({ index }) => index >= firstPair);
  return new Map(
    [...Map.groupBy(compared, cellName)].map(([name, ofCell]) =>
      [name, Map.groupBy(ofCell, ({ index }) => Math.floor((index - firstPair) / questions))] as const
    ),
  );
}

function pairOf(
  place: Pick<CertificatePair, "cell" | "round">,
  before: readonly AskedSample[],
  after: readonly AskedSample[],
): CertificatePair {
  const scored = before.flatMap(({ index, value }): [number, number][] => {
    const other = after.find((each) => each.index === index)?.value ?? null;
    return value === null || other === null ? [] : [[value, other]];
  });
  const meanOf = (at: 0 | 1): number | null => scored.length === 0 ? null : mean(scored, (pair) => pair[at]);
  const flips = (way: 1 | -1): number => scored.filter(([base, change]) => Math.sign(change - base) === way).length;
  return {
    ...place,
    base: meanOf(0),
    change: meanOf(1),
    questions: before.length,
    ...defined({ cluster: before[0]!.cluster }),
    flips: { better: flips(1), worse: flips(-1) },
  };
}

export type ArmScores = Readonly<Record<"base" | "change", readonly AskedSample[]>>;

/** The parts of a design that its pairs and its verdict follow from. */
export type JudgedBy = Omit<CertificateRule, "cells"> & Pick<CertificateDesign, "mix" | "firstPair" | "questions">;

/** What the pairs of a certificate show, with everything unknown counted for one side and for the other. */
export interface BoundedState {
  readonly pairs: readonly CertificatePair[];
  /** The state from the scores as they are, without those that are missing. */
  readonly state: CertificateState;
  /**
   * The states if everything unknown counted for the change, or for the base; `null` if nothing is unknown. Missing scores are right
   * on that side and wrong on the other. For the base, its replies that the output budget cut are right as well, unless the change's
   * is the same up to the cut: what the budget cut of different replies could hide a loss.
   */
  readonly bounds: Readonly<Record<"forChange" | "forBase", Omit<CertificateState, "low" | "high" | "path">>> | null;
  /** The verdict that the state has in spite of what is unknown; `not enough data` otherwise. */
  readonly verdict: CertificateState["verdict"];
}

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

/** Counts the missing scores of both arms for one side: right there, and wrong on the other. */
function countMissing(arms: ArmScores, favoured: "base" | "change"): ArmScores {
  const count = (side: "base" | "change"): readonly AskedSample[] =>
    arms[side].map((score) => score.value === null ? { ...score, value: Number(side === favoured) } : score);
  return { base: count("base"), change: count("change") };
}

/** Returns the scores of the replies themselves, where another measure decides. */
export function replyScores(replies: readonly ScoredReply[]): readonly AskedSample[] {
  return replies.map((reply) =>
    askedSample({ ...reply, value: reply.replyValue ?? null, failed: reply.record.reply.kind === "failure" })
  );
}

function keyOf(score: AskedSample): string {
  return `${score.index} of ${cellName(score)}`;
}

/** Counts replies of the base that the output budget cut as right, except those that are the same as the change's. */
function completeBase({ base, change }: ArmScores): ArmScores {
  const textKey = (score: AskedSample): string => `${keyOf(score)}: ${score.text}`;
  const same = new Set(change.filter(({ isCut, text }) => isCut && text !== undefined).map(textKey));
  const complete = (score: AskedSample): AskedSample =>
    score.isCut && !same.has(textKey(score)) ? { ...score, value: 1 } : score;
  return { base: base.map(complete), change };
}
