import { coloursOf, type Figure, lineChart, type Titled } from "@/lib/figures/mod.ts";
import { column, openRows, type Origin, type Row, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

/** The bins of lengths in which scores are published, shortest first, and where a figure has them, in tokens. */
const BINS = { "0K-128K": 131_072, "256K": 262_144, "1M": 1_048_576, "256K-1M": null } as const;

const COLUMNS = {
  model: column.text("model"),
  operation: column.choice("operation", ["bfs", "parents"]),
  length: column.choice("length", ["0K-128K", "256K", "1M", "256K-1M"]),
  score: column.score("f1"),
};

/** A published mean F1, in percent. All are read in secondary copies of model cards. */
export type GraphScore = Row<typeof COLUMNS>;

/**
 * Reads the published scores of GraphWalks from `data/published/graphwalks_f1.csv`.
 *
 * @throws {Error} If the file is missing.
 * @throws {SyntaxError} If a cell has an unexpected value; the message names file, line and column.
 */
export async function openGraphScores(): Promise<readonly GraphScore[]> {
  return await openRows("graphwalks_f1.csv", COLUMNS);
}

/** Returns the place of a bin on the axis of lengths, in tokens; `null` for the bin of two lengths. */
export function tokensOf({ length }: Pick<GraphScore, "length">): number | null {
  return BINS[length];
}

/** The rows of the data set: 350 or 400 up to 128K, and 100 at each length above (system card of Claude Opus 4.6, 2.18.2). */
export function rowsOf({ operation, length }: Pick<GraphScore, "operation" | "length">): number {
  if (length === "0K-128K") return operation === "bfs" ? 350 : 400;
  return length === "256K-1M" ? 200 : 100;
}

/** 95% of a normal distribution are within so many standard deviations. */
const DEVIATIONS = 1.96;

/**
 * Returns a published score with its widest possible 95% interval, in percent.
 *
 * The variance of scores in [0, 1] with mean m is at most m (1 - m) (Bhatia and Davis 2000), that of right and wrong answers.
 */
export function widestInterval(published: GraphScore): ScoreWithInterval {
  const share = published.score / 100;
  const half = 100 * DEVIATIONS * Math.sqrt(share * (1 - share) / rowsOf(published));
  const { score } = published;
  return { score, low: Math.max(0, score - half), high: Math.min(100, score + half) };
}

/** A mean F1 of a model of one's own, in percent, with its interval. */
export interface OwnGraphScore extends ScoreWithInterval {
  readonly model: string;
  /** In tokens. */
  readonly tokens: number;
  readonly origin: Origin;
}

/** A published score at a length, in percent, with its widest possible interval. */
export interface GraphPoint extends ScoreWithInterval, Pick<GraphScore, "model" | "operation"> {
  /** The length in tokens. */
  readonly tokens: number;
  /** Rows of the data set. */
  readonly n: number;
}

/** Returns the published scores that are of one length, or of all up to one, with their intervals. */
export function publishedPoints(published: readonly GraphScore[]): readonly GraphPoint[] {
  return published.flatMap((row) => {
    const tokens = tokensOf(row);
    const { model, operation } = row;
    return tokens === null ? [] : [{ model, operation, tokens, n: rowsOf(row), ...widestInterval(row) }];
  });
}

/** Draws published scores of an operation by length, of models with two lengths, and those of further models. */
export function graphCurves(
  published: readonly GraphScore[],
  { operation, own = [], title }: Pick<Titled, "title"> & {
    readonly operation: GraphScore["operation"];
    readonly own?: readonly OwnGraphScore[];
  },
): Figure {
  const placed = publishedPoints(published.filter((row) => row.operation === operation));
  const lines = [...Map.groupBy(placed, ({ model }) => model).values()].filter((points) => points.length > 1).flat();
  const originOf = new Map<string, Origin>([
    ...lines.map(({ model }): [string, Origin] => [model, "published"]),
    ...own.map(({ model, origin }): [string, Origin] => [model, origin]),
  ]);
  return lineChart([...lines, ...own], {
    title,
    palette: coloursOf(own.map(({ model }) => model), lines.map(({ model }) => model)),
    caption:
      "Published: model cards, read in secondary copies; prompts, settings and the program that scored them differ or are not " +
      "stated. 128K is the mean of all lengths up to it. Intervals of published scores are the widest that their number of rows allows.",
    n: own.length === 0
      ? "350 to 400 rows up to 128K, 100 at each length above"
      : "100 to 400 rows, or the samples of the run",
    origin: own.length === 0 ? "published" : Object.fromEntries(originOf),
    x: "tokens" as const,
    y: "score" as const,
    series: "model" as const,
    low: "low" as const,
    high: "high" as const,
    interval: "95% interval" as const,
    xTitle: "Context length (tokens)",
    yTitle: "Mean F1 (percent)",
    seriesTitle: "Model",
    yDomain: [0, 100] as const,
  });
}
