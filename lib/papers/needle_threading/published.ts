import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { column, type Evidence, openRows, type Row } from "@/lib/statistics/mod.ts";

const MODEL = column.text("model");
const thousands = (name: string) => column.number(name, { low: 0, high: 10_000 });

/** Table 2: supported context and effective limit in thousand characters, and the whole percent that is printed. */
const LIMITS = {
  model: MODEL,
  task: column.text("task"),
  supported: thousands("context_limit_kchars"),
  effective: thousands("effective_limit_kchars"),
  percent: column.score("percent_of_limit"),
};

/** Figure 1: the lengths of books and the contexts of models, in million tokens of LLaMA 3.1. */
const CONTEXTS = {
  name: column.text("name"),
  kind: column.choice("kind", ["book", "llm"]),
  millionTokens: column.number("million_llama31_tokens", { low: 0, high: 100 }),
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

export type PublishedContourPoint = Row<typeof CONTOURS>;

/** The numbers that Needle Threading published. Lengths are nominal sizes in tokens of LLaMA 3.1. */
export interface ThreadingPublished {
  /** Tables 1 and 3 to 7, and the points of the figure on thread safety, which have the knob `threads`. */
  readonly scores: readonly Evidence[];
  readonly limits: readonly Row<typeof LIMITS>[];
  readonly contexts: readonly Row<typeof CONTEXTS>[];
  readonly contours: readonly PublishedContourPoint[];
}

/** Reads the published tables of Needle Threading from the CSV files of `data/published`. */
export async function openThreadingPublished(): Promise<ThreadingPublished> {
  return {
    scores: await openEvidence("needle_threading"),
    limits: await openRows("needle_threading_effective_limits.csv", LIMITS),
    contexts: await openRows("needle_threading_fig1_context_limits.csv", CONTEXTS),
    contours: await openRows("needle_threading_contours.csv", CONTOURS),
  };
}

/** Returns the scores of a kind of task, of a run or of the tables; the figure on thread safety is none. */
export function ofKind(rows: readonly Evidence[], kind: string): readonly Evidence[] {
  return rows.filter(({ knobs, source }) => knobs["kind"] === kind && !source.endsWith("thread_safe.png"));
}

export function modelsOf(rows: readonly { readonly model: string }[]): readonly string[] {
  return [...new Set(rows.map(({ model }) => model))];
}
