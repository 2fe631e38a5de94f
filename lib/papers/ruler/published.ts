import type { Category } from "@/lib/generators/mod.ts";
import { column, type Columns, type CsvColumn, openRows, PUBLISHED_FOLDER, type Row } from "@/lib/statistics/mod.ts";

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

// The columns of the files, by the names that their values have here. Scores, averages and thresholds are in percent, lengths in tokens.
const TABLE = { table: column.count("table") };
const PLACE = {
  ...TABLE,
  category: column.choice<PublishedCategory>("category", ["RULER-13", "passkey", "vanilla_niah", ...CATEGORY_KEYS]),
  aligned: column.yesNo("aligned"),
};
const LEADERBOARD_SCORES = {
  model: column.text("model"),
  claimedLength: lengthColumn("claimed_length", /^\d+[KkMm]$/, 'a length like "32K" or "1M"'),
  length: column.count("length"),
  score: column.score("score"),
};
const SCORES = { ...PLACE, ...LEADERBOARD_SCORES };
const LEADERBOARD_AVERAGES = {
  model: column.text("model"),
  // As printed: `32k`, `<4k`, `>128K`.
  effectiveLength: column.optional(
    lengthColumn("effective_length", /^([<>]?\d+[Kk]|-)$/, 'a length like "32K", "<4K" or ">128K", or "-"'),
  ),
  average: column.score("avg"),
  weightedIncreasing: column.optional(column.score("wavg_inc")),
  // Ranks are from 1, in the group.
  rankIncreasing: column.optional(column.count("rank_inc")),
  weightedDecreasing: column.optional(column.score("wavg_dec")),
  rankDecreasing: column.optional(column.count("rank_dec")),
};
const AVERAGES = { ...TABLE, ...LEADERBOARD_AVERAGES };
const THRESHOLDS = {
  ...PLACE,
  // Llama2-7B as the table names it.
  model: column.text("model"),
  length: column.count("length"),
  threshold: column.score("threshold"),
};
const SERIES = {
  figure: column.count("figure"),
  // The part of the figure, and the name of the line in the legend.
  panel: column.text("panel"),
  series: column.text("series"),
  // `null` for a baseline that has no length.
  length: {
    name: "length",
    wanted: 'a whole number from 1, or "all"',
    read: (cell: string): number | null | undefined => cell === "all" ? null : column.count("length").read(cell),
  },
  // `extrapolation` is beyond the length a model was trained on (dashed in Figure 4), `baseline` without any context.
  segment: column.choice("segment", ["solid", "extrapolation", "baseline"]),
  score: column.score("score"),
};

function lengthColumn(name: string, form: RegExp, wanted: string): CsvColumn<string> {
  return { name, wanted, read: (cell) => form.test(cell) ? cell : undefined };
}

/** Everything numeric that RULER published. */
export interface RulerPublished {
  /** Tables 3 and 10 to 16 in both editions, and the repository's leaderboard. */
  readonly rows: readonly PublishedRow[];
  /** The scores of Llama2-7B at 4K that make a length effective, by table: chat for aligned models, base for others. */
  readonly thresholds: readonly Row<typeof THRESHOLDS>[];
  /** The points of Figures 2 to 4. */
  readonly series: readonly Row<typeof SERIES>[];
  /** Figure 5: the correlations of the models' scores on 18 task configurations. */
  readonly correlations: {
    /** In the figure's order; `kept` are the 13 of RULER. */
    readonly tasks: readonly Row<typeof CORRELATED>[];
    /** Rows and columns in the order of `tasks`: 0 is the lowest correlation shown, 1 the highest; the scale is not printed. */
    readonly matrix: readonly (readonly number[])[];
  };
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
  /** The averages, ranks and effective length of a row. */
  readonly printed: Omit<Row<typeof LEADERBOARD_AVERAGES>, "model">;
}

/**
 * Reads the numbers that RULER published from the CSV files of `data/published`.
 *
 * @param folder Another folder with these files; ends with a slash.
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a file has the wrong columns or cells.
 */
export async function openPublished(folder: URL = PUBLISHED_FOLDER): Promise<RulerPublished> {
  const read = <C extends Columns>(file: string, columns: C): Promise<readonly Row<C>[]> =>
    openRows(`ruler_${file}.csv`, columns, folder);
  // The leaderboard continues Table 3: all models aligned, scores over 13 tasks.
  const table3 = { table: 3, category: "RULER-13", aligned: true } as const;
  const editions: readonly [Edition, readonly PrintedScore[], readonly PrintedRow[]][] = [
    ["v1", await read("scores_long", SCORES), await read("aggregates", AVERAGES)],
    ["v3", await read("v3_scores_long", SCORES), await read("v3_aggregates", AVERAGES)],
    [
      "repository",
      (await read("repo_leaderboard_long", LEADERBOARD_SCORES)).map((row) => ({ ...table3, ...row })),
      (await read("repo_leaderboard_aggregates", LEADERBOARD_AVERAGES)).map((row) => ({ table: 3, ...row })),
    ],
  ];
  const thresholds = await read("thresholds", THRESHOLDS);
  return {
    rows: editions.flatMap(([edition, scores, printed]) => joinRows(printed, { edition, scores, thresholds })),
    thresholds,
    series: await read("fig2_3_4_series", SERIES),
    correlations: await openCorrelations(folder),
  };
}

type PrintedScore = Row<typeof SCORES>;
type PrintedRow = Row<typeof AVERAGES>;

function joinRows(
  printedRows: readonly PrintedRow[],
  { edition, scores, thresholds }: Pick<RulerPublished, "thresholds"> & {
    readonly edition: Edition;
    readonly scores: readonly PrintedScore[];
  },
): readonly PublishedRow[] {
  const key = ({ table, model }: { readonly table: number; readonly model: string }): string => `${table} ${model}`;
  const scoresOf = Map.groupBy(scores, key);
  return printedRows.map(({ table, model, ...printed }) => {
    const ofModel = scoresOf.get(key({ table, model }));
    if (ofModel === undefined) {
      throw new SyntaxError(
        `Cannot join the tables of ${edition} as each model must have scores: "${model}" of Table ${table} has none`,
      );
    }
    const { category, aligned, claimedLength } = ofModel[0]!;
    const limit = thresholds.find((limit) => limit.category === category && limit.aligned === aligned);
    return {
      edition,
      table,
      category,
      model,
      group: aligned ? "aligned" : "base",
      claimedLength,
      scores: ofModel.map(({ length, score }) => ({ length, score })).sort((left, right) => left.length - right.length),
      threshold: limit?.threshold ?? null,
      printed,
    };
  });
}

const CORRELATED = {
  task: column.text("task"),
  category: column.choice("category", ["NIAH", "VT", "AG", "QA"]),
  kept: column.yesNo("kept_in_13"),
};

/** Reads Figure 5 from its list of tasks and its heatmap. */
async function openCorrelations(folder: URL): Promise<RulerPublished["correlations"]> {
  const tasks = await openRows("ruler_fig5_tasks.csv", CORRELATED, folder);
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
