import { averageEvidence } from "@/lib/papers/evidence/evidence.ts";
import {
  decidedByFloors,
  decidedByPairs,
  endsOf,
  type EvidencePair,
  onRun,
  pairEvidence,
  pointsOf,
} from "@/lib/papers/evidence/pairs.ts";
import {
  type Claim,
  column,
  decided,
  type Evidence,
  openRows,
  type PublishedClaim,
  type Row,
  type RunEvidence,
} from "@/lib/statistics/mod.ts";

const [COPIED, CARDS] = ["the announcement's table (secondary copy)", "the model cards' tables (secondary copy)"];

/** The tasks of OpenAI's and of Google DeepMind's test with 8 texts on the request: neither is comparable with the other. */
export const [OPENAI_TASK, GOOGLE_TASK] = ["openai_mrcr_8_needles", "google_mrcr_8_needles"] as const;

/** Google's scores are of all questions up to the first length, and at the second. */
export const [UP_TO_128K, AT_1M] = [131_072, 1_048_576] as const;

const FLOORS = {
  needles: column.count("needles"),
  reply: column.choice("reply", ["relevant", "any"]),
  score: column.score("score_percent"),
};

/** A rate that Google DeepMind states for a random text of the conversation, on the request or not. */
export type MrcrFloor = Row<typeof FLOORS>;

/** Reads the rates of random texts from `data/published/mrcr_floors.csv`, with the errors of `openRows`. */
export async function openMrcrFloors(): Promise<readonly MrcrFloor[]> {
  return await openRows("mrcr_floors.csv", FLOORS);
}

/** Points of a random text on the request above 1/n: the most of Google's rates. */
const ABOVE = 2.5;

/** Returns the score of a random one of the texts on the request, in percent. */
export function mrcrFloor(needles: number): number {
  return 100 / needles + ABOVE;
}

/** Returns the number of texts on the request, by the settings or by the name of the authors' task; `NaN` for other tasks. */
function needlesOf({ knobs, task }: Evidence): number {
  return Number(knobs["needles"] ?? /_(\d)_needles/.exec(task)?.[1]);
}

/** What the authors' code gives a random text. */
export const MRCR_FLOOR_CLAIMS: readonly PublishedClaim<readonly MrcrFloor[]>[] = [
  {
    id: "M1",
    source: "Google DeepMind, eval_hub, mrcr_v2/README.md",
    quote:
      "the resulting noise rate under the MRCR metric is ~(1/num_relevant_needles) (typically, a couple percent more)",
    quantifier: { of: "all", word: "typically" },
    statement: "A random text on the request scores 1/n and a little more (our measure: at most 3 points more).",
    expected: "holds",
    check: (floors) => {
      const cells = floors.filter(({ reply }) => reply === "relevant")
        .map(({ needles, score }) => ({ needles, score, more: score - 100 / needles }));
      const texts = cells.map(({ needles, score, more }) => `${needles} needles: ${score}, ${more.toFixed(1)} more`);
      return decided(cells.every(({ more }) => more >= 0 && more <= 3), `${texts.join("; ")}.`);
    },
  },
];

/** Claims about published scores of both tests. */
export const MRCR_CLAIMS: readonly PublishedClaim<readonly Evidence[]>[] = [
  {
    id: "M5",
    source: `${COPIED}; ${CARDS}`,
    statement: "Scores are lower at the longest length than at the shortest (our measure: of each model and test).",
    expected: "mostly holds",
    check: (rows) => decidedByPairs(endsOf(rows)),
  },
  {
    id: "M6",
    source: `${COPIED}; ${CARDS}`,
    statement:
      `Every score is above that of a random text on the request (our measure: 1/n and ${ABOVE} points, of n texts).`,
    expected: "mostly holds",
    check: (rows) => decidedByFloors(rows, (row) => mrcrFloor(needlesOf(row))),
  },
  {
    id: "M8",
    source: `${COPIED} against ${CARDS}`,
    statement:
      "Both MRCR v2 give a model the same score up to 128K (our measure: within 3 points; OpenAI's five bins weigh the same).",
    expected: "fails",
    check: (rows) => {
      const pairs = inBoth(rows);
      const texts = pairs.map(({ name, first, second }) => `${name} ${first.score} and ${second.score.toFixed(1)}`);
      return decided(pairs.every(isSame), `${texts.join("; ")} (Google's first): two tests of one name.`);
    },
  },
];

/** Those that a run of any MRCR is checked for: all but the one that compares both tests. */
export const MRCR_RUN_CLAIMS: readonly Claim<RunEvidence>[] = MRCR_CLAIMS.filter(({ id }) => id !== "M8")
  .map((claim) => onRun(claim));

/** Answers what a score of MRCR means, from the scores that both tests of this name have of the same models. */
export function mrcrAnswer(rows: readonly Evidence[]): string {
  const [most] = inBoth(rows).toSorted((one, other) => Math.abs(pointsOf(other)) - Math.abs(pointsOf(one)));
  if (most === undefined) return "No model has published scores on both tests of this name.";
  const opening = isSame(most)
    ? "The same on both: OpenAI's and Google's tests, both called MRCR, give the same models like scores."
    : "It depends on whose: OpenAI's and Google's tests, both called MRCR, can give the same model different scores.";
  const [google, openai] = [most.first, most.second].map(({ score }) => score.toFixed(0));
  return `${opening} Up to 128K tokens, ${most.name} scores ${openai} on OpenAI's and ${google} on Google's. ` +
    `A reply with any one of the eight texts scores about ${mrcrFloor(8).toFixed(0)} on average.`;
}

/** Returns whether scores differ by at most three points, as those of one test can. */
function isSame(pair: EvidencePair): boolean {
  return Math.abs(pointsOf(pair)) <= 3;
}

/** Pairs Google's score up to 128K with the mean of OpenAI's bins, of the models that both tests have. */
function inBoth(rows: readonly Evidence[]): readonly EvidencePair[] {
  const short = rows.filter(({ length }) => length !== null && length <= UP_TO_128K);
  const means = averageEvidence(short, ({ model, task }) => `${model}, ${task}`);
  return pairEvidence(means, {
    alike: ({ model }) => model,
    of: ({ task }) => task,
    groups: [GOOGLE_TASK, OPENAI_TASK],
  });
}
