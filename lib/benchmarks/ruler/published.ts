import {
  type PrintedAverages,
  type PrintedRow,
  type PrintedScore,
  type PublishedCategory,
  type PublishedModel,
  type PublishedTask,
  type PublishedThreshold,
  readAverages,
  readLeaderboardScores,
  readModels,
  readScores,
  readSeries,
  readTasks,
  readTaskScores,
  readThresholds,
  type SeriesPoint,
  type TaskScore,
} from "./published_tables.ts";
import {
  choiceColumn,
  numberColumn,
  PUBLISHED_FOLDER,
  readPublishedTexts,
  readRows,
  textColumn,
  yesNoColumn,
} from "@/lib/statistics/mod.ts";

/** Everything numeric that RULER published. */
export interface RulerPublished {
  /** The rows of Tables 3 and 10 to 16 in both editions, and of the repository's leaderboard. */
  readonly rows: readonly PublishedRow[];
  /** The scores of Llama2-7B at 4K, chat and base, table by table; both editions print the same. */
  readonly thresholds: readonly PublishedThreshold[];
  /** Table 4 of the first edition. */
  readonly models: readonly PublishedModel[];
  /** Table 5. */
  readonly tasks: readonly PublishedTask[];
  /** Figures 2 to 4. */
  readonly series: readonly SeriesPoint[];
  /** Yi-34B, task by task. */
  readonly yiTasks: readonly TaskScore[];
  /** Figure 5. */
  readonly correlations: TaskCorrelations;
}

/**
 * Where a table stands: the first or third version of arXiv 2404.06654, or the leaderboard of RULER's repository, which
 * continues Table 3.
 */
export type Edition = "v1" | "v3" | "repository";

/** A model's row in one of RULER's tables. */
export interface PublishedRow {
  /** Where the table stands. */
  readonly edition: Edition;
  /** The number of the table. */
  readonly table: number;
  /** What the table scores. */
  readonly category: PublishedCategory;
  /** The model as the table names it. */
  readonly model: string;
  /** Models are ranked and judged within their group. */
  readonly group: "aligned" | "base";
  /** The context that the model's makers claim, as printed: `128k`, `1M`. */
  readonly claimedLength: string;
  /** The printed scores in percent, lengths rising. */
  readonly scores: readonly { readonly length: number; readonly score: number }[];
  /** What a length must score to be effective, in percent; `null` in Tables 10 and 11, which have no threshold. */
  readonly threshold: number | null;
  /** The averages, ranks and effective length that stand beside the scores. */
  readonly printed: PrintedAverages;
}

/** Figure 5: how alike the models' scores on 18 task configurations are. */
export interface TaskCorrelations {
  /** In the figure's order. */
  readonly tasks: readonly CorrelatedTask[];
  /**
   * Row and column by the order of `tasks`: 0 is the least correlation that the figure shows, 1 the greatest; the scale
   * is not printed.
   */
  readonly matrix: readonly (readonly number[])[];
}

/** A task configuration of Figure 5. */
export interface CorrelatedTask {
  /** As the figure writes it. */
  readonly task: string;
  /** Its category. */
  readonly category: "NIAH" | "VT" | "AG" | "QA";
  /** Whether it is one of the 13 that RULER keeps. */
  readonly kept: boolean;
}

/**
 * Opens what RULER published, from the CSV files of `data/published`. It needs permission to read that
 * folder.
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
 * const { rows } = await openPublished();
 * equal(rows.filter((row) => row.edition === "v1" && row.table === 3).length, 10);
 * ```
 */
export async function openPublished(folder: URL = PUBLISHED_FOLDER): Promise<RulerPublished> {
  return readRulerPublished(await readPublishedTexts(RULER_FILES, folder));
}

/** Finds a model's row for a category, though a table should print its size wrongly, as Table 16 does for Command-R. */
export function findRow(
  rows: readonly PublishedRow[],
  wanted: { readonly edition: Edition; readonly category: PublishedCategory; readonly model: string },
): PublishedRow | undefined {
  const candidates = rows.filter((row) => row.edition === wanted.edition && row.category === wanted.category);
  const ofStem = candidates.filter((row) => stemOf(row.model) === stemOf(wanted.model));
  return candidates.find((row) => row.model === wanted.model) ?? (ofStem.length === 1 ? ofStem[0] : undefined);
}

/** The name without the size: `Command-R` for `Command-R (35B)`. */
export function stemOf(model: string): string {
  return model.replace(/ \([^)]*\)$/, "");
}

/** The printed score of a row at a length. */
export function scoreAt(row: PublishedRow | undefined, length: number): number | undefined {
  return row?.scores.find((at) => at.length === length)?.score;
}

/** The files of `data/published` that hold what RULER published. */
export const RULER_FILES = [
  "ruler_scores_long.csv",
  "ruler_aggregates.csv",
  "ruler_thresholds.csv",
  "ruler_v3_scores_long.csv",
  "ruler_v3_aggregates.csv",
  "ruler_repo_leaderboard_long.csv",
  "ruler_repo_leaderboard_aggregates.csv",
  "ruler_table4_models.csv",
  "ruler_table5_task_configs.csv",
  "ruler_fig2_3_4_series.csv",
  "ruler_yi34b_per_task.csv",
  "ruler_fig5_tasks.csv",
  "ruler_fig5_heatmap_normalised.csv",
] as const;

/** The text of each of {@linkcode RULER_FILES}. */
export type RulerTexts = Readonly<Record<typeof RULER_FILES[number], string>>;

/** Reads what RULER published from the texts of its CSV files; {@linkcode openPublished} reads the files too. */
export function readRulerPublished(texts: RulerTexts): RulerPublished {
  const named = <File extends keyof RulerTexts>(file: File): [string, File] => [texts[file], file];
  const whole = (file: keyof RulerTexts): { text: string; file: string } => ({ text: texts[file], file });
  const thresholds = readThresholds(...named("ruler_thresholds.csv"));
  const averages = (
    file: keyof RulerTexts,
    options: { table?: number; ordinals?: boolean } = {},
  ): readonly PrintedRow[] => readAverages(texts[file], { file, ...options });
  const editions: readonly [Edition, readonly PrintedScore[], readonly PrintedRow[]][] = [
    ["v1", readScores(...named("ruler_scores_long.csv")), averages("ruler_aggregates.csv", { ordinals: true })],
    ["v3", readScores(...named("ruler_v3_scores_long.csv")), averages("ruler_v3_aggregates.csv")],
    [
      "repository",
      readLeaderboardScores(...named("ruler_repo_leaderboard_long.csv")),
      averages("ruler_repo_leaderboard_aggregates.csv", { table: 3 }),
    ],
  ];
  return {
    rows: editions.flatMap(([edition, scores, printed]) => joinRows(printed, { edition, scores, thresholds })),
    thresholds,
    models: readModels(...named("ruler_table4_models.csv")),
    tasks: readTasks(...named("ruler_table5_task_configs.csv")),
    series: readSeries(...named("ruler_fig2_3_4_series.csv")),
    yiTasks: readTaskScores(...named("ruler_yi34b_per_task.csv")),
    correlations: readCorrelations(whole("ruler_fig5_tasks.csv"), whole("ruler_fig5_heatmap_normalised.csv")),
  };
}

function joinRows(
  printedRows: readonly PrintedRow[],
  options: {
    readonly edition: Edition;
    readonly scores: readonly PrintedScore[];
    readonly thresholds: readonly PublishedThreshold[];
  },
): readonly PublishedRow[] {
  const { edition, scores, thresholds } = options;
  const key = ({ table, model }: { readonly table: number; readonly model: string }): string => `${table} ${model}`;
  const scoresOf = Map.groupBy(scores, key);
  return printedRows.map((row) => {
    const ofModel = scoresOf.get(key(row));
    if (ofModel === undefined) {
      throw new SyntaxError(
        `Cannot join the tables of ${edition} as each model must have scores: "${row.model}" of Table ${row.table} has none`,
      );
    }
    const { table, category, model, aligned, claimedLength } = ofModel[0]!;
    const threshold = thresholds.find((limit) => limit.category === category && limit.aligned === aligned)?.threshold ??
      null;
    return {
      edition,
      table,
      category,
      model,
      group: aligned ? "aligned" : "base",
      claimedLength,
      scores: ofModel.map(({ length, score }) => ({ length, score })).sort((left, right) => left.length - right.length),
      threshold,
      printed: row.printed,
    };
  });
}

/** Reads Figure 5 from its list of tasks and its heatmap. */
function readCorrelations(
  list: { readonly text: string; readonly file: string },
  heatmap: { readonly text: string; readonly file: string },
): TaskCorrelations {
  const tasks = readRows(list.text, {
    file: list.file,
    columns: {
      task: textColumn("task"),
      category: choiceColumn("category", ["NIAH", "VT", "AG", "QA"]),
      kept: yesNoColumn("kept_in_13"),
    },
  });
  const names = tasks.map(({ task }) => task);
  const shares = Object.fromEntries(names.map((name) => [name, numberColumn(name, { low: 0, high: 1 })]));
  const rowNames = readRows(heatmap.text, { file: heatmap.file, columns: { task: choiceColumn("task", names) } });
  const rows = readRows(heatmap.text, { file: heatmap.file, columns: shares });
  const matrix = names.map((name) => {
    const row = rows[rowNames.findIndex(({ task }) => task === name)];
    if (row === undefined) {
      throw new SyntaxError(`Cannot read ${heatmap.file} as it must have a row for each task: "${name}" has none`);
    }
    return names.map((other) => row[other]!);
  });
  return { tasks, matrix };
}
