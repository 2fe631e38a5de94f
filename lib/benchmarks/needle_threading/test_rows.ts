import sizes from "@/data/published/needle_threading_haystacks.csv" with { type: "text" };
import { PAIR_CHARACTERS, type ThreadingKind } from "./knobs.ts";
import type { TestFiles, TestLine } from "@/lib/benchmarks/benchmark.ts";
import { type Sample, userText } from "@/lib/generators/mod.ts";

/** Depths of a repeat of the single needle. */
const DEPTHS = 11;

/** The value in a row whose task lacks a setting. */
const NONE = "N/A";

/**
 * Needle Threading's own data, such as `Single_Needle.json`: a row has the haystack, the question, its keys and values, and the
 * settings. Its `context_length` is in characters.
 */
export const THREADING_TEST_FILES: TestFiles = {
  taskOf(name): string | undefined {
    const [, kind, what] = /^(single|multi|multiple|conditional)_(needle|thread)s?$/i.exec(name) ?? [];
    if (kind === undefined) return undefined;
    return `threading_${kind.toLowerCase().replace("multiple", "multi")}_${what!.toLowerCase()}`;
  },
  write(sample, { options }): Readonly<Record<string, unknown>> {
    const { prompt, index, references, depth, facts } = sample;
    const user = userText(prompt);
    const kind = options["kind"] as ThreadingKind;
    const end = user.lastIndexOf("}\n") + 1;
    const keys = keysOf(sample);
    const isThread = kind.endsWith("thread");
    return {
      id: index,
      haystack: user.slice(0, end),
      keys: oneOrAll(keys),
      values: oneOrAll(references),
      question: user.slice(end + 1),
      context_length: facts.length * PAIR_CHARACTERS,
      num_kv_pairs: facts.length,
      repeat_number: depth === undefined ? index : Math.floor(index / DEPTHS),
      needle_depth: depth === undefined ? NONE : String(Math.round(100 * depth)),
      num_needles: isThread ? 0 : references.length,
      needle_placement: kind === "single_needle" ? "depthwise" : options["placement"] ?? NONE,
      conditional_character: options["character"] ?? NONE,
      thread_length: isThread ? options["steps"] : 1,
      thread_direction: options["direction"] ?? NONE,
      num_threads: isThread ? references.length : 0,
    };
  },
  read(row): TestLine | null {
    const { haystack, question, values, "context_length": characters, "needle_depth": depth } = row;
    if (typeof haystack !== "string" || typeof question !== "string" || typeof characters !== "number") return null;
    const share = typeof depth === "string" || typeof depth === "number" ? Number(depth) / 100 : NaN;
    return {
      input: `${haystack}\n${question}`,
      references: Array.isArray(values) ? values.map(String) : [String(values)],
      length: sizeOf(characters),
      ...(share >= 0 && share <= 1 ? { depth: share } : {}),
    };
  },
};

function oneOrAll(texts: readonly string[]): string | readonly string[] {
  return texts.length === 1 ? texts[0]! : texts;
}

/** The keys that the question is about: named in it, or marked. */
function keysOf({ prompt, facts }: Sample): readonly string[] {
  const user = userText(prompt);
  const question = user.slice(user.lastIndexOf("}\n"));
  const targets = facts.filter(({ role }) => role === "target").map(({ key }) => key);
  const named = targets.filter((key) => question.includes(key));
  const inOrder = named.toSorted((left, right) => question.indexOf(left) - question.indexOf(right));
  return named.length === 0 ? targets : inOrder;
}

/** The sizes of the paper: tokens of LLaMA 3.1, and characters. */
const SIZES = sizes.trim().split("\n").slice(1).map((line) => {
  const [tokens, thousandCharacters] = line.split(",").map(Number);
  return { tokens: tokens!, characters: 1000 * thousandCharacters! };
});

/** The relative tolerance for the paper's sizes of a haystack. */
const NEAR = 0.1;

/** Returns the paper's size of a haystack, or an estimate of its tokens: 49 a pair by LLaMA 3.1. */
function sizeOf(characters: number): number {
  const near = SIZES.find((size) => Math.abs(characters - size.characters) <= NEAR * size.characters);
  return near?.tokens ?? Math.round(49.3 * characters / PAIR_CHARACTERS);
}

/**
 * Renames the fields of a row of Needle Threading's own results to those of prediction files: `Output`, the reply, becomes
 * `pred`; `values` of its data set or `Answer` of its result table, one value or a list, becomes `outputs`. Other rows are
 * unchanged.
 */
export function threadingRowFields(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { Output: output, values = row["Answer"] } = row;
  if (output === undefined || values === undefined) return row;
  return { ...row, pred: output, outputs: Array.isArray(values) ? values : [values] };
}
