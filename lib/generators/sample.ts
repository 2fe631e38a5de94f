import type { DocumentSet } from "./documents.ts";
import type { Haystack, Tokenizer } from "@/lib/text/mod.ts";

/** What a planted fact is to the question. */
export type FactRole = "target" | "distractor" | "noise" | "example";

/** One fact that a generator put into the context. */
export interface Fact {
  /** What it is to the question: asked for, easily mistaken for it, mere filler, or part of the worked example. */
  readonly role: FactRole;
  /** The words as they stand in the prompt. */
  readonly text: string;
  /** What the fact is about: a needle's key, a variable's name, a word, a document's title. */
  readonly key: string;
  /** What it says: a needle's value, the value or variable assigned, a word's count, the answer in a document. */
  readonly value: string;
  /**
   * The share of the context's tokens that stand before it, in [0, 1]: 0 is truly first, 1 truly last. `null` for a fact
   * outside the context, or spread over it as a word's count is.
   */
  readonly depth: number | null;
  /** How many tokens of the rendered prompt come before it; `null` where `depth` is. */
  readonly tokenOffset: number | null;
}

/** What a model is asked, before a chat template or an endpoint wraps it. */
export interface Prompt {
  /** The system message, where one is used. */
  readonly system?: string;
  /** The user's message: instructions, context and question. */
  readonly user: string;
  /** The start of the answer, which the model continues; most begin with a space. */
  readonly answerPrefix?: string;
  /**
   * What stands around the user's message instead of the template's own texts, where the task changes those as RULER's
   * code does.
   */
  readonly wrapping?: Wrapping;
}

/** One question with its context, its answer, and everything the generator knows about it. */
export interface Sample {
  /** Names the recipe: suite, task, knobs, tokenizer, length, seed and index. The same id is the same text. */
  readonly id: string;
  /** The suite and its version, such as `ruler-2`; part of every published score. */
  readonly suite: string;
  /** The task's name, such as `niah_single_2`. */
  readonly task: string;
  /** The number of the sample in its task and length, from 0. */
  readonly index: number;
  /** The token budget: prompt and answer room together, as RULER counts it. */
  readonly length: number;
  /** Tokens of the prompt as it is sent: chat template, system message and answer prefix included. */
  readonly promptTokens: number;
  /**
   * Tokens kept free for the answer. `promptTokens + answerRoom` is at most `length`, except in editions of a task that
   * count their lengths in characters or words.
   */
  readonly answerRoom: number;
  /** What is asked. */
  readonly prompt: Prompt;
  /** The right answers: all of them are wanted, or any one, as the task's scoring says. */
  readonly references: readonly string[];
  /** The wrong answer that the text offers beside each reference, such as a count that it takes back; empty where none. */
  readonly distractors?: readonly string[];
  /** For each reference that is found step by step, the values on the way to it and itself, in order; the credit of a part. */
  readonly paths?: readonly (readonly string[])[];
  /** Where the (first) needle was asked for, as a share of the context in [0, 1], in tasks that go through a grid of depths. */
  readonly depth?: number;
  /** Every fact planted in the prompt, in the order of the prompt. */
  readonly facts: readonly Fact[];
  /** SHA-256 of the prompt, in hexadecimal: pins the text, so that two labs can compare. */
  readonly sha256: string;
}

/** Text around a task's prompt, as a chat template puts it there. */
export interface Wrapping {
  /** Text before the task's prompt. */
  readonly before: string;
  /** Text after the task's prompt and before the answer prefix. */
  readonly after: string;
}

/**
 * What stands around a task's prompt when it is sent, all of it inside the token budget.
 *
 * For plain completions that is a chat template's text; for chat endpoints a system message and the tokens that the
 * server's own template adds.
 */
export interface ChatTemplate extends Wrapping {
  /** Its name in sample ids and records. */
  readonly name: string;
  /**
   * The template's texts where one needle is asked for: RULER's code makes the whole prompt singular, template included, so
   * that LWM is told "You is a helpful assistant". Left out where nothing changes.
   */
  readonly singular?: Wrapping;
  /** A system message, sent apart. */
  readonly system?: string;
  /** Tokens that the server adds and no text shows, from 0. */
  readonly extraTokens: number;
  /** Whether the answer prefix is sent. */
  readonly answerPrefix: boolean;
}

/** RULER's `base` template: the prompt, then the answer prefix, and nothing else. */
export const PLAIN_TEMPLATE: ChatTemplate = {
  name: "base",
  before: "",
  after: "",
  extraTokens: 0,
  answerPrefix: true,
};

/** Returns all the words of a template, so that made-up answers can avoid them. */
export function templateWords({ system = "", before, after }: ChatTemplate): string {
  return [system, before, after].join(" ");
}

/** Lists of English words; lower case, sorted, without duplicates. */
export interface WordLists {
  /** About a thousand adjectives, the first half of a needle's key; of letters alone, and none ends in another. */
  readonly adjectives: readonly string[];
  /** About a thousand nouns, the second half of a needle's key; of letters alone, and none begins with another. */
  readonly nouns: readonly string[];
  /** The words that common words extraction draws from; enough for 2,000,000 tokens. */
  readonly vocabulary: readonly string[];
}

/** What samples are made of. Opened once for a tokenizer, then shared by every task, length and sample. */
export interface Materials {
  /** The tokenizer. */
  readonly tokenizer: Tokenizer;
  /** The essays that needles are hidden in. */
  readonly essays: Haystack;
  /** Returns the user's own essays, or, where there are none, those in a language that come with Fathom. */
  essaysIn(language: "en" | "zh"): Haystack;
  /** Lists of words for keys and for word-counting tasks. */
  readonly words: WordLists;
  /** Documents and questions of `qa_1` (one hop, SQuAD) and `qa_2` (two hops, HotpotQA). */
  readonly documents: {
    readonly oneHop: DocumentSet;
    readonly twoHop: DocumentSet;
  };
  /** Caches what `make` gives under a key; for things that depend on the materials alone. */
  remember<T>(key: string, make: () => T): T;
}
