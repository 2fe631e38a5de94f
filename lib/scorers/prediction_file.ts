import type { Score } from "./scorer.ts";

/** A prediction to score: one line of a prediction file. */
export interface Prediction {
  readonly prediction: string;
  /** The references; empty if the file has none for this line. */
  readonly references: readonly string[];
  /** The wrong answer in the text that competes with each reference; empty texts for none. */
  readonly distractors?: readonly string[] | undefined;
  /** The line's name; by default its place in the file, from 0. */
  readonly id?: string | number | undefined;
  /** The task that the line names, as `fathom generate` writes it. */
  readonly task?: string | undefined;
}

/** The scores of a prediction file. */
export interface FileScore {
  /** The requested task or family. */
  readonly task: string;
  /** The scorer's name, such as `all` if all references are required. */
  readonly scoring: string;
  readonly n: number;
  /** The task's score in percent, to two decimals; `null` if no line has references. */
  readonly score: number | null;
  /** The share of empty predictions, as RULER writes it: `k/n`. They score 0. */
  readonly nulls: string;
  /** The score of each line, in the order of the file. */
  readonly scores: readonly Score[];
  readonly ids: readonly (string | number)[];
}
