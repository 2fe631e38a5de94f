import type { ChatTemplate, Materials, Sample } from "./sample.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";

/** A task of a study: a benchmark task by name, or a family with custom knobs. */
export interface TaskChoice {
  /** A benchmark task such as `niah_single_2`, or a family such as `niah`. */
  readonly task: string;
  /** Its name in records and tables; the value of `task` by default. */
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
   * What stands around the prompt when it is sent.
   *
   * @default {PLAIN_TEMPLATE}
   */
  readonly template?: ChatTemplate;
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
  readonly scorer: Scorer;
  /**
   * Makes one sample.
   *
   * @throws {RangeError} If the length is below the task's least length, which the message names, or above 2,000,000.
   */
  sample(request: SampleRequest): Sample;
  /** The least length at which every sample fits, in tokens, for these materials and this template. */
  leastLength(materials: Materials, template?: ChatTemplate): number;
}
