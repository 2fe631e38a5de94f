import { mean } from "@/lib/base/mod.ts";
import { decidedByPairs, endsOf, isAboveFloor, onRun } from "@/lib/papers/evidence/pairs.ts";
import {
  cannotTell,
  type Claim,
  column,
  decided,
  decidedByCases,
  type Evidence,
  openRows,
  type PublishedClaim,
  type Row,
  type RunEvidence,
} from "@/lib/statistics/mod.ts";

const COPIED = "the announcement's table (secondary copy)";
const CARDS = "the model cards' tables (secondary copy)";

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
      const above = floors.filter(({ reply }) => reply === "relevant")
        .map(({ needles, score }) => ({ needles, score, above: score - 100 / needles }));
      const texts = above.map((row) => `${row.needles} needles: ${row.score}, ${row.above.toFixed(1)} more`);
      return decided(above.every((row) => row.above >= 0 && row.above <= 3), `${texts.join("; ")}.`);
    },
  },
];

const FALLS: PublishedClaim<readonly Evidence[]> = {
  id: "M5",
  source: `${COPIED}; ${CARDS}`,
  statement: "Scores are lower at the longest length than at the shortest (our measure: of each model and test).",
  expected: "mostly holds",
  check: (rows) => decidedByPairs(endsOf(rows)),
};

const ABOVE_FLOOR: PublishedClaim<readonly Evidence[]> = {
  id: "M6",
  source: `${COPIED}; ${CARDS}`,
  statement:
    `Every score is above that of a random text on the request (our measure: 1/n and ${ABOVE} points, of n texts).`,
  expected: "mostly holds",
  check: (rows) => {
    const cells = rows.flatMap((row) => {
      const needles = Number(row.knobs["needles"] ?? /_(\d)_needles/.exec(row.task)?.[1]);
      return needles > 0 ? [{ ...row, floor: mrcrFloor(needles) }] : [];
    });
    if (cells.length === 0) return cannotTell("There are no scores.");
    const agrees = cells.map((row) => isAboveFloor(row, row.floor));
    const others = cells.filter((_, at) => agrees[at] !== true).map(({ model, task, length, score, floor }) =>
      `${model}, ${task} at ${length}: ${score.toFixed(1)}, floor ${floor.toFixed(1)}`
    );
    const count = `${cells.length - others.length} of ${cells.length} are above`;
    return decidedByCases(agrees, `${[count, ...others].join("; ")}.`);
  },
};

/** Claims about published scores of both tests. */
export const MRCR_CLAIMS: readonly PublishedClaim<readonly Evidence[]>[] = [
  FALLS,
  ABOVE_FLOOR,
  {
    id: "M8",
    source: `${COPIED} against ${CARDS}`,
    statement:
      "Both MRCR v2 give a model the same score up to 128K (our measure: within 3 points; OpenAI's five bins weigh the same).",
    expected: "fails",
    check: (rows) => {
      const both = inBoth(rows);
      const texts = both.map(({ model, google, openai }) => `${model} ${google} and ${openai.toFixed(1)}`);
      return decided(
        both.every(({ google, openai }) => Math.abs(google - openai) <= SAME),
        `${texts.join("; ")} (Google's first): two tests of one name.`,
      );
    },
  },
];

/** Those of them that a run of any MRCR is checked for. */
export const MRCR_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [onRun(FALLS), onRun(ABOVE_FLOOR)];

/** Answers what a score of MRCR means, from the scores that both tests of this name have of the same models. */
export function mrcrAnswer(rows: readonly Evidence[]): string {
  const [apart] = inBoth(rows).toSorted((one, other) =>
    Math.abs(other.google - other.openai) - Math.abs(one.google - one.openai)
  );
  if (apart === undefined) return "No model has published scores on both tests of this name.";
  const { model, google, openai } = apart;
  const isSame = Math.abs(google - openai) <= SAME;
  const opening = isSame
    ? "The same on both: OpenAI's and Google's tests, both called MRCR, give the same models like scores."
    : "It depends on whose: OpenAI's and Google's tests, both called MRCR, can give the same model different scores.";
  return `${opening} Up to 128K tokens, ${model} scores ${openai.toFixed(0)} on OpenAI's and ${
    google.toFixed(0)
  } on Google's. A reply with any one of the eight texts scores about ${mrcrFloor(8).toFixed(0)} on average.`;
}

/** The most points by which scores of one test differ. */
const SAME = 3;

/** The scores up to 128K of the models that both tests have. */
function inBoth(
  rows: readonly Evidence[],
): readonly { readonly model: string; readonly google: number; readonly openai: number }[] {
  const short = rows.filter(({ length }) => length !== null && length <= UP_TO_128K);
  return short.filter(({ task }) => task === GOOGLE_TASK).flatMap(({ model, score: google }) => {
    const bins = short.filter((row) => row.task === OPENAI_TASK && row.model === model);
    return bins.length < 5 ? [] : [{ model, google, openai: mean(bins, ({ score }) => score) }];
  });
}
