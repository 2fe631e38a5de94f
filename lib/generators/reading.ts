import type { Category } from "./task.ts";
import type { Draw } from "@/lib/random/mod.ts";

/** One fact in a prompt, as a perfect reader finds it. */
export interface Finding {
  /** What it is about: a needle's key, a variable's name, a word, a question. */
  readonly key: string;
  /** What an answer would say. */
  readonly value: string;
  /** The share of the prompt's characters before it, in [0, 1]; `null` if it is spread over the prompt. */
  readonly depth: number | null;
  /** Its number in a chain where each link leads to the next, from 0. */
  readonly hop?: number;
  /** How many places must be combined to find it; 1 by default. */
  readonly links?: number;
  /** The values that lead to it, where they could be mistaken for it. */
  readonly way?: readonly string[];
  /** How often it occurs in the prompt, where the answer depends on counting. */
  readonly count?: number;
}

/** What a prompt asks for, and what could be mistaken for it. */
export interface Reading {
  /** Decides how much the simulated reader loses. */
  readonly category: Category;
  /** The right answer, item by item, in the order of the reply. */
  readonly wanted: readonly Finding[];
  /** Things of the same kind that are not asked for. */
  readonly rivals: readonly Finding[];
  /** The answer of the worked example at the start of the prompt; empty where there is none. */
  readonly example: readonly string[];
  /** Whether the answer is a guess, as for questions about real documents. */
  readonly isGuess?: boolean;
  /** Whether the reader finds no answer, as with an item of the user's own that it has no rule for; its reply is no score. */
  readonly isUnsolved?: boolean;
  /** Whether the score is of all the words of a reply, as that of an edit distance or a judge is. */
  readonly isGraded?: boolean;
  /** Refusals to answer, where they are not in English. */
  readonly refusals?: readonly string[];
  /** Makes up an answer of the right kind that is not in the prompt. */
  invent(draw: Draw): string;
  /** Answers from prior knowledge, where that is something else than what is made up. */
  remember?(draw: Draw): string;
  /** Phrases an answer so that it continues the prompt. */
  write(said: readonly string[]): string;
  /** Phrases an answer with a total, which can be wrong; only where list and sum are asked for. */
  writeTotal?(said: readonly string[], total: number): string;
}

/** Recognises one family of tasks by its wording, and reads it perfectly. */
export interface TaskReader {
  /** What it reads, such as `needles`. */
  readonly name: string;
  /**
   * Reads all that a model is sent, as one text: system message, chat template, question and answer prefix. Returns `null`
   * where the wording is another task's.
   */
  recognise(prompt: string): Reading | null;
}
