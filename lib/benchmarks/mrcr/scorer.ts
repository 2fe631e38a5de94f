import { mean } from "@/lib/base/mod.ts";
import { sequenceRatio } from "./sequence_matcher.ts";
import { HASH_LENGTHS, readTranscript } from "./wording.ts";
import { promptText, type Sample } from "@/lib/generators/mod.ts";
import { type Answerable, type Grading, type Score, type Scorer, stripText } from "@/lib/scorers/mod.ts";

/** Compares a reply with the answer, which begins with the hash; `null` if the reply lacks the hash. */
type Compare = (reply: string, answer: string, hashLength: number) => Pick<Score, "value" | "answer"> | null;

function compareFromStart(reply: string, answer: string, hashLength: number): ReturnType<Compare> {
  if (!reply.startsWith(answer.slice(0, hashLength))) return null;
  const given = reply.slice(hashLength);
  return { value: sequenceRatio(given, answer.slice(hashLength)), answer: given };
}

function compareFromLast(reply: string, answer: string, hashLength: number): ReturnType<Compare> {
  const wanted = stripText(answer);
  const at = reply.lastIndexOf(wanted.slice(0, hashLength));
  if (at < 0) return null;
  const given = stripText(reply.slice(at + hashLength));
  return { value: sequenceRatio(stripText(wanted.slice(hashLength)), given), answer: given };
}

/** How replies are scored, by whose code. */
export const MRCR_SCORERS = {
  /**
   * OpenAI's score (data card of openai/mrcr): 0 unless the reply begins with the hash, otherwise the ratio of the texts after it.
   * Nothing is stripped: a line break or `<think>` before the hash gives 0. The answer is the second text of SequenceMatcher.
   */
  openai: ratioScorer({
    name: "mrcr openai",
    about:
      "ratio of matching characters (difflib) after the hash, which must begin the reply; the answer is the second text",
    hashLength: HASH_LENGTHS.openai,
    compare: compareFromStart,
  }),
  /**
   * Google DeepMind's score (run_evaluation.py of eval_hub/mrcr_v2 at 67b7fd2): the ratio of the texts after the last hash of the
   * reply, wherever it is; 0 without one. White space at the ends is stripped as by Python. The reply is the second text.
   */
  google: ratioScorer({
    name: "mrcr google",
    about: "ratio of matching characters (difflib) after the last hash of the reply; the reply is the second text",
    hashLength: HASH_LENGTHS.google,
    compare: compareFromLast,
  }),
  /** OpenCompass's score of Google's data (opencompass/datasets/mrcr.py at 8d34a92): OpenAI's, with Google's hash. */
  opencompass: ratioScorer({
    name: "mrcr opencompass",
    about: "mrcr openai for the longer hash of Google's data",
    hashLength: HASH_LENGTHS.opencompass,
    compare: compareFromStart,
  }),
} as const;

function ratioScorer(
  { hashLength, compare, ...named }: Pick<Scorer, "name" | "about"> & {
    readonly hashLength: number;
    readonly compare: Compare;
  },
): Scorer {
  return {
    ...named,
    shape: "text",
    parts: {
      names: ["the text after its hash"],
      lacks: ([answer]) =>
        stripText(answer!).length > hashLength ? null : `the text after a hash of ${hashLength} characters`,
    },
    // A text is known by its first line.
    normalise: (answer) => answer.split("\n")[0]!.replace(/\W{1,4}$/, ""),
    grade(reply: string, { references: [answer = ""] }: Answerable): Grading {
      const compared = compare(reply, answer, hashLength);
      const none = reply === "" ? "no answer" : `no hash ${stripText(answer).slice(0, hashLength)}`;
      const score: Score = compared === null
        ? { value: 0, answer: reply, why: none }
        : { ...compared, why: `ratio ${compared.value!.toFixed(4)} of matching characters` };
      return { score, penalised: score, unparsable: compared === null && reply !== "" };
    },
  };
}

/** The number of texts that a floor is computed from. */
const MOST_TEXTS = 200;

/**
 * Computes the floor of a sample: the expected score of the right hash with a text at random (the noise rates of
 * analysis_utils.py in eval_hub/mrcr_v2). A score at this level shows no more than finding the request.
 *
 * @param sample A sample of this suite or of the authors' files.
 * @returns `relevant`: with a random one of the texts on the request. `any`: with any text of the conversation, of at most 200 that
 * are evenly spaced.
 * @throws {TypeError} If its prompt has no request of the form of MRCR.
 */
export function needleFloor(
  { prompt, references }: Pick<Sample, "prompt" | "references">,
  scorer: Scorer,
): { readonly relevant: number; readonly any: number } {
  const { hash, asked, texts } = readTranscript(promptText(prompt));
  const scoreOf = ({ text }: { readonly text: string }): number =>
    scorer.grade(hash + text, { references }).score.value!;
  const step = Math.ceil(texts.length / MOST_TEXTS);
  return {
    relevant: mean(texts.filter(({ key }) => key === asked), scoreOf),
    any: mean(texts.filter((_, at) => at % step === 0), scoreOf),
  };
}
