import type { DocumentSet } from "./documents.ts";
import type { Prompt } from "./prompt.ts";
import type { Haystack, Tokenizer } from "@/lib/text/mod.ts";

/** The role of a planted fact for the question. */
export type FactRole = "target" | "distractor" | "noise" | "example";

/** One fact that a generator put into the context. */
export interface Fact {
  /** The wanted fact, one easily mistaken for it, filler, or part of the worked example. */
  readonly role: FactRole;
  /** Its text in the prompt. */
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
  /** The task's name, such as `niah_single_2`. */
  readonly task: string;
  /** Its number in its task and length, from 0. */
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
  /** The right answers; the task's scorer wants all or any of them. */
  readonly references: readonly string[];
  /** A wrong answer in the text for each reference, such as a count that is later corrected; empty if there is none. */
  readonly distractors?: readonly string[];
  /** For each reference found step by step, the values on the way and itself, in order; each earns part of the score. */
  readonly paths?: readonly (readonly string[])[];
  /** The requested depth of the (first) needle in [0, 1], in tasks with a grid of depths. */
  readonly depth?: number;
  /** Every fact planted in the prompt, in the order of the prompt. */
  readonly facts: readonly Fact[];
  /** SHA-256 of the prompt in hexadecimal, so that two labs can compare. */
  readonly sha256: string;
}

/** The identity of a sample that is not made. */
export interface SamplePlace extends Pick<Sample, "suite" | "task" | "index"> {
  /** Its id. */
  readonly sample: string;
  readonly seed: string;
}

/** Returns the value of a knob in a sample's id; `undefined` if the id has no such knob. */
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
  /** The tokens of each of them with a space before it, if they were precomputed. */
  readonly vocabularyTokens?: Uint8Array | undefined;
}

/** The materials of samples, opened once for a tokenizer and shared by every task, length and sample. */
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
  /** Precomputed least lengths in tokens, within the plain template, by suite, task and knobs. */
  readonly leastLengths?: Readonly<Record<string, number>>;
  /** Caches the result of `make`, which must depend on the key and the materials alone. */
  remember<T>(key: string, make: () => T): T;
}
