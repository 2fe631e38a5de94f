import { lengthText } from "@/lib/base/mod.ts";
import { isApart, suiteSeparations } from "./compare_suites.ts";
import {
  cannotTell,
  decided,
  decidedByCases,
  differenceInterval,
  type Finding,
  type PublishedClaim,
  type ScoreWithInterval,
  sum,
  verdictOf,
  wilsonInterval,
} from "@/lib/statistics/mod.ts";
import type { SuiteScore } from "@/lib/reports/mod.ts";

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
      "GraphWalks tells models apart at lengths at which MRCR is saturated (our measure: every model has 95 or more; apart by their 95% intervals, in more than the 5% of pairs that chance allows).",
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
      const [apart, pairs] = [sum(both.map((row) => row.apart)), sum(both.map((row) => row.pairs))];
      const observed = `MRCR is saturated at ${lengths}, where GraphWalks tells ${apart} of ${pairs} pairs apart.`;
      if (apart === 0) return decided(false, observed);
      return wilsonInterval(apart, pairs).low > 0.05 ? decided(true, observed) : cannotTell(observed);
    },
  },
  {
    id: "K2",
    source: "published scores of both suites",
    statement:
      "Breadth-first searches of GraphWalks tell more pairs of the same models apart than MRCR (our measure: of the pairs that only one of them tells apart by their 95% intervals, more than half, with 95% confidence).",
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
      return { verdict: verdictOf(low > 0.5, high <= 0.5), observed };
    },
  },
  {
    id: "K3",
    source: "published scores of both suites",
    statement:
      "Both suites rank the same models alike (our measure: pairs that both tell apart by their 95% intervals are in the same order; the others are open).",
    expected: "cannot tell",
    check(scores): Finding {
      const pairs = sharedPairs(scores);
      const agrees = pairs.map(({ mrcr, graphs }) =>
        isApart(mrcr) && isApart(graphs) ? Math.sign(mrcr.score) === Math.sign(graphs.score) : null
      );
      const opposed = pairs.filter((_, at) => agrees[at] === false).map(({ models, length, mrcr, graphs }) =>
        ` ${models.join(" less ")} at ${lengthText(length)} is ${mrcr.score.toFixed(1)} on MRCR and ${
          graphs.score.toFixed(1)
        } on GraphWalks.`
      );
      const known = agrees.filter((each) => each !== null).length;
      return decidedByCases(
        agrees,
        `Of ${pairs.length} pairs both suites tell ${known} apart, ${known - opposed.length} in the same order.${
          opposed.join("")
        }`,
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
