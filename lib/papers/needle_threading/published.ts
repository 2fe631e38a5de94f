import { column, openRows, type Row } from "@/lib/statistics/mod.ts";

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

const MODEL = column.text("model");
const LENGTH = column.count("context_llama31_tokens");
const TASK = column.choice("task", PUBLISHED_THREADING_TASKS);
const SCORE = column.score("accuracy_percent");
const thousands = (name: string) => column.number(name, { low: 0, high: 10_000 });

/** Tables 1 and 3 to 7: printed scores in percent; the task is `overall` in Table 1. */
const SCORES = {
  table: column.count("table"),
  task: column.choice("task", ["overall", ...PUBLISHED_THREADING_TASKS]),
  model: MODEL,
  length: LENGTH,
  score: SCORE,
};

/** Table 2: supported context and effective limit in thousand characters, and the whole percent that is printed. */
const LIMITS = {
  model: MODEL,
  task: TASK,
  supported: thousands("context_limit_kchars"),
  effective: thousands("effective_limit_kchars"),
  percent: column.score("percent_of_limit"),
};

/** Tables 8 to 12: the number of haystacks of each cell. */
const REPEATS = { task: TASK, model: MODEL, length: LENGTH, repeats: column.count("repeats") };

/** Figure 1: the lengths of books and the contexts of models, in million tokens of LLaMA 3.1. */
const CONTEXTS = {
  name: column.text("name"),
  kind: column.choice("kind", ["book", "llm"]),
  millionTokens: column.number("million_llama31_tokens", { low: 0, high: 100 }),
};

/** The figure on thread safety, read from the picture: the share of threads whose end was found, and the band around it. */
const THREAD_SAFETY = {
  model: MODEL,
  threads: column.count("threads"),
  score: SCORE,
  low: column.score("band_low_percent"),
  high: column.score("band_high_percent"),
};

/**
 * The contours of the repository's two pictures: points of lines, numbered by model. `side` is where the model is above the level, `at`
 * the depth in percent of one needle or the number of needles, and the limit is in thousand characters.
 */
const CONTOURS = {
  task: column.choice("task", ["single_needle", "multiple_needles"]),
  model: MODEL,
  line: column.count("line"),
  side: column.choice("effective_side", ["under", "over"]),
  at: column.score("at"),
  limit: thousands("limit_kchars"),
};

/** A printed score of one model on one task at one size. */
export type ThreadingTableScore = Row<typeof SCORES>;

/** A row of Table 2 for one task. */
export type PublishedContextLimit = Row<typeof LIMITS>;

/** A point of a contour. */
export type PublishedContourPoint = Row<typeof CONTOURS>;

/**
 * The numbers that Needle Threading published. A `length` is a nominal size in tokens of LLaMA 3.1, a score is in percent,
 * and models have the names of the tables.
 */
export interface ThreadingPublished {
  readonly scores: readonly ThreadingTableScore[];
  readonly limits: readonly PublishedContextLimit[];
  readonly repeats: readonly Row<typeof REPEATS>[];
  readonly contexts: readonly Row<typeof CONTEXTS>[];
  readonly threadSafety: readonly Row<typeof THREAD_SAFETY>[];
  readonly contours: readonly PublishedContourPoint[];
}

/**
 * Reads the published tables of Needle Threading from the CSV files of `data/published`.
 *
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a cell has an unexpected value; the message names file, line and column.
 */
export async function openThreadingPublished(): Promise<ThreadingPublished> {
  return {
    scores: await openRows("needle_threading_scores_long.csv", SCORES),
    limits: await openRows("needle_threading_effective_limits.csv", LIMITS),
    repeats: await openRows("needle_threading_repeats.csv", REPEATS),
    contexts: await openRows("needle_threading_fig1_context_limits.csv", CONTEXTS),
    threadSafety: await openRows("needle_threading_thread_safety.csv", THREAD_SAFETY),
    contours: await openRows("needle_threading_contours.csv", CONTOURS),
  };
}

/** Returns the scores of a task, or of Table 1, by model; sizes rise. */
export function curvesOf(
  { scores }: Pick<ThreadingPublished, "scores">,
  task: ThreadingTableScore["task"],
): ReadonlyMap<string, readonly ThreadingTableScore[]> {
  const rows = scores.filter((row) => row.task === task).toSorted((left, right) => left.length - right.length);
  return Map.groupBy(rows, ({ model }) => model);
}

/** Lists the models of rows, in their order. */
export function modelsOf(rows: readonly { readonly model: string }[]): readonly string[] {
  return [...new Set(rows.map(({ model }) => model))];
}
