import type { PublishedContourPoint } from "./published.ts";
import { type Figure, type FigureOptions, lineChart } from "@/lib/figures/mod.ts";
import type { ReplyOrigin } from "@/lib/models/mod.ts";
import type { ContextLimit } from "@/lib/statistics/mod.ts";

/** The smallest haystack, in thousand characters: a line that ends there leaves the figure at the bottom. */
const SMALLEST = 2;

/**
 * Reads a limit off the published contours: the size above which a model stays below the level, in thousand characters.
 * Returns `null` if the model is above the level at the largest size asked.
 *
 * @param place `at` is the depth in percent, or the number of needles.
 */
export function publishedLimit(
  contours: readonly PublishedContourPoint[],
  { at, ...place }: Pick<PublishedContourPoint, "task" | "model"> & { readonly at: number },
): number | null {
  const lines = Map.groupBy(pointsOf(contours, place), ({ line }) => line);
  const crossed = [...lines.values()].flatMap((line) => {
    const limit = heightAt(line, at);
    return limit === null ? [] : [{ limit, side: line[0]!.side }];
  });
  const highest = crossed.toSorted((left, right) => right.limit - left.limit)[0];
  return highest === undefined || highest.side === "over" ? null : highest.limit;
}

function pointsOf(
  contours: readonly PublishedContourPoint[],
  { task, model }: Pick<PublishedContourPoint, "task" | "model">,
): readonly PublishedContourPoint[] {
  return contours.filter((point) => point.task === task && point.model === model);
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

/** Returns whether a model was above the level wherever it was asked: its contour is one level line. */
export function isNeverBelow(
  contours: readonly PublishedContourPoint[],
  place: Pick<PublishedContourPoint, "task" | "model">,
): boolean {
  return new Set(pointsOf(contours, place).map(({ limit }) => limit)).size === 1;
}

/** An effective context limit on a line of a figure. */
export interface LimitPoint extends ContextLimit {
  /** The name of the line. */
  readonly series: string;
}

/**
 * Draws the contours of the paper's repository, one line per model, and those of further models among them.
 *
 * @param options `own` has limits in thousand characters, with depths in percent and the model as their series; they come from
 *   `origin`.
 */
export function contourFigure(
  contours: readonly PublishedContourPoint[],
  { task, title, own = [], origin = "measured" }: Pick<FigureOptions, "title"> & Pick<PublishedContourPoint, "task"> & {
    readonly own?: readonly LimitPoint[];
    readonly origin?: ReplyOrigin;
  },
): Figure {
  const published = contours.filter((point) => point.task === task).map(({ model, line, at, limit }) => ({
    ...{ at, limit, series: line === 1 ? model : `${model} (${line})` },
  }));
  const ownPoints = own.map(({ difficulty, limit, series }) => ({ at: difficulty, limit, series }));
  return lineChart([...published, ...ownPoints], {
    title,
    caption:
      "Below a line a model is above the level, beyond it below; a level line is a model that was never below it. A line that " +
      "starts or ends inside the figure does so at the greatest size the model was asked. Numbers in brackets: further lines " +
      "of a model. A thousand characters are about 600 tokens of LLaMA 3.1.",
    n: "published: 1 to 5 haystacks a cell, lines read from a picture",
    origin: {
      ...Object.fromEntries(published.map(({ series }) => [series, "published" as const])),
      ...Object.fromEntries(ownPoints.map(({ series }) => [series, origin])),
    },
    ...{ x: "at", y: "limit", series: "series", seriesTitle: "Model", xSpacing: "linear" } as const,
    xTitle: task === "single_needle" ? "Depth of the needle (%)" : "Needles asked for at a time",
    yTitle: "Limit (thousand characters)",
  });
}
