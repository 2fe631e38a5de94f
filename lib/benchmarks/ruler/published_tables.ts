import type { Category } from "@/lib/generators/mod.ts";
import {
  choiceColumn,
  type Column,
  countColumn,
  optional,
  readRows,
  scoreColumn,
  textColumn,
  yesNoColumn,
} from "@/lib/statistics/mod.ts";

/** A category of tasks as the files of the published tables name it. */
export type CategoryName = "retrieval" | "multi_hop_tracing" | "aggregation" | "qa";

/** The four categories, by their names in the files. */
export const CATEGORY_NAMES: Readonly<Record<CategoryName, Category>> = {
  retrieval: "retrieval",
  "multi_hop_tracing": "multi-hop tracing",
  aggregation: "aggregation",
  qa: "question answering",
};

/**
 * What a table of RULER scores: the mean over all 13 tasks (`RULER-13`; Tables 3 and 12), one task (`passkey` and
 * `vanilla_niah`; Tables 10 and 11) or the mean over the tasks of a category (Tables 13 to 16).
 */
export type PublishedCategory = "RULER-13" | "passkey" | "vanilla_niah" | CategoryName;

/**
 * The averages, ranks and effective length that a table prints beside a model's scores; `null` where the table has no
 * such column.
 */
export interface PrintedAverages {
  /** In percent. */
  readonly average: number;
  /** In percent. */
  readonly weightedIncreasing: number | null;
  /** From 1, among the models of the group. */
  readonly rankIncreasing: number | null;
  /** In percent. */
  readonly weightedDecreasing: number | null;
  /** From 1, among the models of the group. */
  readonly rankDecreasing: number | null;
  /** As printed: `32k`, `<4k`, `>128K`. */
  readonly effectiveLength: string | null;
  /** The ranks with their suffixes, as printed (`1st`); known for the first edition only. */
  readonly ordinals: readonly string[];
}

/**
 * What a model must reach for a length to be effective: the score of Llama2-7B at 4K, the chat model's for aligned
 * models and the base model's for others.
 */
export interface PublishedThreshold {
  /** The number of the table. */
  readonly table: number;
  /** What the table scores. */
  readonly category: PublishedCategory;
  /** Whether it is the chat model's score, for aligned models. */
  readonly aligned: boolean;
  /** In percent. */
  readonly threshold: number;
}

/** One score that a table prints. */
export interface PrintedScore {
  readonly table: number;
  readonly category: PublishedCategory;
  readonly model: string;
  readonly aligned: boolean;
  readonly claimedLength: string;
  /** `-` in the rows of Llama2-7B, which set the thresholds. */
  readonly effectiveLength: string | null;
  readonly length: number;
  readonly score: number;
}

/** One row of printed averages, and whose they are. */
export interface PrintedRow {
  readonly table: number;
  readonly model: string;
  readonly printed: PrintedAverages;
}

const FOUR = Object.keys(CATEGORY_NAMES) as CategoryName[];
const CLAIM: Column<string> = lengthColumn("claimed_length", /^\d+[KkMm]$/, 'a length like "32K" or "1M"');
const EFFECTIVE = lengthColumn(
  "effective_length",
  /^([<>]?\d+[Kk]|-)$/,
  'a length like "32K", "<4K" or ">128K", or "-"',
);
const MODEL = { model: textColumn("model"), claimedLength: CLAIM, effectiveLength: optional(EFFECTIVE) };
const PLACE = {
  table: countColumn("table"),
  category: choiceColumn<PublishedCategory>("category", ["RULER-13", "passkey", "vanilla_niah", ...FOUR]),
  aligned: yesNoColumn("aligned"),
};
const SCORE = { length: countColumn("length"), score: scoreColumn("score") };
const AVERAGES = {
  average: scoreColumn("avg"),
  weightedIncreasing: optional(scoreColumn("wavg_inc")),
  rankIncreasing: optional(countColumn("rank_inc")),
  weightedDecreasing: optional(scoreColumn("wavg_dec")),
  rankDecreasing: optional(countColumn("rank_dec")),
};
const ORDINALS = { increasing: optional(textColumn("ordinal_inc")), decreasing: optional(textColumn("ordinal_dec")) };

/** Reads the printed scores of the paper's tables. */
export function readScores(text: string, file: string): readonly PrintedScore[] {
  return readRows(text, { file, columns: { ...PLACE, ...MODEL, ...SCORE } });
}

/** Reads the repository's leaderboard, which continues Table 3: all models aligned, scores over 13 tasks. */
export function readLeaderboardScores(text: string, file: string): readonly PrintedScore[] {
  const rows = readRows(text, { file, columns: { ...MODEL, ...SCORE } });
  return rows.map((row) => ({ table: 3, category: "RULER-13", aligned: true, ...row }));
}

/** Reads the printed averages; `ordinals` where the file has the ranks with their suffixes. */
export function readAverages(
  text: string,
  options: { readonly file: string; readonly table?: number; readonly ordinals?: boolean },
): readonly PrintedRow[] {
  const { file, table, ordinals = false } = options;
  const columns = { model: MODEL.model, effectiveLength: MODEL.effectiveLength, ...AVERAGES };
  const rows = readRows(text, { file, columns });
  const tables = table === undefined ? readRows(text, { file, columns: { table: PLACE.table } }) : [];
  const suffixes = ordinals ? readRows(text, { file, columns: ORDINALS }) : [];
  return rows.map(({ model, ...printed }, place) => {
    const { increasing = null, decreasing = null } = suffixes[place] ?? {};
    const words = [increasing, decreasing].filter((word) => word !== null);
    return { table: table ?? tables[place]!.table, model, printed: { ...printed, ordinals: words } };
  });
}

/** Reads the thresholds. */
export function readThresholds(text: string, file: string): readonly PublishedThreshold[] {
  return readRows(text, { file, columns: { ...PLACE, threshold: scoreColumn("threshold") } });
}

function lengthColumn(name: string, form: RegExp, wanted: string): Column<string> {
  return { name, wanted, read: (cell) => form.test(cell) ? cell : undefined };
}

/** A row of Table 4: a model that the paper evaluates, or a series of them. */
export interface PublishedModel {
  /** The name, such as `Yi` or `LWM series`. */
  readonly model: string;
  /** Whether the model was tuned to follow instructions; `null` where the mark was not read. */
  readonly aligned: boolean | null;
  /** As printed; several of a series are parted by `/`, and `-` stands for unknown. */
  readonly size: string;
  /** As printed; several of a series are parted by `/`. */
  readonly contextLength: string;
}

/** A row of Table 5: one of the 13 tasks. */
export interface PublishedTask {
  /** The task's name. */
  readonly task: string;
  /** Its category. */
  readonly category: CategoryName;
  /** The paper's name, such as `S-NIAH`. */
  readonly paperName: string;
  /** Another name in the field, such as `passkey retrieval`. */
  readonly alias: string | null;
}

/** A point of a line in Figures 2 to 4, digitised. */
export interface SeriesPoint {
  /** The number of the figure. */
  readonly figure: number;
  /** Which of the figure's plots: `left`, `middle-left`, `middle-right` or `right`. */
  readonly panel: string;
  /** The name of the line in the legend. */
  readonly series: string;
  /** Context length in tokens; `null` for a baseline that has no length. */
  readonly length: number | null;
  /** `extrapolation` beyond the length a model was trained on (dashed in Figure 4), `baseline` without any context. */
  readonly segment: "solid" | "extrapolation" | "baseline";
  /** In percent. */
  readonly score: number;
}

/** A score of Yi-34B on one task, from the figures. */
export interface TaskScore {
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** In percent. */
  readonly score: number;
  /** How the number was come by. */
  readonly provenance: string;
}

/** Reads Table 4. */
export function readModels(text: string, file: string): readonly PublishedModel[] {
  const aligned = {
    name: "aligned",
    wanted: '0, 1 or "?"',
    read: (cell: string): boolean | null | undefined => ({ "0": false, "1": true, "?": null })[cell],
  };
  const columns = {
    model: textColumn("model"),
    aligned,
    size: textColumn("size"),
    contextLength: textColumn("context_length_as_printed"),
  };
  return readRows(text, { file, columns });
}

/** Reads Table 5. */
export function readTasks(text: string, file: string): readonly PublishedTask[] {
  const columns = {
    task: textColumn("task"),
    category: choiceColumn("category", FOUR),
    paperName: textColumn("paper_name"),
    alias: optional(textColumn("alias")),
  };
  return readRows(text, { file, columns });
}

/** Reads the lines of Figures 2 to 4. */
export function readSeries(text: string, file: string): readonly SeriesPoint[] {
  const length = {
    name: "length",
    wanted: 'a whole number from 1, or "all"',
    read: (cell: string): number | null | undefined => cell === "all" ? null : countColumn("length").read(cell),
  };
  const columns = {
    figure: countColumn("figure"),
    panel: textColumn("panel"),
    series: textColumn("series"),
    length,
    segment: choiceColumn("segment", ["solid", "extrapolation", "baseline"]),
    score: scoreColumn("score"),
  };
  return readRows(text, { file, columns });
}

/** Reads the scores of Yi-34B on each task. */
export function readTaskScores(text: string, file: string): readonly TaskScore[] {
  const columns = {
    task: textColumn("task"),
    length: countColumn("length"),
    score: scoreColumn("score"),
    provenance: textColumn("provenance"),
  };
  return readRows(text, { file, columns });
}
