import { column, openRows } from "@/lib/statistics/mod.ts";

/** The five tasks with printed scores. */
export const PUBLISHED_THREADING_TASKS = [
  "single_needle",
  "multiple_needles",
  "conditional_needles",
  "threading",
  "multi_threading",
] as const;

/** One of {@linkcode PUBLISHED_THREADING_TASKS}. */
export type PublishedThreadingTask = typeof PUBLISHED_THREADING_TASKS[number];

/**
 * The numbers that Needle Threading published. A `length` is a nominal size in tokens of LLaMA 3.1, a score is in percent,
 * and models have the names of the tables.
 */
export interface ThreadingPublished {
  /** Tables 1 and 3 to 7. */
  readonly scores: readonly ThreadingTableScore[];
  /** Table 2. */
  readonly limits: readonly PublishedContextLimit[];
  /** Tables 8 to 12: the number of haystacks of each cell. */
  readonly repeats: readonly (ThreadingCell & { readonly repeats: number })[];
  /** Figure 1: the lengths of books and the contexts of models, in million tokens of LLaMA 3.1. */
  readonly contexts: readonly {
    readonly name: string;
    readonly kind: "book" | "llm";
    readonly millionTokens: number;
  }[];
  /**
   * The figure on thread safety, read from the picture: the share of threads whose end was found by the number of threads
   * followed at a time (to about 0.2 points), and the band around it (to about half a point).
   */
  readonly threadSafety: readonly {
    readonly model: string;
    readonly threads: number;
    readonly score: number;
    readonly low: number;
    readonly high: number;
  }[];
  /** The contours of accuracy in the repository's two pictures. */
  readonly contours: readonly PublishedContourPoint[];
  /** The length in characters of the haystacks of each size. */
  readonly haystacks: readonly { readonly length: number; readonly thousandCharacters: number }[];
}

/** A point at which a contour bends, begins or ends; a model's lines are numbered and run from left to right. */
export interface PublishedContourPoint {
  readonly task: "single_needle" | "multiple_needles";
  readonly model: string;
  /** The number of the line, from 1. */
  readonly line: number;
  /** The side of the line on which the model is above the level. */
  readonly side: "under" | "over";
  /** The depth in percent for a single needle, else the number of needles. */
  readonly at: number;
  /** In thousand characters. */
  readonly limit: number;
}

/** A cell of Tables 3 to 12. */
export interface ThreadingCell {
  readonly task: PublishedThreadingTask;
  readonly model: string;
  /** The nominal size, in tokens of LLaMA 3.1. */
  readonly length: number;
}

/** A printed score of one model on one task at one size; the task is `overall` in Table 1. */
export interface ThreadingTableScore extends Omit<ThreadingCell, "task"> {
  /** The number of the table: 1 for the means of all tasks, 3 to 7 for one task each. */
  readonly table: number;
  readonly task: PublishedThreadingTask | "overall";
  /** In percent. */
  readonly score: number;
}

/** A row of Table 2 for one task. */
export interface PublishedContextLimit {
  readonly model: string;
  readonly task: PublishedThreadingTask;
  /** The context that the model supports, in thousand characters. */
  readonly supported: number;
  /** The effective context limit, in thousand characters. */
  readonly effective: number;
  /** `effective` as a share of `supported`, in percent; the table prints whole numbers. */
  readonly percent: number;
}

/**
 * Reads the published tables of Needle Threading from the CSV files of `data/published`.
 *
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a cell has an unexpected value; the message names file, line and column.
 */
export async function openThreadingPublished(): Promise<ThreadingPublished> {
  const model = column.text("model");
  const length = column.count("context_llama31_tokens");
  const task = column.choice("task", PUBLISHED_THREADING_TASKS);
  const score = column.score("accuracy_percent");
  const thousands = (name: string) => column.number(name, { low: 0, high: 10_000 });
  return {
    scores: await openRows("needle_threading_scores_long.csv", {
      table: column.count("table"),
      task: column.choice("task", ["overall", ...PUBLISHED_THREADING_TASKS]),
      ...{ model, length, score },
    }),
    limits: await openRows("needle_threading_effective_limits.csv", {
      ...{ model, task },
      supported: thousands("context_limit_kchars"),
      effective: thousands("effective_limit_kchars"),
      percent: column.score("percent_of_limit"),
    }),
    repeats: await openRows("needle_threading_repeats.csv", { task, model, length, repeats: column.count("repeats") }),
    contexts: await openRows("needle_threading_fig1_context_limits.csv", {
      name: column.text("name"),
      kind: column.choice("kind", ["book", "llm"]),
      millionTokens: column.number("million_llama31_tokens", { low: 0, high: 100 }),
    }),
    threadSafety: await openRows("needle_threading_thread_safety.csv", {
      ...{ model, threads: column.count("threads"), score },
      low: column.score("band_low_percent"),
      high: column.score("band_high_percent"),
    }),
    contours: await openRows("needle_threading_contours.csv", {
      task: column.choice("task", ["single_needle", "multiple_needles"]),
      ...{ model, line: column.count("line") },
      side: column.choice("effective_side", ["under", "over"]),
      at: column.score("at"),
      limit: thousands("limit_kchars"),
    }),
    haystacks: await openRows("needle_threading_haystacks.csv", { length, thousandCharacters: thousands("kchars") }),
  };
}

/** Returns the scores of a task, or of Table 1, by model; sizes rise. */
export function curvesOf(
  { scores }: ThreadingPublished,
  task: ThreadingTableScore["task"],
): ReadonlyMap<string, readonly ThreadingTableScore[]> {
  const rows = scores.filter((row) => row.task === task).toSorted((left, right) => left.length - right.length);
  return Map.groupBy(rows, ({ model }) => model);
}

/** Returns the context that a model supports according to Table 2, in thousand characters. */
export function supportedBy({ limits }: ThreadingPublished, model: string): number {
  return limits.find((row) => row.model === model)!.supported;
}

/** Returns the characters per token of a model whose context limit in tokens is known; Table 2 has it in characters. */
export function charactersPerToken(published: ThreadingPublished, model: string, tokens: number): number {
  return 1000 * supportedBy(published, model) / tokens;
}
