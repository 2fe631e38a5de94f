import { type GraphScore, tokensOf, widestInterval } from "./published.ts";
import { GRAPH_SCORERS } from "@/lib/benchmarks/graphwalks/scorer.ts";
import { decidedByCases, differenceInterval, type PublishedClaim } from "@/lib/statistics/mod.ts";

const TABLES = "tables of model cards (secondary copies)";

/** Points of F1 that count as a fall. */
const FALL = 10;

/** The claims about GraphWalks: the code on its card, and published scores. */
export const GRAPHWALKS_CLAIMS: readonly PublishedClaim<readonly GraphScore[]>[] = [
  {
    id: "G4",
    source: "data card, “Extraction and Grading” (secondary copy)",
    quote: "We grade each example with the following",
    quantifier: { of: "all", word: "each example" },
    statement:
      "The printed code scores a right list 1 and a wrong one 0 (our measure: of two nodes, of one, and of none).",
    expected: "fails",
    check: () => {
      const cases = [["[a, b]", ["a", "b"], 1], ["[c, d]", ["a", "b"], 0], ["[a]", ["a"], 1], ["[b]", ["a"], 0], [
        "[]",
        [],
        1,
      ], [
        "[a]",
        [],
        0,
      ]] as const;
      const scores = cases.map(([list, references]) =>
        GRAPH_SCORERS.card.grade(`Final Answer: ${list}`, { references }).score.value
      );
      const wrong = cases.flatMap(([list, references, right], at) =>
        scores[at] === right ? [] : [`${list} for [${references.join(", ")}] scores ${scores[at]}`]
      );
      return decidedByCases(cases.map(([, , right], at) => scores[at] === right), `${wrong.join("; ")}.`);
    },
  },
  {
    id: "G5",
    source: TABLES,
    statement:
      "Every model's score falls with length (our measure: from its shortest bin to its longest, of one operation).",
    expected: "holds",
    check: (scores) => {
      const falls = fallsOf(scores);
      return decidedByCases(falls.map(({ points }) => points > 0), `${listFalls(falls)}.`);
    },
  },
  {
    id: "G6",
    source: TABLES,
    statement:
      `Scores at 256K to 1M are far below shorter ones (our measure: at least ${FALL} points, in the cases of G5).`,
    expected: "mostly holds",
    check: (scores) => {
      const falls = fallsOf(scores);
      const [small, all] = [falls.filter(({ points }) => points < FALL), falls.length];
      return decidedByCases(
        falls.map((fall) => !small.includes(fall)),
        `${all - small.length} of ${all} fall by ${FALL} points or more; the other: ${listFalls(small)}.`,
      );
    },
  },
  {
    id: "G7",
    source: TABLES,
    statement:
      "Models that follow each other in a ranking differ (our measure: by more than the widest 95% interval of the difference, BFS at 256K and at 1M, 100 rows each).",
    expected: "fails",
    check: (scores) => {
      const gaps = (["256K", "1M"] as const).flatMap((length) => {
        const ranked = scores.filter((row) => row.operation === "bfs" && row.length === length)
          .toSorted((one, other) => other.score - one.score);
        return ranked.slice(1).map((next, at) => differenceInterval(widestInterval(ranked[at]!), widestInterval(next)));
      });
      const told = gaps.filter(({ low }) => low > 0);
      const widest = Math.max(...gaps.map(({ score, low }) => score - low));
      return decidedByCases(
        gaps.map((gap) => told.includes(gap)),
        `${told.length} of ${gaps.length} neighbours differ; the interval of a difference reaches up to ${
          widest.toFixed(1)
        } points.`,
      );
    },
  },
  {
    id: "G9",
    source: TABLES,
    statement:
      "Above 128K parents are found better than nodes of a BFS (our measure: of each model with both at a length).",
    expected: "holds",
    check: (scores) => {
      const pairs = scores.filter(({ operation, length }) => operation === "bfs" && length !== "0K-128K").flatMap(
        (bfs) => {
          const parents = scores.find(({ model, operation, length }) =>
            operation === "parents" && model === bfs.model && length === bfs.length
          );
          return parents === undefined ? [] : [{ bfs, parents }];
        },
      );
      const list = pairs.map(({ bfs, parents }) => `${bfs.model} at ${bfs.length} ${parents.score} and ${bfs.score}`);
      return decidedByCases(pairs.map(({ bfs, parents }) => parents.score > bfs.score), `${list.join("; ")}.`);
    },
  },
];

interface Fall {
  readonly name: string;
  readonly points: number;
}

/** Returns the fall of each model and operation from its shortest bin to its longest; that of two lengths is the last. */
function fallsOf(scores: readonly GraphScore[]): readonly Fall[] {
  const groups = Map.groupBy(scores, ({ model, operation }) => `${model}, ${operation}`);
  return [...groups].flatMap(([name, rows]) => {
    const alone = rows.filter((row) => tokensOf(row) !== null);
    const ordered = (alone.length > 1 ? alone : rows)
      .toSorted((one, other) => (tokensOf(one) ?? Infinity) - (tokensOf(other) ?? Infinity));
    const [first, last] = [ordered[0]!, ordered.at(-1)!];
    const isFurther = first !== last && (first.length === "0K-128K" || tokensOf(last) !== null);
    return isFurther ? [{ name, points: first.score - last.score }] : [];
  });
}

/** Answers whether models follow edges less well in longer graphs, from published scores. */
export function graphAnswer(scores: readonly GraphScore[]): string {
  const falls = fallsOf(scores);
  const [falling, far] = [0, FALL].map((least) => falls.filter(({ points }) => points > least).length);
  const all = falling === falls.length
    ? "Less well the longer it is: every published score falls with length."
    : `Published scores do not agree: ${falling} of ${falls.length} fall with length.`;
  return `${all} Of ${falls.length} pairs of model and operation, ${far} fall by more than ${FALL} points.`;
}

function listFalls(falls: readonly Fall[]): string {
  return falls.map(({ name, points }) => `${name} by ${points.toFixed(1)}`).join("; ");
}
