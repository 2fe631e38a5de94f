import { editMatch, type EditMatchOptions } from "./edit_match.ts";
import { keywordMatch } from "./keyword_match.ts";
import { answerMatch, setMatch } from "./set_match.ts";
import { type Score, stringMatchAll, stringMatchPart } from "./string_match.ts";

/** What a reply is scored by: the part of a sample, or of a record, that says what is right. */
export interface Answerable {
  /** The right answers: all of them are wanted, or any one, as the scorer says. */
  readonly references: readonly string[];
  /** The wrong answer that the text offers beside each reference. */
  readonly distractors?: readonly string[];
  /** For each reference that is found step by step, the values on the way to it and itself, in order. */
  readonly paths?: readonly (readonly string[])[];
}

/** The scores of one reply. */
export interface Grading {
  /** The benchmark's own score. */
  readonly score: Score;
  /** The score that also counts what is wrong in the reply; the same score where the benchmark's own does so. */
  readonly penalised: Score;
  /** The credit for steps on the way to the answer, where there are any. */
  readonly partial?: Score;
  /** Whether no answer can be found in the reply. */
  readonly unparsable?: boolean;
}

/** A way of scoring replies. */
export interface Scorer {
  /** Its name in records, such as `all`. */
  readonly name: string;
  /** What it measures, in one line. */
  readonly about: string;
  /** Scores a reply. */
  grade(reply: string, item: Answerable): Grading;
}

/** RULER's score of most tasks: the share of the references that the reply holds, whatever else it says. */
export const allFound: Scorer = {
  name: "all",
  about: "the share of the references that the reply holds",
  grade: (reply, { references }) => ({
    score: stringMatchAll(reply, references),
    penalised: setMatch(reply, references),
  }),
};

/** RULER's score of question answering: 1 where the reply holds any one of the references, or else 0. */
export const anyFound: Scorer = {
  name: "any",
  about: "1 where the reply holds any one of the references, or else 0",
  grade: (reply, { references }) => ({
    score: stringMatchPart(reply, references),
    penalised: answerMatch(reply, references),
  }),
};

/** The one reference, word for word; the score falls with each edit (OpenCompass). */
export const edits: Scorer = {
  name: "edit distance",
  about: "1 less the edits between reply and reference, as a share of the longer one's characters",
  grade: (reply, item) => gradeEdits(reply, item, {}),
};

/** The same of a reply that is first cut to about the reference's length. */
export const trimmedEdits: Scorer = {
  name: "trimmed edit distance",
  about: "the same, of a reply that is first cut to about the reference's length",
  grade: (reply, item) => gradeEdits(reply, item, { trim: true }),
};

/** The reference with the keyword in it, which is the last reference (OpenCompass). */
export const keywordFound: Scorer = {
  name: "keyword",
  about: "1 where the reply holds the keyword, or else a fifth of the score by edits",
  grade: (reply, item) => gradeKeyword(reply, item, {}),
};

/** The same of a reply that is first cut. */
export const trimmedKeyword: Scorer = {
  name: "trimmed keyword",
  about: "the same, of a reply that is first cut to about the reference's length",
  grade: (reply, item) => gradeKeyword(reply, item, { trim: true }),
};

function gradeEdits(reply: string, { references: [wanted = ""] }: Answerable, options: EditMatchOptions): Grading {
  const score = editMatch(reply, wanted, options);
  return { score, penalised: score };
}

function gradeKeyword(reply: string, { references }: Answerable, options: EditMatchOptions): Grading {
  const [answer = "", keyword = ""] = references;
  const score = keywordMatch(reply, { answer, keyword }, options);
  return { score, penalised: score.edits };
}
