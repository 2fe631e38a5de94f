import type { PublishedContourPoint } from "./published.ts";
import { type Figure, type FigureOptions, lineChart } from "@/lib/figures/mod.ts";

/** The smallest haystack, in thousand characters: a line that ends there leaves the figure at the bottom. */
const SMALLEST = 2;

/**
 * Reads a limit off the published contours: the size above which a model stays below the level, in thousand characters.
 * Returns `null` if the model is above the level at the largest size asked.
 *
 * @param options `at` is the depth in percent, or the number of needles.
 */
export function publishedLimit(
  contours: readonly PublishedContourPoint[],
  { task, model, at }: Pick<PublishedContourPoint, "task" | "model"> & { readonly at: number },
): number | null {
  const points = contours.filter((point) => point.task === task && point.model === model);
  const lines = Map.groupBy(points, ({ line }) => line);
  const crossed = [...lines.values()].flatMap((line) => {
    const limit = heightAt(line, at);
    return limit === null ? [] : [{ limit, side: line[0]!.side }];
  });
  const highest = crossed.toSorted((left, right) => right.limit - left.limit)[0];
  return highest === undefined || highest.side === "over" ? null : highest.limit;
}

/** Returns the height of a line at a place: 0 after it has left the figure at the bottom, `null` outside the line. */
function heightAt(line: readonly PublishedContourPoint[], at: number): number | null {
  const after = line.findIndex((point) => point.at >= at);
  if (after < 0) return line.at(-1)!.limit <= SMALLEST ? 0 : null;
  const [left, right] = [line[after - 1], line[after]!];
  if (right.at === at) return right.limit;
  if (left === undefined) return null;
  return left.limit + (at - left.at) / (right.at - left.at) * (right.limit - left.limit);
}

/** Draws the contours of the paper's repository, one line per model. */
export function contourFigure(
  contours: readonly PublishedContourPoint[],
  { task, title, colours }: Pick<FigureOptions, "title"> & Pick<PublishedContourPoint, "task"> & {
    /** The colours of models by name; the others are grey. */
    readonly colours: Readonly<Record<string, string>>;
  },
): Figure {
  const points = contours.filter((point) => point.task === task)
    .map(({ model, line, at, limit }) => ({ model, at, limit, series: line === 1 ? model : `${model} (${line})` }));
  return lineChart(points, {
    title,
    palette: Object.fromEntries(
      points.flatMap(({ model, series }) => colours[model] === undefined ? [] : [[series, colours[model]]]),
    ),
    caption: "Below a line a model is above the level, beyond it below.",
    n: "1 to 5 haystacks a cell, lines read from a picture" as const,
    origin: "published" as const,
    x: "at" as const,
    y: "limit" as const,
    series: "series" as const,
    seriesTitle: "Model" as const,
    xSpacing: "linear" as const,
    xTitle: task === "single_needle" ? "Depth of the needle (%)" : "Needles asked for at a time",
    yTitle: "Limit (thousand characters)",
  });
}
