import { choiceColumn, countColumn, numberColumn, openRows, scoreColumn, textColumn } from "@/lib/statistics/mod.ts";

/** The five tasks that the paper prints scores of. */
export const PUBLISHED_THREADING_TASKS = [
  "single_needle",
  "multiple_needles",
  "conditional_needles",
  "threading",
  "multi_threading",
] as const;

/** One of {@linkcode PUBLISHED_THREADING_TASKS}. */
export type PublishedThreadingTask = typeof PUBLISHED_THREADING_TASKS[number];

/** All numbers that Needle Threading published, as far as they are known. */
export interface ThreadingPublished {
  /** Tables 1 and 3 to 7. */
  readonly scores: readonly ThreadingTableScore[];
  /** Table 2. */
  readonly limits: readonly PublishedContextLimit[];
  /** Tables 8 to 12. */
  readonly repeats: readonly ThreadingRepeats[];
  /** Figure 1. */
  readonly contexts: readonly PublishedContext[];
  /** The figure on thread safety, read from the picture. */
  readonly threadSafety: readonly ThreadSafetyPoint[];
  /** The contours of accuracy in the repository's two pictures, read from them. */
  readonly contours: readonly PublishedContourPoint[];
  /** How long the haystacks of each size are. */
  readonly haystacks: readonly HaystackSize[];
}

/** A score of one model on one task at one size. */
export interface ThreadingTableScore {
  /** The number of the table: 1 for the means of all tasks, 3 to 7 for one task each. */
  readonly table: number;
  /** The task; `overall` in Table 1. */
  readonly task: PublishedThreadingTask | "overall";
  /** As the table names it. */
  readonly model: string;
  /** The nominal size, in tokens of LLaMA 3.1. */
  readonly length: number;
  /** In percent. */
  readonly score: number;
}

/** A row of Table 2 for one task. */
export interface PublishedContextLimit {
  /** As the table names it. */
  readonly model: string;
  readonly task: PublishedThreadingTask;
  /** The context that the model supports, in thousand characters. */
  readonly supported: number;
  /** The context up to which it does the task, in thousand characters. */
  readonly effective: number;
  /** The second as a share of the first, in whole percent. */
  readonly percent: number;
}

/** How often an experiment was repeated (Tables 8 to 12). */
export interface ThreadingRepeats {
  readonly task: PublishedThreadingTask;
  /** As the table names it. */
  readonly model: string;
  /** The nominal size, in tokens of LLaMA 3.1. */
  readonly length: number;
  /** The number of haystacks. */
  readonly repeats: number;
}

/** A bar of Figure 1. */
export interface PublishedContext {
  /** The book or the model. */
  readonly name: string;
  /** Which of the two it is. */
  readonly kind: "book" | "llm";
  /** Its length or context, in million tokens of LLaMA 3.1. */
  readonly millionTokens: number;
}

/** A point of the figure on thread safety. */
export interface ThreadSafetyPoint {
  /** As the figure names it. */
  readonly model: string;
  /** How many threads the model follows at a time. */
  readonly threads: number;
  /** The share of threads whose end was found, in percent; read to about 0.2 points. */
  readonly score: number;
  /** Where the band around the line begins, in percent; read to about half a point. */
  readonly low: number;
  /** Where it ends. */
  readonly high: number;
}

/** A point at which a contour bends, begins or ends. */
export interface PublishedContourPoint {
  readonly task: "single_needle" | "multiple_needles";
  /** As the tables name it. */
  readonly model: string;
  /** The lines of a model are numbered; each runs from left to right. */
  readonly line: number;
  /** On which side of the line the model is above the level. */
  readonly side: "under" | "over";
  /** The depth in percent for a single needle, else the number of needles. */
  readonly at: number;
  /** In thousand characters. */
  readonly limit: number;
}

/** The length of the haystacks of one size. */
export interface HaystackSize {
  /** The nominal size, in tokens of LLaMA 3.1. */
  readonly length: number;
  /** In thousand characters. */
  readonly thousandCharacters: number;
}

/**
 * Opens what Needle Threading published, from the CSV files of `data/published`.
 *
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a cell is not what is wanted; the message names file, line and column.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { limits } = await openThreadingPublished();
 * equal(limits.length, 15 * 5);
 * ```
 */
export async function openThreadingPublished(): Promise<ThreadingPublished> {
  const model = textColumn("model");
  const length = countColumn("context_llama31_tokens");
  const task = choiceColumn("task", PUBLISHED_THREADING_TASKS);
  const score = scoreColumn("accuracy_percent");
  return {
    scores: await openRows("needle_threading_scores_long.csv", {
      table: countColumn("table"),
      task: choiceColumn("task", ["overall", ...PUBLISHED_THREADING_TASKS]),
      model,
      length,
      score,
    }),
    limits: await openRows("needle_threading_effective_limits.csv", {
      model,
      task,
      supported: numberColumn("context_limit_kchars", { low: 0, high: 10_000 }),
      effective: numberColumn("effective_limit_kchars", { low: 0, high: 10_000 }),
      percent: numberColumn("percent_of_limit", { low: 0, high: 100 }),
    }),
    repeats: await openRows("needle_threading_repeats.csv", { task, model, length, repeats: countColumn("repeats") }),
    contexts: await openRows("needle_threading_fig1_context_limits.csv", {
      name: textColumn("name"),
      kind: choiceColumn("kind", ["book", "llm"]),
      millionTokens: numberColumn("million_llama31_tokens", { low: 0, high: 100 }),
    }),
    threadSafety: await openRows("needle_threading_thread_safety.csv", {
      model,
      threads: countColumn("threads"),
      score,
      low: scoreColumn("band_low_percent"),
      high: scoreColumn("band_high_percent"),
    }),
    contours: await openRows("needle_threading_contours.csv", {
      task: choiceColumn("task", ["single_needle", "multiple_needles"]),
      model,
      line: countColumn("line"),
      side: choiceColumn("effective_side", ["under", "over"]),
      at: numberColumn("at", { low: 0, high: 100 }),
      limit: numberColumn("limit_kchars", { low: 0, high: 10_000 }),
    }),
    haystacks: await openRows("needle_threading_haystacks.csv", {
      length,
      thousandCharacters: numberColumn("kchars", { low: 0, high: 10_000 }),
    }),
  };
}

/** The scores of a task, or of Table 1, model by model, sizes rising. */
export function curvesOf(
  { scores }: ThreadingPublished,
  task: ThreadingTableScore["task"],
): ReadonlyMap<string, readonly ThreadingTableScore[]> {
  const rows = scores.filter((row) => row.task === task).toSorted((left, right) => left.length - right.length);
  return Map.groupBy(rows, ({ model }) => model);
}

/** The context that a model supports, in thousand characters, as Table 2 prints it. */
export function supportedBy({ limits }: ThreadingPublished, model: string): number {
  return limits.find((row) => row.model === model)!.supported;
}

/** Characters in a token, for a model whose limit in tokens is known: Table 2 has it in characters. */
export function charactersPerToken(published: ThreadingPublished, model: string, tokens: number): number {
  return 1000 * supportedBy(published, model) / tokens;
}
