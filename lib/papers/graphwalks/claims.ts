import { mean, percent, sum } from "@/lib/base/mod.ts";
import { type GraphScore, tokensOf, widestInterval } from "./published.ts";
import { expectedParents, GRAPH_SCORERS } from "@/lib/benchmarks/graphwalks/scorer.ts";
import { cannotTell, decided, decidedByCases, differenceInterval, type PublishedClaim } from "@/lib/statistics/mod.ts";

const CARD = "data card, changelog of 27 February 2026 (secondary copy)";
const OPUS = "system card of Claude Opus 4.6, section 2.18.2 (secondary copy)";
const TABLES = "tables of model cards (secondary copies)";

/** The degrees and the edges of the data's smallest graphs, as read off the data. */
const [DEGREES, LEAST_EDGES] = [[1, 2, 3, 4, 5], 46] as const;
/** The lengths of the short file, each twice the one before, and the rows for parents of each: 400 of 8. */
const [SHORT_LENGTHS, ROWS] = [8, 50] as const;
/** The rows with a wrong truth. */
const WRONG_ROWS = 24;

/** Points of F1 that count as a difference between two readings, and as a fall. */
const [READING, FALL] = [5, 10] as const;

/** The claims about GraphWalks: statements of its card and of Anthropic's, and checks of published scores. */
export const GRAPHWALKS_CLAIMS: readonly PublishedClaim<readonly GraphScore[]>[] = [
  {
    id: "G1",
    source: CARD,
    quote:
      "A bug during generation led to 24/400 parents samples in `graphwalks_128k_and_shorter.parquet` to contain the incorrect ground truth - the root node was inadvertently included.",
    statement:
      `The rows are those whose root has an edge to itself (our measure: the expected number is within two standard deviations, for degrees of 1 to 5 in equal shares and ${ROWS} rows each from ${LEAST_EDGES} edges on, doubled seven times).`,
    expected: "holds",
    check: () => {
      const chances = Array.from({ length: SHORT_LENGTHS }, (_, doubled) => {
        const loops = DEGREES.map((degree) => {
          const nodes = Math.floor(LEAST_EDGES * 2 ** doubled / degree);
          return 1 - (1 - 1 / nodes) ** degree;
        });
        return mean(loops);
      });
      const expected = ROWS * sum(chances);
      const deviation = Math.sqrt(ROWS * sum(chances.map((chance) => chance * (1 - chance))));
      return decided(
        Math.abs(WRONG_ROWS - expected) <= 2 * deviation,
        `${WRONG_ROWS} rows; ${expected.toFixed(1)} expected, with a standard deviation of ${deviation.toFixed(1)}.`,
      );
    },
  },
  {
    id: "G2",
    source: CARD,
    quote: "Additionally, in BFS there was ambiguity in the prompt",
    statement:
      `Scores of the wordings of 2025 and 2026 do not compare (our measure: a right walk that lists all nodes up to depth 2 loses ${READING} points or more at each degree from 1 to 5).`,
    expected: "holds",
    check: () => {
      // d nodes at depth 1 and d² at depth 2, in graphs so large that no two edges meet.
      const scores = DEGREES.map((degree) => 100 * 2 * degree / (2 * degree + 1));
      const list = scores.map((score, at) => `${DEGREES[at]}: ${score.toFixed(1)}`).join(", ");
      return decidedByCases(scores.map((score) => 100 - score >= READING), `F1 by degree: ${list}.`);
    },
  },
  {
    id: "G3",
    source: OPUS,
    quote: "We found that the ground truth answer was the empty set in many cases.",
    statement: "Many rows have no right node.",
    expected: "cannot tell",
    check: () => {
      const share = mean(DEGREES.map((degree) => expectedParents({ nodes: 10_000, degree }).noNode));
      return cannotTell(
        `The number of such rows was not published, and the rows do not come with Fathom. Of questions for parents in graphs of degree 1 to 5, in equal shares, ${
          percent(share, 1)
        } have none.`,
      );
    },
  },
  {
    id: "G4",
    source: "data card, “Extraction and Grading” (secondary copy)",
    quote: "We grade each example with the following",
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
    id: "G8",
    source: TABLES,
    statement:
      "A score at 256K to 1M is the mean of those at both lengths (our measure: within 0.1 points, or possible with a score at 256K of at least that at 1M).",
    expected: "fails",
    check: (scores) => {
      const both = scores.filter(({ length }) => length === "256K-1M").flatMap(({ model, score }) => {
        const at = (length: GraphScore["length"]): number | undefined =>
          scores.find((row) => row.model === model && row.operation === "bfs" && row.length === length)?.score;
        const [near, far] = [at("256K"), at("1M")];
        return far === undefined ? [] : [{ model, score, near, far }];
      });
      const fits = both.map(({ score, near, far }) =>
        near === undefined ? score >= far : Math.abs((near + far) / 2 - score) <= 0.1
      );
      const list = both.map(({ model, score, near, far }) => `${model} ${score} of ${near ?? "unknown"} and ${far}`);
      return decidedByCases(fits, `${list.join("; ")}.`);
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

function listFalls(falls: readonly Fall[]): string {
  return falls.map(({ name, points }) => `${name} by ${points.toFixed(1)}`).join("; ");
}
