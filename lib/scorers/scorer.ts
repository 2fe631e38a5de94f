import { stripText } from "./_python_text.ts";

/** A way of scoring replies. */
export interface Scorer {
  /** Its name in records, such as `all`. */
  readonly name: string;
  /** What it measures, in one line. */
  readonly about: string;
  /** Whether a score depends on the wrong answer that the text gives for each reference, so that it must be known. */
  readonly needsDistractors?: boolean;
  /** Scores a reply. */
  grade(reply: string, item: Answerable): Grading;
}

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

/** How good a reply is, what was compared, and why. */
export interface Score {
  /** How much of the right answer was found, in [0, 1]; `null` if there was nothing to score. */
  readonly value: number | null;
  /** The text that was compared with the references. */
  readonly answer: string;
  /** What was found and what was missing, as a sentence. */
  readonly why: string;
}

/**
 * Cleans a reply as RULER's evaluate.py does: strips it, turns every control character from U+0000 to U+001F into a line
 * break, and strips it again. White space is Python's.
 */
export function cleanPrediction(reply: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what is replaced
  return stripText(stripText(reply).replaceAll(/[\u0000-\u001f]/g, "\n"));
}
