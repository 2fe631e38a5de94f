import {
  choiceColumn,
  countColumn,
  numberColumn,
  PUBLISHED_FOLDER,
  readPublishedTexts,
  readRows,
  scoreColumn,
  textColumn,
} from "@/lib/statistics/mod.ts";

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

/** A score of one model on one task at one size. */
export interface ThreadingTableScore {
  /** The number of the table: 1 for the means of all tasks, 3 to 7 for one task each. */
  readonly table: number;
  /** The task; `overall` in Table 1. */
  readonly task: PublishedThreadingTask | "overall";
  /** The model as the table names it. */
  readonly model: string;
  /** The size's name: tokens of LLaMA 3.1. */
  readonly length: number;
  /** In percent. */
  readonly score: number;
}

/** A row of Table 2 for one task. */
export interface PublishedContextLimit {
  /** The model as the table names it. */
  readonly model: string;
  /** The task. */
  readonly task: PublishedThreadingTask;
  /** What the model takes, in thousand characters. */
  readonly supported: number;
  /** Up to where it does the task, in thousand characters. */
  readonly effective: number;
  /** The second as a share of the first, in whole percent. */
  readonly percent: number;
}

/** How often an experiment was repeated (Tables 8 to 12). */
export interface ThreadingRepeats {
  /** The task. */
  readonly task: PublishedThreadingTask;
  /** The model as the table names it. */
  readonly model: string;
  /** The size's name: tokens of LLaMA 3.1. */
  readonly length: number;
  /** The number of haystacks. */
  readonly repeats: number;
}

/** A bar of Figure 1. */
export interface PublishedContext {
  /** What it is the length of. */
  readonly name: string;
  /** Whether that is a book, or what a model takes. */
  readonly kind: "book" | "llm";
  /** In million tokens of LLaMA 3.1. */
  readonly millionTokens: number;
}

/** A point of the figure on thread safety, read by eye. */
export interface ThreadSafetyPoint {
  /** The model. */
  readonly model: string;
  /** How many threads were to be followed at a time. */
  readonly threads: number;
  /** The share of them whose end was found, in percent. */
  readonly score: number;
}

/** Everything numeric that Needle Threading published and that is known. */
export interface ThreadingPublished {
  /** Tables 1 and 3 to 7. */
  readonly scores: readonly ThreadingTableScore[];
  /** Table 2. */
  readonly limits: readonly PublishedContextLimit[];
  /** Tables 8 to 12. */
  readonly repeats: readonly ThreadingRepeats[];
  /** Figure 1. */
  readonly contexts: readonly PublishedContext[];
  /** The figure on thread safety, at its two ends. */
  readonly threadSafety: readonly ThreadSafetyPoint[];
}

/** The files of `data/published` that hold what Needle Threading published. */
export const THREADING_FILES = [
  "needle_threading_scores_long.csv",
  "needle_threading_effective_limits.csv",
  "needle_threading_repeats.csv",
  "needle_threading_fig1_context_limits.csv",
  "needle_threading_thread_safety.csv",
] as const;

/** The text of each of {@linkcode THREADING_FILES}. */
export type ThreadingTexts = Readonly<Record<typeof THREADING_FILES[number], string>>;

/**
 * Reads what Needle Threading published from the texts of its CSV files.
 *
 * @param texts The text of each file.
 * @returns The tables and figures, as typed rows.
 * @throws {SyntaxError} If a file is not as wanted; the message names it, and the line and column.
 *
 * @example An empty file is told by name
 * ```ts
 * import { throws } from "node:assert/strict";
 * import { THREADING_FILES, type ThreadingTexts } from "@/lib/benchmarks/needle_threading/published.ts";
 *
 * const texts = Object.fromEntries(THREADING_FILES.map((file) => [file, ""])) as ThreadingTexts;
 * throws(() => readThreadingPublished(texts), /Cannot read needle_threading_scores_long.csv as it must have a header line/);
 * ```
 */
export function readThreadingPublished(texts: ThreadingTexts): ThreadingPublished {
  const [scores, limits, repeats, contexts, threadSafety] = THREADING_FILES;
  const model = textColumn("model");
  const length = countColumn("context_llama31_tokens");
  const task = choiceColumn("task", PUBLISHED_THREADING_TASKS);
  const score = scoreColumn("accuracy_percent");
  const thousands = { low: 0, high: 10_000 };
  const whole = { low: 0, high: 100 };
  const anyTask = choiceColumn("task", ["overall", ...PUBLISHED_THREADING_TASKS]);
  return {
    scores: readRows(texts[scores], {
      file: scores,
      columns: { table: countColumn("table"), task: anyTask, model, length, score },
    }),
    limits: readRows(texts[limits], {
      file: limits,
      columns: {
        model,
        task,
        supported: numberColumn("context_limit_kchars", thousands),
        effective: numberColumn("effective_limit_kchars", thousands),
        percent: numberColumn("percent_of_limit", whole),
      },
    }),
    repeats: readRows(texts[repeats], {
      file: repeats,
      columns: { task, model, length, repeats: countColumn("repeats") },
    }),
    contexts: readRows(texts[contexts], {
      file: contexts,
      columns: {
        name: textColumn("name"),
        kind: choiceColumn("kind", ["book", "llm"]),
        millionTokens: numberColumn("million_llama31_tokens", { low: 0, high: 100 }),
      },
    }),
    threadSafety: readRows(texts[threadSafety], {
      file: threadSafety,
      columns: { model, threads: countColumn("threads"), score },
    }),
  };
}

/**
 * Opens what Needle Threading published, from the CSV files of `data/published`. It needs permission to read that folder.
 *
 * @param folder Where the files are, if elsewhere; ends in a slash.
 * @returns The tables and figures, as typed rows.
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a file is not as wanted.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { limits } = await openThreadingPublished();
 * equal(limits.length, 15 * 5);
 * ```
 */
export async function openThreadingPublished(folder: URL = PUBLISHED_FOLDER): Promise<ThreadingPublished> {
  return readThreadingPublished(await readPublishedTexts(THREADING_FILES, folder));
}
