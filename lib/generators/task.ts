import type { Frame, Materials, Sample } from "./sample.ts";

/** A task of a study: one of the benchmark's by name, or a family with knobs of one's own. */
export interface TaskChoice {
  /** A benchmark task such as `niah_single_2`, or a family such as `niah`. */
  readonly task: string;
  /** What to call it in records and tables; the value of `task` unless given. */
  readonly name?: string;
  /** Knobs of the family. */
  readonly knobs?: Readonly<Record<string, string | number>>;
}

/** The four categories of the RULER paper (section 3). */
export type Category =
  | "retrieval"
  | "multi-hop tracing"
  | "aggregation"
  | "question answering";

/**
 * How replies are compared with a sample's references.
 *
 * - `all`: all references are wanted; the score is the share of them found.
 * - `any`: any one of them is; the score is 0 or 1.
 * - `stars`: a list of numbers is wanted, as Counting-Stars asks for it; beside each reference there can be a distractor.
 * - `stars and sum`: the same, and the list's sum, which is the last reference.
 * - `lenient stars`, `lenient stars and sum`: the same two, and a list counts that Counting-Stars' own scorer cannot read.
 * - `sum`: one number is wanted.
 * - `values in order`: a value or a list of them is wanted, as Needle Threading asks for them; each has its place.
 * - `values in any order`: the same, and the order does not matter.
 * - `edit distance`: the one reference is wanted word for word, as OpenCompass's CDME asks for it; the score falls with each edit.
 * - `trimmed edit distance`: the same, of a reply that is first cut to about the reference's length.
 * - `keyword`: the reference is wanted with the keyword in it, which is the last reference.
 * - `trimmed keyword`: the same, of a reply that is first cut.
 * - `recall rubric`: the first reference, a sentence, is wanted as an answer to the second, a question; the score is a grade of 5.
 *   A third reference is another wording of the question; what either gives away is not wanted in the answer.
 */
export type Scoring =
  | "all"
  | "any"
  | "stars"
  | "stars and sum"
  | "lenient stars"
  | "lenient stars and sum"
  | "sum"
  | "values in order"
  | "values in any order"
  | "edit distance"
  | "trimmed edit distance"
  | "keyword"
  | "trimmed keyword"
  | "recall rubric";

/** Which sample is wanted. */
export interface SampleRequest {
  /** The token budget, prompt and answer room together. Range: the task's least length to 2,000,000. */
  readonly length: number;
  /** Any text; the same seed gives the same sample. */
  readonly seed: string;
  /** The number of the sample, from 0. No other sample is made on the way to it. */
  readonly index: number;
  /** What it is made of, and whose tokens count. */
  readonly materials: Materials;
  /**
   * What stands round the prompt when it is sent.
   *
   * @default {BASE_FRAME}
   */
  readonly frame?: Frame;
}

/** A task: a family of samples of any length, and how their answers are compared. */
export interface Task {
  /** The suite and its version, such as `ruler-2`. */
  readonly suite: string;
  /** The task's name, such as `niah_single_2`. */
  readonly name: string;
  /** What it tests. */
  readonly category: Category;
  /** Every knob with its value, defaults included. */
  readonly options: Readonly<Record<string, string | number>>;
  /** Tokens kept free for the answer. */
  readonly answerRoom: number;
  /** How replies are compared with the references. */
  readonly scoring: Scoring;
  /**
   * Makes one sample.
   *
   * @throws {RangeError} If the length is below the task's least length, which the message names, or above 2,000,000.
   */
  sample(request: SampleRequest): Sample;
  /** The least length at which every sample fits, in tokens, for these materials and this frame. */
  leastLength(materials: Materials, frame?: Frame): number;
}
