import { type Figure, lineChart, type Titled } from "@/lib/figures/mod.ts";
import { column, type Interval, openRows, type Origin, type Row } from "@/lib/statistics/mod.ts";

const MODEL = column.text("model");
const POINTS = {
  model: MODEL,
  tokens: column.count("text_tokens"),
  score: column.number("score", { low: 0, high: 1 }),
};

/** A point of the figure: the mean edit score of texts of about a number of tokens, in [0, 1]. */
export type CopyPoint = Row<typeof POINTS>;

/** The published numbers on repeated words. */
export interface RepeatedWordsPublished {
  /** The figure of the authors' README: four models, digitised to about 0.001. */
  readonly points: readonly CopyPoint[];
}

/**
 * Reads the published numbers on repeated words from a CSV file of `data/published`.
 *
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a cell has an unexpected value; the message names file, line and column.
 */
export async function openRepeatedWordsPublished(): Promise<RepeatedWordsPublished> {
  return {
    points: await openRows("repeated_words_figure.csv", POINTS),
  };
}

/** A mean edit score of a model's copies, with its interval, all in [0, 1]. */
export interface OwnCopyPoint extends CopyPoint, Interval {
  readonly origin: Origin;
}

/** Draws the figure of the authors' README, with the scores of further models. The line is the score of a copy that never stops. */
export function copyCurves(
  published: readonly CopyPoint[],
  { own = [], title }: Pick<Titled, "title"> & { readonly own?: readonly OwnCopyPoint[] },
): Figure {
  const originOf = new Map<string, Origin>([
    ...published.map(({ model }): [string, Origin] => [model, "published"]),
    ...own.map(({ model, origin }): [string, Origin] => [model, origin]),
  ]);
  return lineChart([...published.map((point) => ({ ...point, low: null, high: null })), ...own], {
    title,
    caption:
      "Published points are the means of all prompts in a bin of lengths, refusals left out, digitised from the authors' " +
      "picture. At 0.5 ends a model that goes on until the output limit of twice the prompt.",
    n: own.length === 0 ? "unknown number of prompts" : "unknown number of prompts, or those of the run",
    origin: own.length === 0 ? "published" : Object.fromEntries(originOf),
    x: "tokens" as const,
    y: "score" as const,
    series: "model" as const,
    ...(own.length === 0 ? {} : { low: "low", high: "high", interval: "95% interval" } as const),
    xTitle: "Text (tokens)",
    yTitle: "Mean edit score",
    seriesTitle: "Model",
    yDomain: [0, 1] as const,
    thresholds: [{ y: 0.5, label: "never stops: 0.5" }],
  });
}
