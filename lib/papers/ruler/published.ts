import {
  AVERAGE_COLUMNS,
  BENCHMARK_COLUMNS,
  FIRST_AVERAGE_COLUMNS,
  LEADERBOARD_AVERAGE_COLUMNS,
  LEADERBOARD_SCORE_COLUMNS,
  MODEL_COLUMNS,
  type PrintedAverages,
  type PublishedBenchmark,
  type PublishedCategory,
  type PublishedModel,
  type PublishedTask,
  type PublishedThreshold,
  SCORE_COLUMNS,
  SERIES_COLUMNS,
  type SeriesPoint,
  TASK_COLUMNS,
  TASK_SCORE_COLUMNS,
  type TaskScore,
  THRESHOLD_COLUMNS,
} from "./published_tables.ts";
import { column, type Columns, openRows, PUBLISHED_FOLDER, type Row } from "@/lib/statistics/mod.ts";

/** Everything numeric that RULER published. */
export interface RulerPublished {
  /** Tables 3 and 10 to 16 in both editions, and the repository's leaderboard. */
  readonly rows: readonly PublishedRow[];
  /** The scores of Llama2-7B at 4K, by table; both editions print the same. */
  readonly thresholds: readonly PublishedThreshold[];
  /** Table 1; both editions print the same. */
  readonly benchmarks: readonly PublishedBenchmark[];
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
 * The source of a table: the first or third version of arXiv 2404.06654, or the leaderboard of RULER's repository, which continues
 * Table 3. In the leaderboard some models have no weighted averages and no rank, and one has no score at 128K.
 */
export type Edition = "v1" | "v3" | "repository";

/** A model's row in one of RULER's tables. */
export interface PublishedRow {
  readonly edition: Edition;
  /** The number of the table. */
  readonly table: number;
  readonly category: PublishedCategory;
  /** The model as the table names it. */
  readonly model: string;
  /** Models are ranked and judged within their group. */
  readonly group: "aligned" | "base";
  /** The claimed context length, as printed: `128k`, `1M`. */
  readonly claimedLength: string;
  /** In percent, lengths rising; lengths without a score are left out. */
  readonly scores: readonly { readonly length: number; readonly score: number }[];
  /** The score that makes a length effective, in percent; `null` in Tables 10 and 11. */
  readonly threshold: number | null;
  /** The averages, ranks and effective length beside the scores. */
  readonly printed: PrintedAverages;
}

/** Figure 5: the correlations of the models' scores on 18 task configurations. */
export interface TaskCorrelations {
  /** In the figure's order. */
  readonly tasks: readonly CorrelatedTask[];
  /** Rows and columns in the order of `tasks`: 0 is the lowest correlation shown, 1 the highest; the scale is not printed. */
  readonly matrix: readonly (readonly number[])[];
}

/** A task configuration of Figure 5. */
export interface CorrelatedTask {
  /** As the figure writes it. */
  readonly task: string;
  readonly category: "NIAH" | "VT" | "AG" | "QA";
  /** Whether it is one of the 13 that RULER keeps. */
  readonly kept: boolean;
}

/**
 * Reads the numbers that RULER published from the CSV files of `data/published`.
 *
 * @param folder Another folder with these files; ends with a slash.
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a file has the wrong columns or cells.
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
  const read = <C extends Columns>(file: string, columns: C): Promise<readonly Row<C>[]> =>
    openRows(`ruler_${file}.csv`, columns, folder);
  // The leaderboard continues Table 3: all models aligned, scores over 13 tasks.
  const table3 = { table: 3, category: "RULER-13", aligned: true } as const;
  const editions: readonly [Edition, readonly PrintedScore[], readonly PrintedRow[]][] = [
    ["v1", await read("scores_long", SCORE_COLUMNS), await read("aggregates", FIRST_AVERAGE_COLUMNS)],
    ["v3", await read("v3_scores_long", SCORE_COLUMNS), await read("v3_aggregates", AVERAGE_COLUMNS)],
    [
      "repository",
      (await read("repo_leaderboard_long", LEADERBOARD_SCORE_COLUMNS)).map((row) => ({ ...table3, ...row })),
      (await read("repo_leaderboard_aggregates", LEADERBOARD_AVERAGE_COLUMNS)).map((row) => ({ table: 3, ...row })),
    ],
  ];
  const thresholds = await read("thresholds", THRESHOLD_COLUMNS);
  return {
    rows: editions.flatMap(([edition, scores, printed]) => joinRows(printed, { edition, scores, thresholds })),
    thresholds,
    benchmarks: await read("table1_benchmarks", BENCHMARK_COLUMNS),
    models: await read("table4_models", MODEL_COLUMNS),
    tasks: await read("table5_task_configs", TASK_COLUMNS),
    series: await read("fig2_3_4_series", SERIES_COLUMNS),
    yiTasks: await read("yi34b_per_task", TASK_SCORE_COLUMNS),
    correlations: await openCorrelations(folder),
  };
}

type PrintedScore = Row<typeof SCORE_COLUMNS>;
type PrintedRow = Row<typeof AVERAGE_COLUMNS> & Partial<Row<typeof FIRST_AVERAGE_COLUMNS>>;

function joinRows(
  printedRows: readonly PrintedRow[],
  { edition, scores, thresholds }: {
    readonly edition: Edition;
    readonly scores: readonly PrintedScore[];
    readonly thresholds: readonly PublishedThreshold[];
  },
): readonly PublishedRow[] {
  const key = ({ table, model }: { readonly table: number; readonly model: string }): string => `${table} ${model}`;
  const scoresOf = Map.groupBy(scores, key);
  return printedRows.map(({ table, model, ordinalIncreasing, ordinalDecreasing, ...averages }) => {
    const ofModel = scoresOf.get(key({ table, model }));
    if (ofModel === undefined) {
      throw new SyntaxError(
        `Cannot join the tables of ${edition} as each model must have scores: "${model}" of Table ${table} has none`,
      );
    }
    const { category, aligned, claimedLength } = ofModel[0]!;
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
      printed: {
        ...averages,
        ordinals: [ordinalIncreasing, ordinalDecreasing].filter((text) => typeof text === "string"),
      },
    };
  });
}

/** Reads Figure 5 from its list of tasks and its heatmap. */
async function openCorrelations(folder: URL): Promise<TaskCorrelations> {
  const tasks = await openRows("ruler_fig5_tasks.csv", {
    task: column.text("task"),
    category: column.choice("category", ["NIAH", "VT", "AG", "QA"]),
    kept: column.yesNo("kept_in_13"),
  }, folder);
  const heatmap = "ruler_fig5_heatmap_normalised.csv";
  const names = tasks.map(({ task }) => task);
  const rowNames = await openRows(heatmap, { task: column.choice("task", names) }, folder);
  const cells = Object.fromEntries(names.map((name) => [name, column.number(name, { low: 0, high: 1 })]));
  const rows = await openRows(heatmap, cells, folder);
  const matrix = names.map((name) => {
    const row = rows[rowNames.findIndex(({ task }) => task === name)];
    if (row === undefined) {
      throw new SyntaxError(`Cannot read ${heatmap} as it must have a row for each task: "${name}" has none`);
    }
    return names.map((other) => row[other]!);
  });
  return { tasks, matrix };
}

/** Finds a model's row for a category, even if a table misprints its size, as Table 16 does for Command-R. */
export function findRow(
  rows: readonly PublishedRow[],
  wanted: { readonly edition: Edition; readonly category: PublishedCategory; readonly model: string },
): PublishedRow | undefined {
  const candidates = rows.filter((row) => row.edition === wanted.edition && row.category === wanted.category);
  const ofStem = candidates.filter((row) => stemOf(row.model) === stemOf(wanted.model));
  return candidates.find((row) => row.model === wanted.model) ?? (ofStem.length === 1 ? ofStem[0] : undefined);
}

/** Returns the name without the size: `Command-R` for `Command-R (35B)`. */
export function stemOf(model: string): string {
  return model.replace(/ \([^)]*\)$/, "");
}

/** Returns the printed score of a row at a length. */
export function scoreAt(row: PublishedRow | undefined, length: number): number | undefined {
  return row?.scores.find((at) => at.length === length)?.score;
}
