import { RECALL_CLAIMS } from "./claims.ts";
import { priorKnowledge } from "./prior_knowledge.ts";
import { signedPoints } from "./recalls.ts";
import { scoredAnswer, type ScoredReply } from "@/lib/records/mod.ts";
import {
  type Claim,
  decidedByDifference,
  decidedByGroups,
  differenceInterval,
  type Finding,
  inPercent,
  meanOfClusters,
  meanOfRepeats,
  NO_DIFFERENCE,
  notAsked,
  pairedComparison,
  quoteOf,
  type RunEvidence,
  type RunReply,
  type ScorePair,
  type ScoreWithInterval,
  statedInterval,
} from "@/lib/statistics/mod.ts";

/** The recall of a model that finds nothing, in percent: each grade is at least 1 of 5. */
const LEAST_RECALL = 20;

/** The paper's three tests, in pairs. */
const PAIRS = [
  ["recall_pistachio", "recall_san_francisco"],
  ["recall_pistachio", "recall_thornfield"],
  ["recall_san_francisco", "recall_thornfield"],
] as const;

/**
 * The paper's central claim, checked on a run for each pair of tests: recall differs between two tests whose prompts differ only
 * in the needle and its question. Open unless the 95% interval decides it.
 */
const PAIR_CLAIMS: readonly Claim<RunEvidence>[] = PAIRS.map((pair, at) => ({
  id: `P${at + 1}`,
  source: "section 4.1, asked of the run",
  quote: "we see differences in performance between the San Francisco, Thornfield Hollow and PistachioAI tests",
  statement: `Recall differs between ${
    pair.join(" and ")
  } (our measure: with 95% confidence; surely within ${NO_DIFFERENCE} points it does not).`,
  check: ({ replies }): Finding => {
    const found = pairedRecall(replies, pair);
    return found === null ? notAsked("No cell has a grade in both tests.") : decide(found);
  },
}));

function decide(found: PairedRecall): Finding {
  const { low, high, units, recalls: scores } = found;
  if (statedInterval(found).low !== null && (low > 0 || high < 0)) {
    return { verdict: "holds", observed: foundText(found) };
  }
  const most = { low: 0, high: Math.max(-low, high), units };
  return decidedByDifference(most, foundText(found), { scores, floor: LEAST_RECALL });
}

function foundText(found: PairedRecall): string {
  return `${signedPoints(found)} over ${found.cells} cells; higher in ${found.higher}, lower in ${found.lower}.`;
}

/** Two tests compared cell by cell: the mean difference in points, with its 95% interval. */
export interface PairedRecall extends ScoreWithInterval {
  /** Cells in which both have a grade. */
  readonly cells: number;
  /** The texts of these cells. */
  readonly units: number;
  /** Cells in which the first is graded higher. */
  readonly higher: number;
  /** Cells in which the second is graded higher. */
  readonly lower: number;
  /** The recall of both over these cells, in percent. */
  readonly recalls: readonly [ScoreWithInterval, ScoreWithInterval];
}

/**
 * Compares two tests cell by cell (the same length and depth): the recall of the first less that of the
 * second; `null` if they share no cell.
 *
 * The interval is that of `pairedComparison`. Cells that share a text, as all of the paper's do, count once.
 */
export function pairedRecall(
  replies: readonly RunReply[],
  [first, second]: readonly [string, string],
): PairedRecall | null {
  const [ofFirst, ofSecond] = [gradesOf(replies, first), gradesOf(replies, second)];
  const pairs = [...ofFirst].flatMap(([cell, { cluster, least, value }]): ScorePair[] => {
    const second = ofSecond.get(cell);
    return second === undefined ? [] : [{ cluster, least, first: value!, second: second.value! }];
  });
  if (pairs.length === 0) return null;
  const { difference, low, high, units } = pairedComparison([pairs]);
  const differences = pairs.map((pair) => pair.first - pair.second);
  return {
    cells: pairs.length,
    higher: differences.filter((each) => each > 1e-9).length,
    lower: differences.filter((each) => each < -1e-9).length,
    score: difference,
    low,
    high,
    units,
    recalls: [recallOf(pairs, "first"), recallOf(pairs, "second")],
  };
}

function recallOf(pairs: readonly ScorePair[], test: "first" | "second"): ScoreWithInterval {
  return inPercent(meanOfClusters(pairs.map((pair) => ({ cell: "", ...pair, values: [pair[test]] }))));
}

function gradesOf(replies: readonly RunReply[], test: string): ReadonlyMap<string, RunReply> {
  const graded = meanOfRepeats(replies.filter(({ task }) => task === test)).filter(({ value }) => value !== null);
  return new Map(graded.map((reply) => [`${reply.length}/${reply.record.index}`, reply]));
}

/** Values below this are grades of 1 of 5. */
const MAX_LOWEST = 0.3;

/** Replies that state that the text has no answer. */
const NO_MENTION =
  /\bno (?:mention|information|reference)\b|\b(?:not|never|n't) (?:explicitly |specifically |directly )?(?:mention|state|provide|specif)/i;

/** The claims about prior knowledge and long texts, checked on a run; open unless the 95% interval decides them. */
const TRAINING_CLAIMS: readonly Claim<RunEvidence>[] = [
  {
    id: "P4",
    source: "as M23",
    quote: quoteOf(RECALL_CLAIMS, "M23"),
    statement: "The fictional needle is recalled better: recall_thornfield above recall_san_francisco.",
    check: ({ replies }) => {
      const found = pairedRecall(replies, ["recall_thornfield", "recall_san_francisco"]);
      if (found === null) return notAsked("No cell has a grade in both tests.");
      return decidedByDifference(found, foundText(found), { scores: found.recalls, floor: LEAST_RECALL });
    },
  },
  {
    id: "P5",
    source: "as M24",
    quote: quoteOf(RECALL_CLAIMS, "M24"),
    statement:
      "Answers from prior knowledge occur in the San Francisco test only (our measure: none in the Thornfield Hollow test, and with 95% confidence more in the other).",
    check: ({ replies, tasks }) => {
      const rows = priorKnowledge(replies.filter(isScored), tasks);
      const [conflicting, fictional] = ["recall_san_francisco", "recall_thornfield"].map((test) =>
        rows.find(({ task, fromMemory }) => task === test && fromMemory !== null)
      );
      if (conflicting === undefined || fictional === undefined) {
        return notAsked("It takes both tests and their questions asked without a text (document: none).");
      }
      const observed = [conflicting, fictional].map(({ task, fromMemory, wrong, replies: all }) =>
        `${task}: ${fromMemory} of ${wrong} wrong replies among ${all}`
      ).join("; ");
      const finding = decidedByDifference(differenceInterval(conflicting.share!, fictional.share!), `${observed}.`);
      return fictional.fromMemory! > 0 ? { ...finding, verdict: "fails" } : finding;
    },
  },
  {
    id: "P6",
    source: "as M25",
    quote: quoteOf(RECALL_CLAIMS, "M25"),
    statement:
      "The lowest grade, 1 of 5, is more frequent in long texts (our measure: the longer half of the lengths against the shorter, in the tests with a text).",
    check: ({ replies, tasks }) => {
      const graded = replies.filter(({ task, value }) =>
        value !== null && tasks[task]?.options["document"] !== "none" && task.startsWith("recall_")
      );
      const lengths = [...new Set(graded.map(({ length }) => length))].sort((one, other) => one - other);
      if (lengths.length < 2) return notAsked("There are no grades at two lengths.");
      const finding = decidedByGroups(graded, {
        of: ({ length }) => lengths.indexOf(length) >= lengths.length / 2 ? "long" : "short",
        groups: ["long", "short"],
        alike: ({ task }) => task,
        value: ({ value }) => Number(value! < MAX_LOWEST),
        words: "Replies with a grade of 1, longer texts less shorter",
        isRate: true,
      });
      const denied = graded.filter(isScored).filter((reply) =>
        reply.value! < MAX_LOWEST && NO_MENTION.test(scoredAnswer(reply))
      );
      return { ...finding, observed: `${finding.observed} ${denied.length} of them say that nothing is mentioned.` };
    },
  },
];

/** All claims of the paper that a run of one model can decide. */
export const RECALL_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [...PAIR_CLAIMS, ...TRAINING_CLAIMS];

/** Returns whether a reply has its text, as those of a run do. */
function isScored(reply: RunReply): reply is RunReply & ScoredReply {
  return "reply" in reply.record;
}
