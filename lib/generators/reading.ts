import type { Category } from "./task.ts";
import type { Draw } from "@/lib/random/mod.ts";

/** One fact in a prompt, as a perfect reader finds it. */
export interface Finding {
  /** What it is about: a needle's key, a variable's name, a word, a question. */
  readonly key: string;
  /** What would be said of it in an answer. */
  readonly value: string;
  /** The share of the prompt's characters before it, in [0, 1]; `null` where it is spread over the prompt. */
  readonly depth: number | null;
  /** Its number in a chain in which each link is found through the one before it, from 0. */
  readonly hop?: number;
  /** How many places must be put together to find it; 1 by default. */
  readonly links?: number;
  /** The values on the way to it, each of which leads to the next, where they could be taken for it. */
  readonly way?: readonly string[];
  /** How often it stands in the prompt, where the answer depends on counting. */
  readonly count?: number;
}

/** A prompt as read: what it asks for, and what could be mistaken for it. */
export interface Reading {
  /** The category whose losses apply. */
  readonly category: Category;
  /** The right answer, item by item, in the order in which it is said. */
  readonly wanted: readonly Finding[];
  /** Things of the same kind that are not asked for. */
  readonly rivals: readonly Finding[];
  /** The answer of the worked example that the prompt begins with; empty where there is none. */
  readonly example: readonly string[];
  /** Whether the answer is only a guess, as it is for questions about real documents. */
  readonly isGuess?: boolean;
  /** What is said instead of an answer, where it is not said in English. */
  readonly refusals?: readonly string[];
  /** Makes up something of the right kind without looking at the prompt, as from prior knowledge. */
  invent(draw: Draw): string;
  /** Phrases an answer so that it continues the prompt. */
  write(said: readonly string[]): string;
  /** The same with a sum that need not be that of the list; only where both are asked for. */
  writeTotal?(said: readonly string[], total: number): string;
}

/** Recognises one family of tasks by its wording, and reads it perfectly. */
export interface TaskReader {
  /** What it reads, such as `needles`. */
  readonly name: string;
  /**
   * Reads a prompt.
   *
   * @param prompt All that a model is sent, as one text: system message, chat template, question and answer prefix.
   * @returns What it says and asks, or `null` where the wording is another task's.
   */
  recognise(prompt: string): Reading | null;
}
