import type { Figure, FigureOptions } from "../figure.ts";
import { heatmap } from "../heatmap.ts";
import { lengthLabel } from "../length_label.ts";

/** A score of one model at one context length. */
export interface ModelScoreCell {
  /** The model's name. */
  readonly model: string;
  /** Context length, in tokens or as the source names it. */
  readonly length: number;
  /** In percent; `null` where there is none. */
  readonly score: number | null;
}

/** Options for {@linkcode modelHeatmap}. */
export interface ModelHeatmapOptions extends Pick<FigureOptions, "title" | "n" | "origin" | "width"> {
  /**
   * What the columns are, with their unit.
   *
   * @default {"Context length (tokens)"}
   */
  readonly xTitle?: string;
  /**
   * Whether the cells hold their scores as text.
   *
   * @default {true}
   */
  readonly showValues?: boolean;
}

/**
 * Draws the scores of many models by context length: a row for each model in the order given, a column for each length.
 *
 * @param cells At least one score.
 * @param options Title, n and origin.
 * @returns The figure; lengths that a model was not tested at are grey.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const cells = [{ model: "GPT-4o", length: 128000, score: 100 }];
 * match(await modelHeatmap(cells, { title: "One model is perfect", n: 55, origin: "published" }).svg(), /GPT-4o/);
 * ```
 */
export function modelHeatmap(cells: readonly ModelScoreCell[], options: ModelHeatmapOptions): Figure {
  const { xTitle = "Context length (tokens)", showValues = true, ...labels } = options;
  const models = [...new Set(cells.map(({ model }) => model))];
  const lengths = [...new Set(cells.map(({ length }) => length))].toSorted((left, right) => left - right);
  const scoreOf = new Map(cells.map(({ model, length, score }) => [JSON.stringify([model, length]), score]));
  const grid = models.flatMap((model) =>
    lengths.map((length) => ({ model, length, score: scoreOf.get(JSON.stringify([model, length])) ?? null }))
  );
  return heatmap(grid, {
    ...labels,
    caption: "A row is a model, a column a context length; grey cells were not tested.",
    x: "length",
    y: "model",
    value: "score",
    xTitle,
    yTitle: "Model",
    valueTitle: "Score (%)",
    yOrder: models,
    xLabel: (length) => nameLength(Number(length), lengths),
    domain: [0, 100],
    showValues,
  });
}

/** Names lengths in thousands where all are such, as papers do: their 128K are 128,000. */
function nameLength(length: number, lengths: readonly number[]): string {
  return lengths.every((each) => each % 100 === 0) ? `${length / 1000}K` : lengthLabel(length);
}
