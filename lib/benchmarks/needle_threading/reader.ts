import QUESTIONS from "./questions.json" with { type: "json" };
import type { Finding, Reading, TaskReader } from "@/lib/generators/mod.ts";
import { inventLike } from "@/lib/simulated/mod.ts";

/** The beginning of each question: up to the words that differ between prompts. */
const BEGINNINGS = Object.entries(QUESTIONS).map(([kind, question]) => ({
  kind: kind as keyof typeof QUESTIONS,
  text: question.slice(0, question.indexOf("{")),
}));

export const THREADING_READER: TaskReader = {
  name: "threading",
  recognise(prompt): Reading | null {
    const asked = findQuestion(prompt);
    if (!asked) return null;
    const { kind, text, at } = asked;
    const words = prompt.slice(at);
    // Before the object there may be a worked example, with its own object.
    const start = Math.max(0, prompt.lastIndexOf("\n\n{", at));
    const pairs = readPairs(prompt, { start, end: at });
    const byKey = Map.groupBy(pairs, ({ key }) => key);
    const budget = { left: MAX_STEPS };
    const isThread = kind.endsWith("thread");
    const wanted = kind === "conditional_needle"
      ? findMarked(pairs, words[text.length]!)
      : readKeys(words).flatMap((key) => isThread ? follow(key, byKey, budget) : lookUp(key, byKey));
    const used = new Set(wanted.flatMap(({ value, way = [] }) => [value, ...way]));
    const isList = !["single_needle", "single_thread", "branched_thread"].includes(kind);
    return {
      category: isThread ? "multi-hop tracing" : "retrieval",
      wanted,
      rivals: pairs.filter(({ value }) => !used.has(value)),
      example: readAnswer(prompt.slice(0, start)),
      invent: (draw) => inventLike(wanted[0]?.value ?? "", draw),
      write: (values) => isList ? `[${values.map((value) => JSON.stringify(value)).join(", ")}]` : values.join(", "),
    };
  },
};

/** The last question in a prompt. */
function findQuestion(prompt: string): typeof BEGINNINGS[number] & { readonly at: number } | null {
  const found = BEGINNINGS.map((beginning) => ({ ...beginning, at: prompt.lastIndexOf(beginning.text) }));
  const last = found.reduce((best, next) => next.at > best.at ? next : best);
  return last.at < 0 ? null : last;
}

function readKeys(words: string): string[] {
  const named = words.match(/Keys?: ([^\n]*)/)?.[1] ?? "";
  return Array.from(named.matchAll(/"([^"]+)"/g), ([, key]) => key!);
}

function lookUp(key: string, pairs: ReadonlyMap<string, readonly ReadPair[]>): Finding[] {
  return (pairs.get(key) ?? []).slice(0, 1);
}

function findMarked(pairs: readonly ReadPair[], character: string): Finding[] {
  return pairs.filter(({ key }) => key.includes(character));
}

function follow(key: string, pairs: ReadonlyMap<string, readonly ReadPair[]>, budget: Budget): Finding[] {
  const way = longestWay(key, pairs, budget);
  const end = way.at(-1);
  if (end === undefined) return [];
  return [{
    key,
    value: end.value,
    depth: end.depth,
    links: way.length,
    way: way.slice(0, -1).map(({ value }) => value),
  }];
}

interface ReadPair {
  readonly key: string;
  readonly value: string;
  /** The share of the prompt's characters before it. */
  readonly depth: number;
}

/** Pairs, each with the value of the one before it as its key. */
type Way = readonly ReadPair[];

const PAIR = /"([^"\n]{1,100})": "([^"\n]{1,100})"/g;

/** Equal keys are kept, which `JSON.parse` would drop. */
function readPairs(prompt: string, { start, end }: { readonly start: number; readonly end: number }): ReadPair[] {
  return Array.from(prompt.slice(start, end).matchAll(PAIR), ({ 1: key, 2: value, index }) => ({
    key: key!,
    value: value!,
    depth: (start + index) / prompt.length,
  }));
}

/** The values at the end of a worked example: a list, or one without quotation marks. */
function readAnswer(example: string): string[] {
  const text = example.trimEnd();
  const [, answer = ""] = /alues?: (.*)$/.exec(text.slice(text.lastIndexOf("\n") + 1)) ?? [];
  const listed = Array.from(answer.matchAll(/"([^"]+)"/g), ([, value]) => value!);
  return listed.length > 0 || answer === "" ? listed : [answer];
}

/**
 * Returns the longest path from a key. A repeated key has a path for each value; a path ends at a key that it has passed.
 */
function longestWay(start: string, pairs: ReadonlyMap<string, readonly ReadPair[]>, budget: Budget): Way {
  let longest: Way = [];
  const left: Way[] = (pairs.get(start) ?? []).map((pair) => [pair]);
  for (let tried = 0; left.length > 0 && tried < MAX_PATHS && budget.left > 0; tried++, budget.left--) {
    const way = left.pop()!;
    if (way.length > longest.length) longest = way;
    const next = pairs.get(way.at(-1)!.value) ?? [];
    if (next.length === 0 || way.some(({ key }) => key === next[0]!.key)) continue;
    for (const pair of next) left.push([...way, pair]);
  }
  return longest;
}

/** The limit of paths for texts with endless branches; a thread of 100 steps with ten branches each has a thousand. */
const MAX_PATHS = 10_000;

/** The limit for all threads of a prompt. */
const MAX_STEPS = 200_000;

/** The number of paths that may still be tried. */
interface Budget {
  left: number;
}
