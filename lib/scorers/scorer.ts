/** A way of scoring replies, with the form of a right answer. */
export interface Scorer {
  /** The name in records, such as `all`. */
  readonly name: string;
  /** The measure, in one line. */
  readonly about: string;
  /** The parts of a sample's references. Default: a list of right answers. */
  readonly parts?: ReferenceParts;
  /** The scorer as it was declared, in one that checks references first. */
  readonly unguarded?: Scorer;
  /** Whether scoring needs the wrong answer that the text offers for each reference. */
  readonly needsDistractors?: boolean;
  /** The form of one answer. Default: the narrowest form that the references of a sample have. */
  readonly shape?: AnswerShape;
  /**
   * Finds the answer in a reply: a stretch of the reply that {@linkcode grade} accepts, or `null` if there is none. It replaces
   * the general rule for the first answer of a reply.
   */
  readonly extract?: (reply: string) => string | null;
  /** Normalises an answer for comparison, after case and width. Default: unchanged. */
  readonly normalise?: (answer: string) => string;
  /** Names how a wrong reply failed, where the general classes would misread it, such as a copy of one repeated word as a loop. */
  readonly explain?: (reply: string, item: Answerable) => OwnFailure | null;
  /**
   * Whether a sample without references has an empty right answer, such as `[]`.
   *
   * @default {false} Without references there is nothing to score.
   */
  readonly allowsEmpty?: boolean;
  /**
   * The equivalent score of RULER, for exports to other programs: the share of the references that the reply contains (`all`),
   * or whether it contains any of them (`any`). Scorers without it cannot be exported.
   */
  readonly contains?: "all" | "any";
  /** Scores a reply. */
  grade(reply: string, item: Answerable): Grading;
}

/** The parts that the references of a sample consist of. */
export interface ReferenceParts {
  /** The meaning of each reference, in order, such as `["the answer", "the question"]`. */
  readonly names: readonly string[];
  /** The part that can occur several times. Default: none. */
  readonly several?: "first" | "last";
  /** Finds a part that is missing although the number is right, such as a sum; returns its name or `null`. */
  readonly lacks?: (references: readonly string[]) => string | null;
}

/** How a reply failed, as its scorer sees it: one of the classes of failures, and the reason. */
export interface OwnFailure {
  /** The class of the failure. */
  readonly class: "empty" | "refusal" | "loop" | "incomplete answer" | "wrong format" | "other answer";
  readonly why: string;
}

/** The part of a sample or record that defines a right reply. */
export interface Answerable {
  /** The right answers; the scorer decides whether all are needed or any one. */
  readonly references: readonly string[];
  /** The wrong answer in the text for each reference. */
  readonly distractors?: readonly string[];
  /** For references found step by step: the values on the way, in order, up to the reference. */
  readonly paths?: readonly (readonly string[])[];
}

/** The scores of one reply. */
export interface Grading {
  /** The benchmark's own score. */
  readonly score: Score;
  /** A score that also counts wrong answers in the reply; the same score if the benchmark's own already does. */
  readonly penalised: Score;
  /** Credit for steps on the way to the answer, if the task has any. */
  readonly partial?: Score;
  /** Whether no answer could be found in the reply. */
  readonly unparsable?: boolean;
  /** The lowest possible score, such as 0.2 where the lowest grade is 1 of 5; 0 by default. */
  readonly least?: number;
}

/** The score of a reply with its reason. */
export interface Score {
  /** The share of the right answer that was found, in [0, 1]; `null` if there was nothing to score. */
  readonly value: number | null;
  /** The text that was compared with the references. */
  readonly answer: string;
  /** The found and the missing answers, as a sentence. */
  readonly why: string;
}

/**
 * The form of one right answer.
 *
 * - `variable`: at least three capitals, such as `JXVSF`.
 * - `code`: a word of letters and digits, such as `e2f38cfd5e`; none of its digits is a number.
 * - `word pair`: words joined by hyphens, such as `calm-river`.
 * - `text`: anything else. It is not split into items.
 * - A pattern of your own matches one answer anywhere in a text.
 */
export type AnswerShape = "number" | "UUID" | "variable" | "code" | "word pair" | "word" | "text" | AnswerPattern;

/** A shape of your own, such as `{ name: "node", pattern: /\b[0-9a-f]{10}\b/ }`. */
export interface AnswerPattern {
  /** Names one answer in messages, as in "there is no node in the reply". */
  readonly name: string;
  /** Matches one whole answer. */
  readonly pattern: RegExp;
}

/** The parts of a {@linkcode Scorer} that describe its answers and not how they are graded. */
export type AnswerRule = Pick<Scorer, "shape" | "extract" | "normalise" | "contains" | "explain">;
