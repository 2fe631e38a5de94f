import {
  choiceColumn,
  type Columns,
  countColumn,
  type CsvColumn,
  numberColumn,
  optional,
  PUBLISHED_FOLDER,
  readPublishedTexts,
  readRows,
  type Row,
  textColumn,
} from "@/lib/statistics/mod.ts";

/**
 * Reads the figures, tables and replies that Counting-Stars published from the CSV files of `data/published`.
 *
 * @param folder Another folder with these files; ends in a slash.
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a file has the wrong columns or cells.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { panels } = await openStarsPublished();
 * equal(panels.length, 24);
 * ```
 */
export async function openStarsPublished(folder: URL = PUBLISHED_FOLDER): Promise<StarsPublished> {
  const texts = await readPublishedTexts(STAR_FILES, folder);
  const read = <C extends Columns>(file: keyof StarTexts, columns: C): readonly Row<C>[] =>
    readRows(texts[file], { file, columns });
  return {
    panels: readPanels(texts),
    tasks: readTasks(texts),
    replies: read("counting_stars_raw_predictions.csv", REPLIES),
    leaders: read("counting_stars_v3_table3.csv", LEADERS),
    byLength: read("counting_stars_v3_table4.csv", BUCKETS),
    byQuarter: read("counting_stars_v3_table5.csv", BUCKETS),
    values: read("counting_stars_star_values.csv", {
      right: countColumn("a_star_correct"),
      wrong: countColumn("r_star_wrong"),
    }),
  };
}

const STAR_FILES = [
  "counting_stars_v1_summary.csv",
  "counting_stars_v1_cells.csv",
  "counting_stars_raw_predictions.csv",
  "counting_stars_v3_cells.csv",
  "counting_stars_v3_table3.csv",
  "counting_stars_v3_table4.csv",
  "counting_stars_v3_table5.csv",
  "counting_stars_star_values.csv",
] as const;

type StarTexts = Readonly<Record<typeof STAR_FILES[number], string>>;

/** Every number that Counting-Stars published. */
export interface StarsPublished {
  /** The 24 panels of the first edition. */
  readonly panels: readonly PublishedStarPanel[];
  /** The 6 panels of the third. */
  readonly tasks: readonly PublishedStarTask[];
  /** 96 replies of the first edition. */
  readonly replies: readonly PublishedStarReply[];
  /** Table 3 of the third edition. */
  readonly leaders: readonly StarLeader[];
  /** Table 4: some models in Chinese acquisition, by length. */
  readonly byLength: readonly StarBucket[];
  /** Table 5: four tasks by quarter of the lengths. */
  readonly byQuarter: readonly StarBucket[];
  /** The reference's counts, each with its wrong one, in its order. */
  readonly values: readonly { readonly right: number; readonly wrong: number }[];
}

/**
 * Picks the panels of some figures, both models of a figure together; `model` becomes the panel's name.
 *
 * @param figures The figures, in the order you want; all if left out.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const picked = pickStarPanels(await openStarsPublished(), ["stone_32_32_random"]);
 * deepEqual(picked.map(({ model }) => model), ["GPT-4, Stone, shuffled", "Kimi, Stone, shuffled"]);
 * ```
 */
export function pickStarPanels({ panels }: StarsPublished, figures?: readonly string[]): PublishedStarPanel[] {
  const wanted = figures ?? [...new Set(panels.map(({ figure }) => figure))];
  return wanted.flatMap((figure) =>
    panels.filter((panel) => panel.figure === figure).map((panel) => ({ ...panel, model: nameOf(panel) }))
  );
}

/** Names a panel by how it differs from the others: `Kimi, Stone, shuffled`. */
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

const SHARE = { low: 0, high: 1 };

/** A panel of a figure of the first edition: cells of 0 and 1, read from the figure. */
export interface PublishedStarPanel extends StarPanel {
  /** The figure, such as `stone_32_32`. */
  readonly figure: string;
  /** M, the stars. */
  readonly stars: number;
  /** N, the lengths. */
  readonly lengths: number;
  /** Of the text, the stars and the question. */
  readonly language: "ZH" | "EN";
  /** The text that stars are hidden in. */
  readonly haystack: string;
  /** The order of the counts in the text. */
  readonly order: "increasing" | "shuffled";
  /** The sampling temperature. */
  readonly temperature: number;
  /** The accuracy that the panel's title prints, in [0, 1]. */
  readonly printed: number;
}

const PANELS = {
  figure: textColumn("figure"),
  model: textColumn("model"),
  stars: countColumn("M"),
  lengths: countColumn("N"),
  language: choiceColumn("language", ["ZH", "EN"]),
  haystack: textColumn("haystack"),
  order: choiceColumn("star_order", ["increasing", "shuffled"]),
  temperature: numberColumn("temperature", { low: 0, high: 2 }),
};

function readPanels(texts: StarTexts): PublishedStarPanel[] {
  const cells = readRows(texts["counting_stars_v1_cells.csv"], {
    file: "counting_stars_v1_cells.csv",
    columns: { ...PANELS, length: countColumn("context_length"), cells: bitsColumn("bits_star1_to_M") },
  });
  const titles = readRows(texts["counting_stars_v1_summary.csv"], {
    file: "counting_stars_v1_summary.csv",
    columns: { ...PANELS, printed: numberColumn("published_acc", SHARE) },
  });
  return titles.map((title) => {
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

/** A panel of a figure of the third edition: cells are means of repeats, read from the figure. */
export interface PublishedStarTask extends StarPanel {
  /** Plain counts, or counts with a wrong one before them. */
  readonly task: "acquisition" | "reasoning";
}

function readTasks(texts: StarTexts): PublishedStarTask[] {
  const rows = readRows(texts["counting_stars_v3_cells.csv"], {
    file: "counting_stars_v3_cells.csv",
    columns: {
      task: choiceColumn("task", ["Multi-evidence Acquisition", "Multi-evidence Reasoning"]),
      model: textColumn("model"),
      length: countColumn("context_length"),
      cells: listColumn("cell_values_star1_to_32", Number),
    },
  });
  const panels = Map.groupBy(rows, ({ task, model }) => `${task} ${model}`);
  return Array.from(panels.values(), (columns) => ({
    task: columns[0]!.task === "Multi-evidence Acquisition" ? "acquisition" : "reasoning",
    model: columns[0]!.model,
    columns: columns.map(({ length, cells }) => ({ length, cells })),
  }));
}

/** A reply whose numbers were published. */
export interface PublishedStarReply {
  /** The figure that shows its cells. */
  readonly figure: string;
  readonly model: string;
  /** The nominal length in tokens. */
  readonly length: number;
  /** Characters of the text. */
  readonly units: number;
  /** The prompt's tokens as the model's provider counted them. */
  readonly promptTokens: number;
  /** How many numbers the reply has. */
  readonly given: number;
  /** The numbers, the first 200 of them. */
  readonly numbers: readonly number[];
  /** The right counts, in the order of the text. */
  readonly references: readonly string[];
  /** The figure's cells, star by star. */
  readonly cells: readonly number[];
}

const REPLIES = {
  figure: textColumn("figure"),
  model: textColumn("model"),
  length: countColumn("context_length"),
  units: countColumn("haystack_units"),
  promptTokens: countColumn("prompt_tokens_reported"),
  given: countColumn("num_predicted"),
  numbers: listColumn("predicted_first200", Number),
  references: listColumn("reference", String),
  cells: bitsColumn("bits"),
};

/** A model's row in Table 3 of the third edition, scores in [0, 1]; `null` if it was not run. */
export interface StarLeader {
  readonly model: string;
  /** The context length its provider claims, as printed: `128K`, `1M`. */
  readonly claimedLength: string;
  /** Plain counts in Chinese. */
  readonly acquisitionZh: number | null;
  /** Plain counts in English. */
  readonly acquisitionEn: number | null;
  /** Counts with a wrong one before them, in Chinese. */
  readonly reasoningZh: number | null;
  /** The same in English. */
  readonly reasoningEn: number | null;
  /** The mean of the four, as printed. */
  readonly average: number | null;
}

const LEADERS = {
  model: textColumn("model"),
  claimedLength: textColumn("claimed_length"),
  acquisitionZh: optional(numberColumn("me_acq_zh", SHARE)),
  acquisitionEn: optional(numberColumn("me_acq_en", SHARE)),
  reasoningZh: optional(numberColumn("me_rea_zh", SHARE)),
  reasoningEn: optional(numberColumn("me_rea_en", SHARE)),
  average: optional(numberColumn("avg", SHARE)),
};

/** A score of Tables 4 and 5 of the third edition. */
export interface StarBucket {
  /** Such as `me_acq_zh`. */
  readonly task: string;
  readonly model: string;
  /** The length or range of lengths, as printed: `4K`, `36K-64K`. */
  readonly lengths: string;
  /** In [0, 1]. */
  readonly accuracy: number;
}

const BUCKETS = {
  task: textColumn("task"),
  model: textColumn("model"),
  lengths: textColumn("length_bucket"),
  accuracy: numberColumn("accuracy", SHARE),
};

/** A column of values separated by spaces. */
function listColumn<Value>(name: string, make: (text: string) => Value): CsvColumn<readonly Value[]> {
  const read = (cell: string): readonly Value[] | undefined =>
    /^[\d.]+(?: [\d.]+)*$/.test(cell) ? cell.split(" ").map(make) : undefined;
  return { name, wanted: "numbers separated by spaces", read };
}

/** A column of digits 0 and 1 without anything between them. */
function bitsColumn(name: string): CsvColumn<readonly number[]> {
  const read = (cell: string): readonly number[] | undefined =>
    /^[01]+$/.test(cell) ? Array.from(cell, Number) : undefined;
  return { name, wanted: "digits 0 and 1", read };
}

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
  /** One column a length, lengths rising; all of as many stars. */
  readonly columns: readonly StarColumn[];
}

/** The accuracy of a matrix, Counting-Stars' "Acc": the mean of all cells. */
export function starAccuracy({ model, columns }: StarPanel): number {
  const cells = columns.flatMap((column) => column.cells);
  if (cells.length === 0) {
    throw new RangeError(`Cannot give the accuracy of ${model} as there must be at least one cell: current value is 0`);
  }
  return meanOf(cells);
}

/** The mean of at least one number. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** What the claims about Counting-Stars are checked against. */
export interface StarEvidence extends StarsPublished {
  /** Seeds the intervals: the seed of a notebook's tables gives the same numbers. */
  readonly seed: string;
}

/** The two models of the first edition. */
export const STAR_MODELS = ["GPT-4", "Kimi"] as const;

/** A model's panel of a figure. */
export function panelOf({ panels }: StarsPublished, figure: string, model: string): PublishedStarPanel {
  return panels.find((panel) => panel.figure === figure && panel.model.startsWith(model))!;
}

/** The cells of a panel at a length. */
export function cellsAt({ columns }: StarPanel, length: number): readonly number[] {
  return columns.find((column) => column.length === length)!.cells;
}

/** How many stars are right at a length. */
export function rightAt(panel: StarPanel, length: number): number {
  return cellsAt(panel, length).reduce((sum, cell) => sum + cell, 0);
}
