import type { Category } from "@/lib/generators/mod.ts";
import { column, type CsvColumn } from "@/lib/statistics/mod.ts";

/** A category of tasks as the CSV files name it. */
export type CategoryName = "retrieval" | "multi_hop_tracing" | "aggregation" | "qa";

/** The four categories, by their names in the files. */
export const CATEGORY_NAMES: Readonly<Record<CategoryName, Category>> = {
  retrieval: "retrieval",
  "multi_hop_tracing": "multi-hop tracing",
  aggregation: "aggregation",
  qa: "question answering",
};

export const CATEGORY_KEYS = Object.keys(CATEGORY_NAMES) as CategoryName[];

/**
 * The tasks of a table's scores: the mean over all 13 (`RULER-13`; Tables 3 and 12), one task (`passkey` and `vanilla_niah`; Tables
 * 10 and 11) or the mean over a category (Tables 13 to 16).
 */
export type PublishedCategory = "RULER-13" | "passkey" | "vanilla_niah" | CategoryName;

const TABLE = { table: column.count("table") };
const PLACE = {
  ...TABLE,
  category: column.choice<PublishedCategory>("category", ["RULER-13", "passkey", "vanilla_niah", ...CATEGORY_KEYS]),
  aligned: column.yesNo("aligned"),
};

/** The columns of the repository's leaderboard, which continues Table 3. */
export const LEADERBOARD_SCORE_COLUMNS = {
  model: column.text("model"),
  claimedLength: lengthColumn("claimed_length", /^\d+[KkMm]$/, 'a length like "32K" or "1M"'),
  length: column.count("length"),
  score: column.score("score"),
};

/** The columns of the paper's tables of scores. */
export const SCORE_COLUMNS = { ...PLACE, ...LEADERBOARD_SCORE_COLUMNS };

/** The averages that a table prints beside a model's scores; `null` if it has no such column. */
export interface PrintedAverages {
  /** In percent. */
  readonly average: number;
  /** In percent. */
  readonly weightedIncreasing: number | null;
  /** From 1, in the group. */
  readonly rankIncreasing: number | null;
  /** In percent. */
  readonly weightedDecreasing: number | null;
  /** From 1, in the group. */
  readonly rankDecreasing: number | null;
  /** As printed: `32k`, `<4k`, `>128K`. */
  readonly effectiveLength: string | null;
  /** The ranks with their suffixes, as printed (`1st`); known for the first edition only. */
  readonly ordinals: readonly string[];
}

/** The columns of the leaderboard's averages. */
export const LEADERBOARD_AVERAGE_COLUMNS = {
  model: column.text("model"),
  effectiveLength: column.optional(
    lengthColumn("effective_length", /^([<>]?\d+[Kk]|-)$/, 'a length like "32K", "<4K" or ">128K", or "-"'),
  ),
  average: column.score("avg"),
  weightedIncreasing: column.optional(column.score("wavg_inc")),
  rankIncreasing: column.optional(column.count("rank_inc")),
  weightedDecreasing: column.optional(column.score("wavg_dec")),
  rankDecreasing: column.optional(column.count("rank_dec")),
};

/** The columns of averages in the paper's third edition. */
export const AVERAGE_COLUMNS = { ...TABLE, ...LEADERBOARD_AVERAGE_COLUMNS };

/** The columns of averages in its first edition, ranks with their suffixes among them. */
export const FIRST_AVERAGE_COLUMNS = {
  ...AVERAGE_COLUMNS,
  ordinalIncreasing: column.optional(column.text("ordinal_inc")),
  ordinalDecreasing: column.optional(column.text("ordinal_dec")),
};

/** The score that makes a length effective: that of Llama2-7B at 4K, chat for aligned models and base for others. */
export interface PublishedThreshold {
  /** The number of the table. */
  readonly table: number;
  readonly category: PublishedCategory;
  /** Llama2-7B as the table names it. */
  readonly model: string;
  readonly aligned: boolean;
  /** The length of that score, in tokens. */
  readonly length: number;
  /** In percent. */
  readonly threshold: number;
}

export const THRESHOLD_COLUMNS = {
  ...PLACE,
  model: column.text("model"),
  length: column.count("length"),
  threshold: column.score("threshold"),
};

/** A row of Table 4: a model that the paper evaluates, or a series of them. */
export interface PublishedModel {
  /** The name, such as `Yi` or `LWM series`. */
  readonly model: string;
  /** Whether the model was tuned to follow instructions. */
  readonly aligned: boolean;
  /** As printed; a series has several, separated by `/`, and `-` is unknown. */
  readonly size: string;
  /** As printed; a series can have several, separated by `/`. */
  readonly contextLength: string;
  /** Its name at Hugging Face or of the API. */
  readonly id: string;
  /** The misprint in this row; `null` if there is none. */
  readonly note: string | null;
}

export const MODEL_COLUMNS = {
  model: column.text("model"),
  aligned: column.yesNo("aligned"),
  size: column.text("size"),
  contextLength: column.text("context_length_as_printed"),
  id: column.text("hf_or_api_id"),
  note: column.optional(column.text("note")),
};

/** A row of Table 1: a benchmark or task that RULER is compared with. */
export interface PublishedBenchmark {
  readonly benchmark: string;
  /** As printed, such as `~10k`; `any` if the length can be chosen. */
  readonly averageLength: string;
  readonly type: "realistic" | "hybrid" | "synthetic";
  readonly diverseTasks: boolean;
  /** Whether answers hardly depend on a model's knowledge from training. */
  readonly minParametricKnowledge: boolean;
  /** Whether the length of the context, and its relevant and distracting parts, can be changed. */
  readonly controllableContext: boolean;
}

export const BENCHMARK_COLUMNS = {
  benchmark: column.text("benchmark"),
  averageLength: column.text("average_length"),
  type: column.choice("type", ["realistic", "hybrid", "synthetic"]),
  diverseTasks: column.yesNo("diverse_tasks"),
  minParametricKnowledge: column.yesNo("min_parametric_knowledge"),
  controllableContext: column.yesNo("controllable_context"),
};

/** A row of Table 5: one of the 13 tasks and its settings, `null` for those that it does not have. */
export interface PublishedTask {
  /** As RULER's code names it. */
  readonly task: string;
  readonly category: CategoryName;
  /** The kind of task as the paper names it, such as `S-NIAH`. */
  readonly paperName: string;
  /** Its number among tasks of the kind, such as `Subtask-1`. */
  readonly subtask: string | null;
  /** The text around needles: `repeat`, `essay` or `needle`. */
  readonly haystack: string | null;
  /** `words` or `uuids`. */
  readonly keyType: string | null;
  /** `numbers` or `uuids`. */
  readonly valueType: string | null;
  /** Keys that the code plants, without those of a haystack of needles. */
  readonly keys: number | null;
  /** Values of each key. */
  readonly values: number | null;
  /** Keys asked for. */
  readonly queries: number | null;
  /** Settings of other tasks, or a remark; separated by `;`. */
  readonly other: string | null;
  /** The similar task of earlier work. */
  readonly alias: string | null;
}

export const TASK_COLUMNS = {
  task: column.text("task"),
  category: column.choice("category", CATEGORY_KEYS),
  paperName: column.text("paper_name"),
  subtask: column.optional(column.text("subtask")),
  haystack: column.optional(column.text("type_haystack")),
  keyType: column.optional(column.text("type_needle_k")),
  valueType: column.optional(column.text("type_needle_v")),
  keys: column.optional(column.count("num_needle_k_effective")),
  values: column.optional(column.count("num_needle_v")),
  queries: column.optional(column.count("num_needle_q")),
  other: column.optional(column.text("other")),
  alias: column.optional(column.text("alias")),
};

/** A score of Yi-34B on one task, from the figures. */
export interface TaskScore {
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** In percent. */
  readonly score: number;
}

export const TASK_SCORE_COLUMNS = {
  task: column.text("task"),
  length: column.count("length"),
  score: column.score("score"),
};

/** A point of a line in Figures 2 to 4. */
export interface SeriesPoint {
  /** The number of the figure. */
  readonly figure: number;
  /** The part of the figure. */
  readonly panel: string;
  /** The name of the line in the legend. */
  readonly series: string;
  /** Context length in tokens; `null` for a baseline that has no length. */
  readonly length: number | null;
  /** `extrapolation` is beyond the length a model was trained on (dashed in Figure 4), `baseline` without any context. */
  readonly segment: "solid" | "extrapolation" | "baseline";
  /** In percent. */
  readonly score: number;
}

export const SERIES_COLUMNS = {
  figure: column.count("figure"),
  panel: column.text("panel"),
  series: column.text("series"),
  length: {
    name: "length",
    wanted: 'a whole number from 1, or "all"',
    read: (cell: string): number | null | undefined => cell === "all" ? null : column.count("length").read(cell),
  },
  segment: column.choice("segment", ["solid", "extrapolation", "baseline"]),
  score: column.score("score"),
};

function lengthColumn(name: string, form: RegExp, wanted: string): CsvColumn<string> {
  return { name, wanted, read: (cell) => form.test(cell) ? cell : undefined };
}
