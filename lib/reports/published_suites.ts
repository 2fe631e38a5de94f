import { isApart, type SuiteScore, suiteSeparations } from "./compare_suites.ts";
import { openGraphScores, publishedPoints } from "@/lib/papers/graphwalks/mod.ts";
import { BIN_QUESTIONS, openaiScores, openMrcrPublished } from "@/lib/papers/mrcr/mod.ts";
import { openPublished, publishedModels } from "@/lib/papers/ruler/mod.ts";
import {
  cannotTell,
  decided,
  decidedByCases,
  differenceInterval,
  type Finding,
  type PublishedClaim,
  type ScoreWithInterval,
  wilsonInterval,
} from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/**
 * Reads the published scores of the suites that have some by length: RULER's mean of 13 tasks (the leaderboard of its repository),
 * both operations of GraphWalks, and OpenAI's MRCR with 8 needles. Scores are in percent, with the widest 95% intervals that their
 * numbers of samples allow. Those of GraphWalks and MRCR were read in secondary copies of the vendors' pages.
 */
export async function publishedSuiteScores(): Promise<readonly SuiteScore[]> {
  const [{ rows }, graphs, mrcr] = await Promise.all([openPublished(), openGraphScores(), openMrcrPublished()]);
  const board = rows.filter(({ edition, category }) => edition === "repository" && category === "RULER-13");
  return [
    ...publishedModels(board).flatMap(({ model, rows: ofModel }) =>
      ofModel.map(({ length, n, score, low, high }) => (
        { suite: "RULER", model, length, n, score: score!, low: low!, high: high! }
      ))
    ),
    ...openaiScores(mrcr).map((row) => ({ ...row, suite: "MRCR, 8 needles", n: BIN_QUESTIONS })),
    ...publishedPoints(graphs).map(({ operation, tokens, ...row }) => (
      { ...row, suite: `GraphWalks, ${operation}`, length: tokens }
    )),
  ];
}

const [MRCR, GRAPHS] = ["MRCR, 8 needles", "GraphWalks, bfs"];

/** Two models at a length that both MRCR and breadth-first searches of GraphWalks have scores of. */
interface SharedPair {
  readonly models: readonly [string, string];
  readonly length: number;
  /** The first model less the second on MRCR. */
  readonly mrcr: ScoreWithInterval;
  /** The same on GraphWalks. */
  readonly graphs: ScoreWithInterval;
}

/** Checks of ours on what the published scores of MRCR and GraphWalks show of the same models. */
export const SUITE_CLAIMS: readonly PublishedClaim<readonly SuiteScore[]>[] = [
  {
    id: "K1",
    source: "published scores of both suites",
    statement:
      "GraphWalks tells models apart at lengths at which MRCR is saturated (our measure: every model has 95 or more).",
    expected: "cannot tell",
    check(scores): Finding {
      const rows = suiteSeparations(scores);
      const saturated = rows.filter(({ suite, edge }) => suite === MRCR && edge === "ceiling").map(({ length }) =>
        length
      );
      const lengths = saturated.map(lengthText).join(" and ");
      const both = rows.filter(({ suite, length }) => suite === GRAPHS && saturated.includes(length));
      if (both.length === 0) {
        return cannotTell(`MRCR is saturated at ${lengths}; no scores on GraphWalks were published there.`);
      }
      return decided(both.some(({ apart }) => apart > 0), `MRCR is saturated at ${lengths}.`);
    },
  },
  {
    id: "K2",
    source: "published scores of both suites",
    statement:
      "Breadth-first searches of GraphWalks tell more pairs of the same models apart than MRCR (our measure: of the pairs that only one of them tells apart, more than half, with 95% confidence).",
    expected: "cannot tell",
    check(scores): Finding {
      const pairs = sharedPairs(scores);
      const only = (one: "mrcr" | "graphs", other: "mrcr" | "graphs") =>
        pairs.filter((pair) => isApart(pair[one]) && !isApart(pair[other])).length;
      const [graphs, mrcr] = [only("graphs", "mrcr"), only("mrcr", "graphs")];
      const observed =
        `Of ${pairs.length} pairs at equal lengths, GraphWalks alone tells ${graphs} apart and MRCR alone ${mrcr}. ` +
        "No further scores of the same models at equal lengths were published.";
      if (graphs + mrcr === 0) return cannotTell(observed);
      const { low, high } = wilsonInterval(graphs, graphs + mrcr);
      return { verdict: low > 0.5 ? "holds" : high <= 0.5 ? "fails" : "cannot tell", observed };
    },
  },
  {
    id: "K3",
    source: "published scores of both suites",
    statement:
      "Both suites rank the same models alike (our measure: no pair is in one order on MRCR and in the other on GraphWalks, both beyond chance).",
    expected: "mostly holds",
    check(scores): Finding {
      const pairs = sharedPairs(scores);
      const isOpposed = ({ mrcr, graphs }: SharedPair): boolean =>
        isApart(mrcr) && isApart(graphs) && Math.sign(mrcr.score) !== Math.sign(graphs.score);
      const texts = pairs.filter(isOpposed).map(({ models, length, mrcr, graphs }) =>
        `${models.join(" less ")} at ${lengthText(length)} is ${mrcr.score.toFixed(1)} on MRCR and ${
          graphs.score.toFixed(1)
        } on GraphWalks`
      );
      return decidedByCases(
        pairs.map((pair) => !isOpposed(pair)),
        `${pairs.length - texts.length} of ${pairs.length} pairs are not opposed. ${texts.join("; ")}.`,
      );
    },
  },
];

function sharedPairs(scores: readonly SuiteScore[]): readonly SharedPair[] {
  const find = (suite: string, { model, length }: SuiteScore): SuiteScore | undefined =>
    scores.find((row) => row.suite === suite && row.model === model && row.length === length);
  const shared = scores.filter((row) => row.suite === MRCR && find(GRAPHS, row) !== undefined);
  return shared.flatMap((one, at) =>
    shared.slice(at + 1).filter(({ length }) => length === one.length).map((other): SharedPair => ({
      models: [one.model, other.model],
      length: one.length,
      mrcr: differenceInterval(one, other),
      graphs: differenceInterval(find(GRAPHS, one)!, find(GRAPHS, other)!),
    }))
  );
}
