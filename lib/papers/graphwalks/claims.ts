import { GRAPH_SCORERS } from "@/lib/benchmarks/graphwalks/scorer.ts";
import { decidedByPairs, endsOf, evidenceOfRun, onRun, pairEvidence, pointsOf } from "@/lib/papers/evidence/pairs.ts";
import {
  type Claim,
  decidedByCases,
  type Evidence,
  type PublishedClaim,
  type RunEvidence,
  summarise,
} from "@/lib/statistics/mod.ts";

const TABLES = "tables of model cards (secondary copies)";

/** Points of F1 that count as a fall. */
const FALL = 10;

/** Lengths above this are called long, in tokens. */
const LONG = 131_072;

const FALLS: PublishedClaim<readonly Evidence[]> = {
  id: "G5",
  source: TABLES,
  statement:
    "Every model's score falls with length (our measure: from its shortest length to its longest, of one operation).",
  expected: "mostly holds",
  check: (rows) => decidedByPairs(endsOf(rows)),
};

const PARENTS: PublishedClaim<readonly Evidence[]> = {
  id: "G9",
  source: TABLES,
  statement:
    "Parents are found better than nodes of a BFS (our measure: of each model with both at one length, or at 256K to 1M).",
  expected: "mostly holds",
  check: (rows) =>
    decidedByPairs(pairEvidence(rows.filter(({ length }) => length !== LONG), {
      alike: ({ model, length, knobs }) => `${model} at ${length ?? knobs["lengths"]}`,
      of: ({ knobs }) => knobs["operation"],
      groups: ["parents", "bfs"],
    })),
};

/** The claims about GraphWalks: the code on its card, and published scores. */
export const GRAPHWALKS_CLAIMS: readonly PublishedClaim<readonly Evidence[]>[] = [
  {
    id: "G4",
    source: "data card, “Extraction and Grading” (secondary copy)",
    quote: "We grade each example with the following",
    quantifier: { of: "all", word: "each example" },
    statement:
      "The printed code scores a right list 1 and a wrong one 0 (our measure: of two nodes, of one, and of none).",
    expected: "fails",
    check: () => {
      const cases = [
        ["[a, b]", ["a", "b"], 1],
        ["[c, d]", ["a", "b"], 0],
        ["[a]", ["a"], 1],
        ["[b]", ["a"], 0],
        ["[]", [], 1],
        ["[a]", [], 0],
      ] as const;
      const scores = cases.map(([list, references]) =>
        GRAPH_SCORERS.card.grade(`Final Answer: ${list}`, { references }).score.value
      );
      const wrong = cases.flatMap(([list, references, right], at) =>
        scores[at] === right ? [] : [`${list} for [${references.join(", ")}] scores ${scores[at]}`]
      );
      return decidedByCases(cases.map(([, , right], at) => scores[at] === right), `${wrong.join("; ")}.`);
    },
  },
  FALLS,
  PARENTS,
];

/** Returns the scores of a run on questions with a right node. Where there is none, a reply that lists nothing is right. */
function scoresOfNodes({ replies, tasks }: RunEvidence): readonly Evidence[] {
  const asked = replies.filter(({ record: { references } }) => references === undefined || references.length > 0);
  const scores = evidenceOfRun({ rows: summarise(asked), tasks });
  return scores.map((row) => ({ ...row, model: "questions with a right node" }));
}

/** The claims about published scores that a run of one model can be asked, and one on depths, of which none are published. */
export const GRAPHWALKS_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  onRun(FALLS, scoresOfNodes),
  onRun(PARENTS, scoresOfNodes),
  onRun({
    id: "G10",
    source: "a check of Fathom's",
    statement:
      "Nodes at a greater depth are found less often (our measure: the least depth less the greatest, at each length).",
    needs: { knobs: ["depth"] },
    check: (rows) => {
      const searches = rows.filter(({ knobs }) => knobs["depth"] !== undefined);
      const depths = searches.map(({ knobs }) => Number(knobs["depth"]));
      return decidedByPairs(pairEvidence(searches, {
        alike: ({ length }) => `${length} tokens`,
        of: ({ knobs }) => Number(knobs["depth"]),
        groups: [Math.min(...depths), Math.max(...depths)],
      }));
    },
  }, scoresOfNodes),
];

/** Answers whether models follow edges less well in longer graphs, from published scores. */
export function graphAnswer(rows: readonly Evidence[]): string {
  const falls = endsOf(rows).map(pointsOf);
  const [falling, far] = [0, FALL].map((least) => falls.filter((points) => points > least).length);
  const all = falling === falls.length
    ? "Less and less well: every published score falls from the shortest graph to the longest."
    : `Published scores do not agree: ${falling} of ${falls.length} fall from the shortest graph to the longest.`;
  return `${all} Of ${falls.length} scores, each of a model and an operation, ${far} fall by more than ${FALL} points.`;
}
