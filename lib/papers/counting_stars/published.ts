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

/** A panel of the first text: its figure, M and N, the order of its counts, and the temperature. */
const PANELS = {
  figure: column.text("figure"),
  model: MODEL,
  stars: column.count("M"),
  lengths: column.count("N"),
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

/** The numbers that Counting-Stars published, in its first text (March 2024) and in its third edition. */
export interface StarsPublished {
  /** The 24 panels of the first text. */
  readonly panels: readonly PublishedStarPanel[];
  /** The 6 panels of the third edition; cells are means of repeats. */
  readonly tasks: readonly PublishedStarTask[];
  /** Table 3 of the third edition. */
  readonly leaders: readonly StarLeader[];
  /** Table 4: some models in Chinese acquisition, by length. */
  readonly byLength: readonly StarBucket[];
  /** Table 5: the other three tasks by quarter of the lengths. */
  readonly byQuarter: readonly StarBucket[];
}

/** Returns a column of numbers that match a pattern, with these between them. */
function numbersColumn(name: string, pattern: RegExp, between: string, wanted: string): CsvColumn<readonly number[]> {
  return { name, wanted, read: (cell) => pattern.test(cell) ? cell.split(between).map(Number) : undefined };
}

const BITS = numbersColumn("bits_star1_to_M", /^[01]+$/, "", "digits 0 and 1");
const MEANS = numbersColumn("cell_values_star1_to_32", /^[\d.]+(?: [\d.]+)*$/, " ", "numbers separated by spaces");

/**
 * Reads the published figures and tables of Counting-Stars from the CSV files of a folder.
 *
 * @param folder A URL that ends in a slash; `data/published` by default.
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a file has the wrong columns or cells.
 */
export async function openStarsPublished(folder: URL = PUBLISHED_FOLDER): Promise<StarsPublished> {
  return {
    panels: await openPanels(folder),
    tasks: await openTasks(folder),
    leaders: await openRows("counting_stars_v3_table3.csv", LEADERS, folder),
    byLength: await openRows("counting_stars_v3_table4.csv", BUCKETS, folder),
    byQuarter: await openRows("counting_stars_v3_table5.csv", BUCKETS, folder),
  };
}

async function openPanels(folder: URL): Promise<PublishedStarPanel[]> {
  const columns = { ...PANELS, length: LENGTH, cells: BITS };
  const cells = await openRows("counting_stars_v1_cells.csv", columns, folder);
  const titled = { ...PANELS, printed: column.number("published_acc", SHARE) };
  return (await openRows("counting_stars_v1_summary.csv", titled, folder)).map((title) => {
    const { figure, model, stars, lengths } = title;
    const columns = cells.filter((column) => column.figure === figure && column.model === model)
      .sort((left, right) => left.length - right.length);
    if (columns.length !== lengths || columns.some((column) => column.cells.length !== stars)) {
      throw new SyntaxError(
        `Cannot join cells and titles as ${figure} of ${model} must have ${lengths} columns of ${stars} stars: current value is ${columns.length} columns`,
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
    cells: MEANS,
  }, folder);
  const panels = Map.groupBy(rows, ({ task, model }) => `${task} ${model}`).values();
  return Array.from(panels, (columns) => ({
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

/** The two models of the first text. */
export const STAR_MODELS = ["GPT-4", "Kimi"] as const;

/** Returns a model's panel of a figure of the first text. */
export function panelOf({ panels }: StarsPublished, figure: string, model: string): PublishedStarPanel {
  return panels.find((panel) => panel.figure === figure && panel.model.startsWith(model))!;
}

/** Leaves out the second and third run of a panel that was drawn three times, so that each setting counts once. */
export function firstRuns(panels: readonly PublishedStarPanel[]): readonly PublishedStarPanel[] {
  return panels.filter(({ figure }) => !/_v[23]$/.test(figure));
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

/** Returns the accuracy of a matrix, Counting-Stars' "Acc": the mean of all cells. */
export function starAccuracy({ columns }: StarPanel): number {
  return mean(columns.flatMap(({ cells }) => cells));
}

/** Title, n and origin of a figure or table. */
export type StarFigureOptions = Pick<FigureOptions, "title" | "n" | "origin" | "warning">;
