import { decidedByPairs, endsOf, evidenceOfRun, inTable, isAboveFloor, onRun } from "@/lib/papers/evidence/pairs.ts";
import {
  type Claim,
  comparePairs,
  decidedByCases,
  decidedByDifference,
  effectiveLength,
  type Evidence,
  notAsked,
  pairRecords,
  pointsText,
  type PublishedClaim,
  type RunEvidence,
  type RunReply,
} from "@/lib/statistics/mod.ts";

/** The longest of the lengths that give the base score, in tokens. */
const SHORT = 1024;

const FALLS: PublishedClaim<readonly Evidence[]> = {
  id: "NL1",
  source: "abstract",
  quote: "performance degrades significantly as context length increases",
  quantifier: { of: "all", word: "performance" },
  statement: "Every model's score falls with length (our measure: from its shortest length to its longest).",
  expected: "holds",
  check: (rows) => decidedByPairs(endsOf(rows)),
};

const HALVED: PublishedClaim<readonly Evidence[]> = {
  id: "NL2",
  source: "abstract",
  quote: "At 32K, for instance, 10 models drop below 50% of their strong short-length baselines.",
  quantifier: { of: "most", word: "10 models" },
  statement: "Models drop below 50% of their base scores (our measure: at the longest length, above 1K).",
  expected: "mostly holds",
  check: (rows) => {
    const ends = endsOf(inTable(rows, "of the paper")).map(({ second }) => second)
      .filter(({ length, knobs }) => length! > SHORT && knobs["base"] !== undefined);
    if (ends.length === 0) return notAsked("There are no scores up to 1K and above.");
    const isAbove = ends.map((row) => isAboveFloor(row, Number(row.knobs["base"]) / 2));
    const scores = ends.map(({ model, score, knobs }) => `${model}: ${score.toFixed(1)} of ${knobs["base"]}`);
    return decidedByCases(isAbove.map((each) => each === null ? null : !each), `${scores.join("; ")}.`);
  },
};

/** The paper's claims about its table of results; the knobs `base` and `effective` are further columns of the table. */
export const NOLIMA_CLAIMS: readonly PublishedClaim<readonly Evidence[]>[] = [FALLS, HALVED, {
  id: "NL3",
  source: "README, table of results",
  quote: "longest context where a model maintains at least 85% of its base score",
  quantifier: { of: "all", word: "a model" },
  statement: "Every printed effective length is the longest with at least 85% of the base score.",
  expected: "holds",
  check: (rows) => {
    const agrees = Array.from(Map.groupBy(rows, ({ model }) => model).values(), (own) => {
      const { base, effective } = own[0]!.knobs;
      const scores = own.map(({ length, score }) => ({ length: length!, score }));
      return effectiveLength(scores, 0.85 * Number(base)).text === effective;
    });
    return decidedByCases(agrees, `${agrees.filter(Boolean).length} of ${agrees.length} are.`);
  },
}];

/** The claims that a run of one model decides. */
export const NOLIMA_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [onRun(FALLS, scoresOf), onRun(HALVED, scoresOf), {
  id: "NL4",
  source: "a check of Fathom's",
  statement: "With a literal match more people are found (our measure: the same samples with it and without it).",
  needs: { knobs: ["match"] },
  check: (run) => {
    const { pairs } = pairRecords(repliesTo(run, "none"), repliesTo(run, "literal"));
    const [row] = comparePairs([pairs], { by: ["all"] }).rows[0]!;
    if (row === undefined) return notAsked("No sample was asked with it and without it.");
    const scores = [row.baseline, row.other].map((score) => ({ score, low: score, high: score }));
    return decidedByDifference(row, `${pointsText({ ...row, score: row.difference })}.`, { scores });
  },
}];

/** Returns the scores of a run without literal matches; the base score is the task's best up to 1K. */
function scoresOf(run: RunEvidence): readonly Evidence[] {
  const rows = evidenceOfRun(run).filter(({ knobs }) => knobs["match"] === "none");
  return rows.map((row) => {
    const short = rows.filter(({ task, length }) => task === row.task && length! <= SHORT).map(({ score }) => score);
    return short.length === 0 ? row : { ...row, knobs: { ...row.knobs, base: Math.max(...short).toFixed(1) } };
  });
}

/** Returns the replies to tasks with a kind of match, under a name that tasks of both kinds have in common. */
function repliesTo({ replies, tasks }: RunEvidence, match: string): readonly RunReply[] {
  return replies.filter(({ task }) => tasks[task]?.options["match"] === match)
    .map((reply) => ({ ...reply, task: JSON.stringify({ ...tasks[reply.task]!.options, match: "" }) }));
}
