import type { ChatTemplate, Materials, Sample } from "./sample.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";

/** A task of a study: a benchmark task by name, or a family with knobs of your own. */
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
  /** Token budget, prompt and answer room together, from the task's least length to 2,000,000. */
  readonly length: number;
  /** Any text; the same seed gives the same sample. */
  readonly seed: string;
  /** The sample's number, from 0. No other sample is made on the way to it. */
  readonly index: number;
  /** What it is made of, and whose tokens are counted. */
  readonly materials: Materials;
  /** What stands around the prompt when it is sent; nothing but the answer prefix by default. */
  readonly template?: ChatTemplate;
}

/** The words of a prompt around its context. */
export interface PromptWords {
  /** Up to the context: the chat template, instructions, worked examples. */
  readonly before: string;
  /** From the context on: the question, the chat template; `null` where a prompt has no context, and all words are before. */
  readonly after: string | null;
  /** The start of the answer; empty where a task has none or the template sends none. */
  readonly answerPrefix: string;
}

/** A task: samples of any length, and how replies to them are scored. */
export interface Task {
  /** The suite and its version, such as `ruler-2`. */
  readonly suite: string;
  /** The task's name, such as `niah_single_2`. */
  readonly name: string;
  /** What it tests. */
  readonly category: Category;
  /** Every knob with its value, defaults included except those that their knobs omit. */
  readonly options: Readonly<Record<string, string | number>>;
  /** Tokens kept free for the answer. */
  readonly answerRoom: number;
  /** How replies are scored. */
  readonly scorer: Scorer;
  /** The question or text that a sample shares with others, without making it; `undefined` where it is independent of all others. */
  readonly clusterOf?: (place: Pick<SampleRequest, "seed" | "index">) => string | undefined;
  /** How many samples there are at each length, where they exist already; it makes no others. */
  readonly held?: ReadonlyMap<number, number>;
  /** Makes one sample; a length below the least length or above 2,000,000 is refused. */
  sample(request: SampleRequest): Sample;
  /** The least length in tokens at which every sample fits. */
  leastLength(materials: Materials, template?: ChatTemplate): number;
  /** The words of sample 0 of seed 42 at the least length, without its context. */
  words(materials: Materials, template?: ChatTemplate): PromptWords;
}
