import type { Sample, Task } from "@/lib/generators/mod.ts";

/**
 * What a solver reads off the text of a prompt.
 *
 * The solvers of this folder share no code with the generators: they know how a prompt is worded and nothing of how it is made.
 * Where a prompt has no answer, or more than one, they throw.
 */
export interface Solution {
  /** The right answers, in the order in which they are asked for; sorted if `anyOrder` is set. */
  readonly answers: readonly string[];
  /** Set if the question asks for no order. */
  readonly anyOrder?: boolean;
  /** The wrong answer that the text offers beside each right one. */
  readonly distractors?: readonly string[];
  /** For each answer the values on the way to it. */
  readonly paths?: readonly (readonly string[])[];
  /** The characters where the context begins and ends. */
  readonly context: readonly [start: number, end: number];
  /** How many planted things stand in the context. */
  readonly planted: number;
  /** How often each word is there, examples included, where words are counted. */
  readonly counts?: ReadonlyMap<string, number>;
  /** The longest piece of text that one step of filling adds; a prompt is never that much too short. */
  readonly unit: string;
}

/** How a suite is audited: `AUDIT` of the file `_solve_<name>.ts`. */
export interface Audit {
  /** Solves a prompt, answer prefix included. */
  readonly solve: (prompt: string, sample: Sample) => Solution;
  /** Tasks with knobs at their edges, audited after the named ones. */
  readonly further: readonly Task[];
  /** In what the samples of a task, by its knobs, differ from most; by default in nothing. */
  readonly traits?: (options: Task["options"]) => Partial<Traits>;
  /** The answers of a sample as `solve` finds them; its references by default. */
  readonly answersOf?: (sample: Sample) => readonly string[];
}

/** What the audit and the laws expect of samples. */
export interface Traits {
  /** Whether the length is a budget in tokens. An edition that keeps to a reference may go over it. Default: yes. */
  readonly isBudget: boolean;
  /** Whether prompts fill their budget, which a given number of items does not. Default: if it is one. */
  readonly isFilled: boolean;
  /** Whether the depths of targets are even over the samples, which those of a grid or a cluster are not. Default: if it is a budget. */
  readonly isSpread: boolean;
  /** Whether targets stand at no more places than the sample has facts. Default: no. */
  readonly isStepped: boolean;
  /** Whether samples differ from each other. Default: yes. */
  readonly areDifferent: boolean;
  /** Whether all samples ask the same question, with the same answer. Default: no. */
  readonly asksTheSame: boolean;
  /** Whether prompts are several messages, for which most templates have no text. Default: no. */
  readonly hasTurns: boolean;
}

/** Whether none of some knobs is set. */
export function areUnset(options: Task["options"], ...knobs: readonly string[]): boolean {
  return knobs.every((knob) => options[knob] === undefined);
}

/** Says that a prompt cannot be solved. */
export function unsolvable(what: string): Error {
  return new Error(`Cannot solve the prompt as ${what}`);
}

/** Gives the one item there is. */
export function only<T>(items: readonly T[], what: string): T {
  if (items.length !== 1) throw unsolvable(`there must be one ${what}: there are ${items.length}`);
  return items[0]!;
}

/** Throws where an item stands twice. */
export function checkDifferent(items: readonly string[], what: string): void {
  const seen = new Set<string>();
  for (const item of items) {
    if (seen.has(item)) throw unsolvable(`every ${what} must be another one: "${item}" stands twice`);
    seen.add(item);
  }
}

/** Throws unless a worked example is answered as its own text says, with none of the answers that the text after it has. */
export function checkExample(
  said: readonly string[],
  { right, own }: { readonly right: readonly string[]; readonly own: readonly string[] },
): void {
  if (JSON.stringify(said) !== JSON.stringify(right)) {
    throw unsolvable(`its example must be answered by ${right.join(", ")}: it is by ${said.join(", ")}`);
  }
  const shared = said.find((answer) => own.includes(answer));
  if (shared !== undefined) throw unsolvable(`its example must have answers of its own: ${shared} is in the text too`);
}

/** Tells where a text stands, searched from the end. */
export function lastPlace(text: string, part: string): number {
  const place = text.lastIndexOf(part);
  if (place < 0) throw unsolvable(`it must say "${part}"`);
  return place;
}

/**
 * Sentences a little shorter than most. Essays are filled up with one sentence that fits, of which there are some of almost every
 * length, so that what stays free is always less.
 */
export const SENTENCE = {
  en: "Most of what a gardener knows was learned slowly, by losing plants.",
  zh: "园丁所知道的，多半是慢慢学来的。",
} as const;

/** The longest of some texts, by characters. */
export function longest(texts: Iterable<string>): string {
  let found = "";
  for (const text of texts) if (text.length > found.length) found = text;
  return found;
}
