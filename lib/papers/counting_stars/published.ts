import { mean } from "@/lib/base/mod.ts";
import type { FigureOptions } from "@/lib/figures/mod.ts";
import { column, type CsvColumn, openRows, PUBLISHED_FOLDER, type Row } from "@/lib/statistics/mod.ts";

/** The stars at one context length. */
export interface StarColumn {
  /** Context length in tokens, as the benchmark names it. */
  readonly length: number;
  /** The score of each star in the order of the text, in [0, 1]. */
  readonly cells: readonly number[];
}

/** One model's stars by context length: the matrix that Counting-Stars draws. */
export interface StarPanel {
  readonly model: string;
  /** One column per length, lengths rising; all with the same number of stars. */
  readonly columns: readonly StarColumn[];
}

const SHARE = { low: 0, high: 1 };
const MODEL = column.text("model");
const LENGTH = column.count("context_length");

/** A figure of the first edition: the figure, M and N, language, text, order of the counts and temperature of its panels. */
const PANELS = {
  figure: column.text("figure"),
  model: MODEL,
  stars: column.count("M"),
  lengths: column.count("N"),
  language: column.choice("language", ["ZH", "EN"]),
  haystack: column.text("haystack"),
  order: column.choice("star_order", ["increasing", "shuffled"]),
  temperature: column.number("temperature", { low: 0, high: 2 }),
};

/** Table 4 or 5: the task, such as `me_acq_zh`, and the length or range of lengths as printed: `4K`, `36K-64K`. */
const BUCKETS = {
  task: column.text("task"),
  model: MODEL,
  lengths: column.text("length_bucket"),
  accuracy: column.number("accuracy", SHARE),
};

/** Table 3: scores of plain counts and of counts with a wrong one before them, and their mean as printed. */
const LEADERS = {
  model: MODEL,
  claimedLength: column.text("claimed_length"),
  acquisitionZh: column.optional(column.number("me_acq_zh", SHARE)),
  acquisitionEn: column.optional(column.number("me_acq_en", SHARE)),
  reasoningZh: column.optional(column.number("me_rea_zh", SHARE)),
  reasoningEn: column.optional(column.number("me_rea_en", SHARE)),
  average: column.optional(column.number("avg", SHARE)),
};

/** Replies of the first edition: nominal length, characters of the text, the first 200 numbers, and the cells of the figure. */
const REPLIES = {
  figure: column.text("figure"),
  model: MODEL,
  length: LENGTH,
  units: column.count("haystack_units"),
  promptTokens: column.count("prompt_tokens_reported"),
  given: column.count("num_predicted"),
  numbers: listColumn("predicted_first200", Number),
  references: listColumn("reference", String),
  cells: bitsColumn("bits"),
};

/** A model's row in Table 3 of the third edition; `null` if it was not run. */
export type StarLeader = Row<typeof LEADERS>;

/** A score of Tables 4 and 5 of the third edition. */
export type StarBucket = Row<typeof BUCKETS>;

/** A panel of a figure of the first edition: cells of 0 and 1, read from the figure. */
export interface PublishedStarPanel extends StarPanel, Omit<Row<typeof PANELS>, "model"> {
  /** The accuracy in the panel's title, in [0, 1]. */
  readonly printed: number;
}

/** A panel of a figure of the third edition. */
export interface PublishedStarTask extends StarPanel {
  /** Plain counts, or counts with a wrong one before them. */
  readonly task: "acquisition" | "reasoning";
}

/** The numbers that Counting-Stars published. */
export interface StarsPublished {
  /** The 24 panels of the first edition. */
  readonly panels: readonly PublishedStarPanel[];
  /** The 6 panels of the third edition; cells are means of repeats. */
  readonly tasks: readonly PublishedStarTask[];
  /** 96 replies of the first edition. */
  readonly replies: readonly Row<typeof REPLIES>[];
  /** Table 3 of the third edition. */
  readonly leaders: readonly StarLeader[];
  /** Table 4: some models in Chinese acquisition, by length. */
  readonly byLength: readonly StarBucket[];
  /** Table 5: four tasks by quarter of the lengths. */
  readonly byQuarter: readonly StarBucket[];
  /** The reference's counts, each with its wrong one, in its order. */
  readonly values: readonly { readonly right: number; readonly wrong: number }[];
}

/** Returns a column of values separated by spaces. */
function listColumn<Value>(name: string, make: (text: string) => Value): CsvColumn<readonly Value[]> {
  const read = (cell: string): readonly Value[] | undefined =>
    /^[\d.]+(?: [\d.]+)*$/.test(cell) ? cell.split(" ").map(make) : undefined;
  return { name, wanted: "numbers separated by spaces", read };
}

/** Returns a column of digits 0 and 1 without separators. */
function bitsColumn(name: string): CsvColumn<readonly number[]> {
  const read = (cell: string): readonly number[] | undefined =>
    /^[01]+$/.test(cell) ? Array.from(cell, Number) : undefined;
  return { name, wanted: "digits 0 and 1", read };
}

/**
 * Reads the published figures, tables and replies of Counting-Stars from the CSV files of a folder.
 *
 * @param folder A URL that ends in a slash; `data/published` by default.
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a file has the wrong columns or cells.
 */
export async function openStarsPublished(folder: URL = PUBLISHED_FOLDER): Promise<StarsPublished> {
  return {
    panels: await openPanels(folder),
    tasks: await openTasks(folder),
    replies: await openRows("counting_stars_raw_predictions.csv", REPLIES, folder),
    leaders: await openRows("counting_stars_v3_table3.csv", LEADERS, folder),
    byLength: await openRows("counting_stars_v3_table4.csv", BUCKETS, folder),
    byQuarter: await openRows("counting_stars_v3_table5.csv", BUCKETS, folder),
    values: await openRows("counting_stars_star_values.csv", {
      right: column.count("a_star_correct"),
      wrong: column.count("r_star_wrong"),
    }, folder),
  };
}

async function openPanels(folder: URL): Promise<PublishedStarPanel[]> {
  const columns = { ...PANELS, length: LENGTH, cells: bitsColumn("bits_star1_to_M") };
  const cells = await openRows("counting_stars_v1_cells.csv", columns, folder);
  const titled = { ...PANELS, printed: column.number("published_acc", SHARE) };
  return (await openRows("counting_stars_v1_summary.csv", titled, folder)).map((title) => {
    const columns = cells.filter(({ figure, model }) => figure === title.figure && model === title.model)
      .sort((left, right) => left.length - right.length);
    if (columns.length !== title.lengths || columns.some((column) => column.cells.length !== title.stars)) {
      throw new SyntaxError(
        `Cannot join cells and titles as ${title.figure} of ${title.model} must have ${title.lengths} columns of ${title.stars} stars: current value is ${columns.length} columns`,
      );
    }
    return { ...title, columns: columns.map(({ length, cells }) => ({ length, cells })) };
  });
}

async function openTasks(folder: URL): Promise<PublishedStarTask[]> {
  const rows = await openRows("counting_stars_v3_cells.csv", {
    task: column.choice("task", ["Multi-evidence Acquisition", "Multi-evidence Reasoning"]),
    model: MODEL,
    length: LENGTH,
    cells: listColumn("cell_values_star1_to_32", Number),
  }, folder);
  const panels = Map.groupBy(rows, ({ task, model }) => `${task} ${model}`);
  return Array.from(panels.values(), (columns) => ({
    task: columns[0]!.task === "Multi-evidence Acquisition" ? "acquisition" : "reasoning",
    model: columns[0]!.model,
    columns: columns.map(({ length, cells }) => ({ length, cells })),
  }));
}

/**
 * Returns the panels of figures, with `model` replaced by a name that is unique per panel: `Kimi, Stone, shuffled`.
 *
 * @param figures The figures in the order wanted; all by default.
 */
export function pickStarPanels({ panels }: StarsPublished, figures?: readonly string[]): PublishedStarPanel[] {
  const wanted = figures ?? [...new Set(panels.map(({ figure }) => figure))];
  return wanted.flatMap((figure) =>
    panels.filter((panel) => panel.figure === figure).map((panel) => ({ ...panel, model: nameOf(panel) }))
  );
}

function nameOf({ figure, model, order, temperature }: PublishedStarPanel): string {
  const run = figure.match(/_v(\d)$/)?.[1];
  return [
    model.split(" ")[0]!,
    TEXTS[figure.split("_")[0]!] ?? figure,
    ...(order === "shuffled" ? ["shuffled"] : []),
    ...(temperature === 0 ? [] : [`T = ${temperature}`]),
    ...(run === undefined ? [] : [`run ${run}`]),
  ].join(", ");
}

const TEXTS: Readonly<Record<string, string>> = { stone: "Stone", west: "West", en: "English" };

/**
 * Returns the accuracy of a matrix, Counting-Stars' "Acc": the mean of all cells.
 *
 * @throws {RangeError} If there is no cell.
 */
export function starAccuracy({ model, columns }: StarPanel): number {
  const cells = columns.flatMap((column) => column.cells);
  if (cells.length === 0) {
    throw new RangeError(`Cannot give the accuracy of ${model} as there must be at least one cell: current value is 0`);
  }
  return mean(cells);
}

/** Title, n and origin of a figure or table. */
export type StarFigureOptions = Pick<FigureOptions, "title" | "n" | "origin" | "warning">;
