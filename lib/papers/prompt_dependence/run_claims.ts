import { signedPoints } from "./_recall_table.ts";
import {
  cannotTell,
  type Claim,
  type Finding,
  inPercent,
  meanOfClusters,
  meanOfRepeats,
  pairedComparison,
  type RunEvidence,
  type RunReply,
  type ScorePair,
  type ScoreWithInterval,
  unlessAtEdge,
} from "@/lib/statistics/mod.ts";

/** Differences of at most so many points are called none. */
const SAME = 1;

/** The recall of a model that finds nothing, in percent: each grade is at least 1 of 5. */
const LEAST_RECALL = 20;

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

function decide({ cells, higher, lower, score, low, high, recalls }: PairedRecall): Finding {
  const differs = low > 0 || high < 0;
  const isSame = low >= -SAME && high <= SAME;
  const finding: Finding = {
    verdict: differs ? "holds" : isSame ? "fails" : "cannot tell",
    observed: `${signedPoints({ score, low, high })} over ${cells} cells; ` +
      `higher in ${higher}, lower in ${lower}.`,
  };
  return isSame && !differs ? unlessAtEdge(finding, recalls, { bar: SAME, floor: LEAST_RECALL }) : finding;
}

/** Two tests compared cell by cell: the mean difference in points, with its 95% interval. */
export interface PairedRecall extends ScoreWithInterval {
  /** Cells in which both have a grade. */
  readonly cells: number;
  /** Cells in which the first is graded higher. */
  readonly higher: number;
  /** Cells in which the second is. */
  readonly lower: number;
  /** The recall of both over these cells, in percent. */
  readonly recalls: readonly [ScoreWithInterval, ScoreWithInterval];
}

/**
 * Subtracts the recall of the second test from the first's, cell by cell: the same length, depth and text around the needle.
 *
 * The interval is that of `pairedComparison`: cells of one text count as one, and few texts give a wide interval, even if they are
 * all alike. It is `null` where the tests share no cell.
 */
export function pairedRecall(
  replies: readonly RunReply[],
  [first, second]: readonly [string, string],
): PairedRecall | null {
  const [ofFirst, ofSecond] = [gradesOf(replies, first), gradesOf(replies, second)];
  const pairs = [...ofFirst].flatMap(([cell, { value, cluster }]): ScorePair[] => {
    const other = ofSecond.get(cell);
    return other === undefined ? [] : [{ cluster, first: value, second: other.value }];
  });
  if (pairs.length === 0) return null;
  const { difference, low, high } = pairedComparison([pairs]);
  const differences = pairs.map((pair) => pair.first - pair.second);
  return {
    cells: pairs.length,
    higher: differences.filter((each) => each > 1e-9).length,
    lower: differences.filter((each) => each < -1e-9).length,
    ...{ score: difference, low, high },
    recalls: [
      recallOf(pairs.map(({ cluster, first }) => ({ cluster, value: first }))),
      recallOf(pairs.map(({ cluster, second }) => ({ cluster, value: second }))),
    ],
  };
}

interface Grade {
  readonly cluster: string | undefined;
  readonly value: number;
}

function recallOf(grades: readonly Grade[]): ScoreWithInterval {
  return inPercent(meanOfClusters(grades.map(({ cluster, value }) => ({ cell: "recall", cluster, values: [value] }))));
}

function gradesOf(replies: readonly RunReply[], test: string): ReadonlyMap<string, Grade> {
  const graded = meanOfRepeats(replies.filter(({ task }) => task === test)).filter(({ value }) => value !== null);
  return new Map(
    graded.map(({ length, value, cluster, record: { index } }) => [`${length}/${index}`, { cluster, value: value! }]),
  );
}
