import type { ChatTemplate } from "./chat_template.ts";
import type { DocumentSet } from "./documents.ts";
import type { Prompt } from "./prompt.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";
import type { Haystack, Tokenizer } from "@/lib/text/mod.ts";

/** The role of a planted fact for the question. */
export type FactRole = "target" | "distractor" | "noise" | "example";

/** One fact that a generator put into the context. */
export interface Fact {
  /** The wanted fact, one easily mistaken for it, filler, or part of the worked example. */
  readonly role: FactRole;
  readonly text: string;
  /** Its subject: a needle's key, a variable's name, a word, a document's title. */
  readonly key: string;
  /** Its value: that of a needle or variable, a word's count, the answer in a document. */
  readonly value: string;
  /** The share of the context's other tokens before it, in [0, 1]; `null` outside the context, or without a single place in it. */
  readonly depth: number | null;
  /** Tokens of the whole prompt before it; `null` if it has no single place. */
  readonly tokenOffset: number | null;
}

/** One question with its context, its answers, and all facts known to the generator. */
export interface Sample {
  /** The recipe: suite, task, knobs, tokenizer, length, seed and index. Equal ids have equal texts. */
  readonly id: string;
  /** The suite and its version, such as `ruler-2`; part of every published score. */
  readonly suite: string;
  readonly task: string;
  readonly index: number;
  /** The question or text that it shares with samples of any task and length, such as `question:hops=1/42/7`, if any. */
  readonly cluster?: string;
  /** Token budget of prompt and answer room together, as in RULER. */
  readonly length: number;
  /** Tokens of the prompt as it is sent, with chat template, system message and answer prefix. */
  readonly promptTokens: number;
  /** Tokens kept free for the answer. With the prompt, at most `length`, unless a task counts characters or words. */
  readonly answerRoom: number;
  readonly prompt: Prompt;
  /**
   * The part of the prompt that asks, without its instructions, context and answer prefix; of samples of files, what
   * {@linkcode questionOf} finds. Empty if the prompt is not known.
   */
  readonly question: string;
  readonly references: readonly string[];
  /** A wrong answer in the text for each reference, such as a count that is later corrected; empty if there is none. */
  readonly distractors?: readonly string[];
  /** For each reference found step by step, the values on the way and itself, in order; each earns part of the score. */
  readonly paths?: readonly (readonly string[])[];
  /** The requested depth of the (first) needle in [0, 1], in tasks with a grid of depths. */
  readonly depth?: number;
  readonly facts: readonly Fact[];
  /** Tokens cut out of a text that is longer than the length; left out if it is whole. */
  readonly cutTokens?: number;
  /** SHA-256 of the prompt in hexadecimal, so that two labs can compare. */
  readonly sha256: string;
}

/** The identity of a sample that is not made. */
export interface SamplePlace extends Pick<Sample, "suite" | "task" | "length" | "index"> {
  readonly sample: string;
  readonly seed: string;
}

/** Lists of English words; lower case, sorted, without duplicates. */
export interface WordLists {
  /** About a thousand adjectives, for the first half of a needle's key: letters only, and none ends in another. */
  readonly adjectives: readonly string[];
  /** About a thousand nouns, for the second half of a needle's key: letters only, and none begins with another. */
  readonly nouns: readonly string[];
  /** The words of common words extraction; enough for 2,000,000 tokens. */
  readonly vocabulary: readonly string[];
  /** The tokens of each of them with a space before it, if they were precomputed. */
  readonly vocabularyTokens?: Uint8Array | undefined;
}

/** The materials of samples, opened once for a tokenizer and shared by every task, length and sample. */
export interface Materials {
  readonly tokenizer: Tokenizer;
  readonly essays: Haystack;
  /** Returns the user's own essays, or else those in a language that come with Fathom. */
  essaysIn(language: "en" | "zh"): Haystack;
  /** Words for keys and for word-counting tasks. */
  readonly words: WordLists;
  /** Documents and questions of `qa_1` (one hop, SQuAD) and `qa_2` (two hops, HotpotQA). */
  readonly documents: {
    readonly oneHop: DocumentSet;
    readonly twoHop: DocumentSet;
    /** Questions with choices, each a document too; its answer is a letter. Only of a file of the user's. */
    readonly exam?: DocumentSet;
  };
  /** Precomputed least lengths in tokens, within the plain template, by suite, task and knobs. */
  readonly leastLengths?: Readonly<Record<string, number>>;
  /** Caches the result of `make`, which must depend on the key and the materials alone. */
  remember<T>(key: string, make: () => T): T;
}

/** A task of a study: a benchmark task by name, or a family with knobs of your own. */
export interface TaskChoice {
  /** A benchmark task such as `niah_single_2`, or a family such as `niah`. */
  readonly task: string;
  /** Its name in records and tables; the value of `task` by default. */
  readonly name?: string;
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
  readonly materials: Materials;
  /** The text around the prompt when it is sent; by default only the answer prefix. */
  readonly template?: ChatTemplate;
}

/** The words of a prompt around its context. */
export interface PromptWords {
  /** Up to the context: the chat template, instructions, worked examples. */
  readonly before: string;
  /** From the context on: the question, the chat template; `null` if a prompt has no context, so that all words are before it. */
  readonly after: string | null;
  /** The start of the answer; empty if a task has none or the template sends none. */
  readonly answerPrefix: string;
}

/** A task with one knob changed. */
export interface TurnedTask {
  readonly knob: string;
  readonly value: number;
  readonly task: Task;
}

/**
 * Writes the reply that gives some values in the form that a task asks for, by its settings; `total` is that of the values, if it
 * differs from their sum.
 */
export type WriteReply<Settings = never> = (
  values: readonly string[],
  context: { readonly settings: Settings; readonly total?: number | undefined },
) => string;

/** How a task's right replies are written, and what they demand of a reader. */
export interface ReplyForm {
  readonly category: Category;
  readonly settings: unknown;
  readonly write: WriteReply;
}

/** A task: samples of any length, and how replies to them are scored. */
export interface Task {
  readonly suite: string;
  readonly name: string;
  readonly category: Category;
  /** Every knob with its value, defaults included except those that their knobs omit. */
  readonly options: Readonly<Record<string, string | number>>;
  /** Tokens kept free for the answer; 0 if each sample has its own. */
  readonly answerRoom: number;
  /** The largest share of a length that a sample keeps free for its answer, if each has its own. */
  readonly answerShare?: number;
  readonly scorer: Scorer;
  /** Finds the question in the words around the context, or near the end of a whole prompt. */
  readonly asks?: RegExp;
  /** How right replies are written; with commas between the references by default. */
  readonly form?: ReplyForm;
  /** The question or text that a sample shares with others, without making it; `undefined` if it is independent of all others. */
  readonly clusterOf?: (place: Pick<SampleRequest, "length" | "seed" | "index">) => string | undefined;
  /** How many samples there are at each length, if they exist already; it makes no others. */
  readonly held?: ReadonlyMap<number, number>;
  /** Makes the same task one step harder or easier; `undefined` at the end, and for tasks whose difficulty no knob changes. */
  readonly turn?: (way: "harder" | "easier") => TurnedTask | undefined;
  /** Makes one sample; a length below the least length or above 2,000,000 is refused. */
  sample(request: SampleRequest): Sample;
  /** The least length in tokens at which every sample fits. */
  leastLength(materials: Materials, template?: ChatTemplate): number;
  /** The words of sample 0 of seed 42 at the least length, without its context. */
  words(materials: Materials, template?: ChatTemplate): PromptWords;
}

/** Returns the most tokens that a task's samples of a length keep free for an answer. */
export function answerRoomAt(
  { answerRoom, answerShare }: Pick<Task, "answerRoom" | "answerShare">,
  length: number,
): number {
  return answerShare === undefined ? answerRoom : Math.floor(answerShare * length);
}
