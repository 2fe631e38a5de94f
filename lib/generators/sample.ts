import type { DocumentSet } from "./documents.ts";
import type { Prompt } from "./prompt.ts";
import type { Haystack, Tokenizer } from "@/lib/text/mod.ts";

/** What a planted fact is to the question. */
export type FactRole = "target" | "distractor" | "noise" | "example";

/** One fact that a generator put into the context. */
export interface Fact {
  /** Asked for, easily mistaken for it, filler, or part of the worked example. */
  readonly role: FactRole;
  /** Its words in the prompt. */
  readonly text: string;
  /** What it is about: a needle's key, a variable's name, a word, a document's title. */
  readonly key: string;
  /** What it says: a needle's value, what a variable is assigned, a word's count, the answer in a document. */
  readonly value: string;
  /**
   * The share of the context's other tokens before it, in [0, 1]: 0 is first, 1 is last. `null` for a fact outside the
   * context, or spread over it as a word's count is.
   */
  readonly depth: number | null;
  /** Tokens of the whole prompt before it; `null` where it is spread over the context. */
  readonly tokenOffset: number | null;
}

/** One question with its context, its answers, and everything the generator knows about it. */
export interface Sample {
  /** Names the recipe: suite, task, knobs, tokenizer, length, seed and index. The same id is the same text. */
  readonly id: string;
  /** The suite and its version, such as `ruler-2`; part of every published score. */
  readonly suite: string;
  /** The task's name, such as `niah_single_2`. */
  readonly task: string;
  /** Its number in its task and length, from 0. */
  readonly index: number;
  /**
   * The unit that it is independent of all others but: the question or the text that it shares with other samples, at any length
   * and task, such as `question:hops=1/42/7`. Left out where that is the sample itself.
   */
  readonly cluster?: string;
  /** Token budget: prompt and answer room together, as RULER counts it. */
  readonly length: number;
  /** Tokens of the prompt as it is sent: chat template, system message and answer prefix included. */
  readonly promptTokens: number;
  /**
   * Tokens kept free for the answer. `promptTokens + answerRoom` is at most `length`, except in editions of a task that
   * count their lengths in characters or words.
   */
  readonly answerRoom: number;
  /** The question with its context. */
  readonly prompt: Prompt;
  /** The right answers; whether all or any one of them is wanted, the task's scorer decides. */
  readonly references: readonly string[];
  /** A wrong answer in the text for each reference, such as a count that is later corrected; empty where there is none. */
  readonly distractors?: readonly string[];
  /** For each reference found step by step, the values on the way and itself, in order; each earns a part of the score. */
  readonly paths?: readonly (readonly string[])[];
  /** The requested depth of the (first) needle in [0, 1], in tasks with a grid of depths. */
  readonly depth?: number;
  /** Every fact planted in the prompt, in the order of the prompt. */
  readonly facts: readonly Fact[];
  /** SHA-256 of the prompt in hexadecimal, so that two labs can compare. */
  readonly sha256: string;
}

/** What is known of a sample without making it. */
export interface SamplePlace extends Pick<Sample, "suite" | "task" | "index"> {
  /** Its id. */
  readonly sample: string;
  readonly seed: string;
}

/** Reads the value of a knob from a sample's id; `undefined` where the id has no such knob. */
export function knobInId(id: string, knob: string): string | undefined {
  return new RegExp(`[/,]${knob}=([^,/]*)`).exec(id)?.[1];
}

/** Lists of English words; lower case, sorted, without duplicates. */
export interface WordLists {
  /** About a thousand adjectives, for the first half of a needle's key: letters only, and none ends in another. */
  readonly adjectives: readonly string[];
  /** About a thousand nouns, for the second half of a needle's key: letters only, and none begins with another. */
  readonly nouns: readonly string[];
  /** The words of common words extraction; enough for 2,000,000 tokens. */
  readonly vocabulary: readonly string[];
  /** The tokens of each of them with a space before it, where they were counted beforehand. */
  readonly vocabularyTokens?: Uint8Array | undefined;
}

/** What samples are made of: opened once for a tokenizer, then shared by every task, length and sample. */
export interface Materials {
  readonly tokenizer: Tokenizer;
  /** The essays that needles are hidden in. */
  readonly essays: Haystack;
  /** Returns the user's own essays, or else those in a language that come with Fathom. */
  essaysIn(language: "en" | "zh"): Haystack;
  /** Words for keys and for word-counting tasks. */
  readonly words: WordLists;
  /** Documents and questions of `qa_1` (one hop, SQuAD) and `qa_2` (two hops, HotpotQA). */
  readonly documents: {
    readonly oneHop: DocumentSet;
    readonly twoHop: DocumentSet;
  };
  /** Least lengths that need not be found by making samples, in tokens within the plain template, by suite, task and knobs. */
  readonly leastLengths?: Readonly<Record<string, number>>;
  /** Caches what `make` returns, which must depend on the key and the materials alone. */
  remember<T>(key: string, make: () => T): T;
}
