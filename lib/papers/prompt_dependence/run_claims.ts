import { LEAST_RECALL, RECALL_CLAIMS } from "./claims.ts";
import { signedPoints } from "./recalls.ts";
import { onReplies } from "@/lib/papers/evidence/pairs.ts";
import {
  type Claim,
  comparePairs,
  decidedByDifference,
  type Finding,
  inPercent,
  meanOfClusters,
  notAsked,
  type PairedRow,
  type PairedSample,
  pairRecords,
  type RunEvidence,
  type RunReply,
  type ScoreWithInterval,
  verdictOf,
} from "@/lib/statistics/mod.ts";

const PAIRS = [
  ["recall_pistachio", "recall_san_francisco"],
  ["recall_pistachio", "recall_thornfield"],
  ["recall_thornfield", "recall_san_francisco"],
] as const;

/** Two tests compared cell by cell: the recall of the first minus that of the second, in points. */
export interface RecallPair extends ScoreWithInterval, Pick<PairedRow, "n" | "units"> {
  readonly tests: readonly [string, string];
  /** Whether a difference is shown, corrected for the other pairs. */
  readonly isShown: boolean;
  /** The recall of both over these cells, in percent. */
  readonly recalls: readonly [ScoreWithInterval, ScoreWithInterval];
}

/**
 * Compares the paper's tests in pairs, cell by cell: at the same length, depth and text, only the needle and its question differ.
 * Cells that share a text count once (`comparePairs`); pairs without a common cell are left out.
 */
export function recallPairs(replies: readonly RunReply[]): readonly RecallPair[] {
  const matched = PAIRS.map((tests) => {
    const [first, second] = tests.map((test) =>
      replies.filter(({ task }) => task === test).map((reply) => ({ ...reply, task: "recall" }))
    );
    return { tests, pairs: pairRecords(second!, first!).pairs };
  }).filter(({ pairs }) => pairs.length > 0);
  const { rows } = comparePairs(matched.map(({ pairs }) => pairs), { by: ["all"] });
  return matched.map(({ tests, pairs }, at): RecallPair => {
    const { n, units, difference, low, high, higher } = rows[at]![0]!;
    const recalls = [recallOf(pairs, "other"), recallOf(pairs, "baseline")] as const;
    return { tests, n, units, score: difference, low, high, isShown: higher !== null, recalls };
  });
}

function recallOf(pairs: readonly PairedSample[], test: "baseline" | "other"): ScoreWithInterval {
  return inPercent(meanOfClusters(pairs.map(({ length, cluster, least, ...pair }) => (
    { cell: String(length), cluster, least, values: [pair[test]] }
  ))));
}

function pairText({ tests, n, ...difference }: RecallPair): string {
  return `${tests.join(" minus ")}: ${signedPoints(difference)} over ${n} cells`;
}

/** Decides whether the first test of a pair is above the second. */
function decideAbove(pair: RecallPair): Finding {
  return decidedByDifference(pair, `${pairText(pair)}.`, { scores: pair.recalls, floor: LEAST_RECALL });
}

/** Decides whether any two tests differ: open unless one pair surely does, or all surely differ by less than counts. */
function decideAny(pairs: readonly RecallPair[]): Finding {
  if (pairs.length === 0) return notAsked("No cell has a grade in two tests.");
  const surelyAlike = pairs.every((pair) => {
    const widest = { low: 0, high: Math.max(-pair.low, pair.high), units: pair.units };
    return decideAbove({ ...pair, ...widest }).verdict === "fails";
  });
  const verdict = verdictOf(pairs.some(({ isShown }) => isShown), surelyAlike && pairs.length === PAIRS.length);
  return { verdict, observed: `${pairs.map(pairText).join("; ")}.` };
}

/** The claims of the paper that a run of one model can decide; open unless 95% intervals decide them. */
export const RECALL_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  onReplies(RECALL_CLAIMS, "M2", {
    statement: "Recall differs between the tests (our measure: between any two, corrected for the number of pairs).",
    quantifier: { of: "some", word: "differences" },
    check: ({ replies }) => decideAny(recallPairs(replies)),
  }),
  onReplies(RECALL_CLAIMS, "M5", {
    statement: "The fictional needle is recalled better: recall_thornfield above recall_san_francisco.",
    quantifier: { of: "on average", word: "degrades" },
    check: ({ replies }) => {
      const pair = recallPairs(replies).find(({ tests: [first] }) => first === "recall_thornfield");
      return pair === undefined ? notAsked("No cell has a grade in both tests.") : decideAbove(pair);
    },
  }),
];
