import { editMatch, keywordMatch } from "./edit_match.ts";
import { answerMatch, setMatch } from "./set_match.ts";
import { type Score, stringMatchAll, stringMatchPart } from "./string_match.ts";

/** The part of a sample or record that says what a right reply is. */
export interface Answerable {
  /** The right answers; the scorer says whether all are needed or any one. */
  readonly references: readonly string[];
  /** The wrong answer in the text for each reference. */
  readonly distractors?: readonly string[];
  /** For references found step by step: the values on the way, in order, ending with the reference. */
  readonly paths?: readonly (readonly string[])[];
}

/** The scores of one reply. */
export interface Grading {
  /** The benchmark's own score. */
  readonly score: Score;
  /** The score that also counts what is wrong in the reply; the same where the benchmark's own score already does. */
  readonly penalised: Score;
  /** Credit for steps on the way to the answer, if there are any. */
  readonly partial?: Score;
  /** Whether no answer could be found in the reply. */
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

/** RULER's score of most tasks: the share of the references that the reply contains. */
export const allFound: Scorer = {
  name: "all",
  about: "the share of references that the reply contains",
  grade: (reply, { references }) => ({
    score: stringMatchAll(reply, references),
    penalised: setMatch(reply, references),
  }),
};

/** RULER's score of question answering: 1 if the reply contains any of the references. */
export const anyFound: Scorer = {
  name: "any",
  about: "1 if the reply contains any of the references, else 0",
  grade: (reply, { references }) => ({
    score: stringMatchPart(reply, references),
    penalised: answerMatch(reply, references),
  }),
};

/** OpenCompass's score of one reference: it falls with each edit. */
export const edits: Scorer = editScorer("edit distance", {
  about: "1 minus the edit distance between reply and reference, divided by the length of the longer",
  trim: false,
});

/** {@linkcode edits} of a reply that is first cut to about the reference's length. */
export const trimmedEdits: Scorer = editScorer("trimmed edit distance", {
  about: "the same, for a reply first cut to about the reference's length",
  trim: true,
});

function editScorer(name: string, { about, trim }: { readonly about: string; readonly trim: boolean }): Scorer {
  return {
    name,
    about,
    grade(reply, { references: [wanted = ""] }): Grading {
      const score = editMatch(reply, wanted, { trim });
      return { score, penalised: score };
    },
  };
}

/** OpenCompass's score of an answer with a keyword in it; the keyword is the last reference. */
export const keywordFound: Scorer = keywordScorer("keyword", {
  about: "1 if the reply contains the keyword, else a fifth of the edit score",
  trim: false,
});

/** {@linkcode keywordFound} of a reply that is first cut to about the answer's length. */
export const trimmedKeyword: Scorer = keywordScorer("trimmed keyword", {
  about: "the same, for a reply first cut to about the reference's length",
  trim: true,
});

function keywordScorer(name: string, { about, trim }: { readonly about: string; readonly trim: boolean }): Scorer {
  return {
    name,
    about,
    grade(reply, { references: [answer = "", keyword = ""] }): Grading {
      const score = keywordMatch(reply, { answer, keyword }, { trim });
      return { score, penalised: score.edits };
    },
  };
}
