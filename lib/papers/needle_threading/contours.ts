import type { LimitPoint } from "./figures.ts";
import type { PublishedContourPoint, ThreadingPublished } from "./published.ts";
import { type Figure, type FigureOptions, lineChart } from "@/lib/figures/mod.ts";
import type { ReplyOrigin } from "@/lib/models/mod.ts";

/** Up to which size a model is above the level at one place of a published contour. */
export interface PublishedLimit {
  /** In thousand characters; `null` where it is above the level at the greatest size that it was asked. */
  readonly limit: number | null;
}

/** What {@linkcode publishedLimit} looks up. */
export interface PublishedLimitOptions extends Pick<PublishedContourPoint, "task" | "model"> {
  /** The depth in percent, or the number of needles. */
  readonly at: number;
}

/** The smallest haystack, in thousand characters: a line that comes down to it leaves the figure below. */
const SMALLEST = 2;

/**
 * Reads a limit off the contours of the paper's repository: the size above which a model stays below the level.
 *
 * @example Gemini 1.5 Flash: 282 thousand characters with the needle in the middle, no limit with it at the beginning
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openThreadingPublished } from "@/lib/papers/needle_threading/mod.ts";
 *
 * const { contours } = await openThreadingPublished();
 * const flash = { task: "single_needle", model: "Gemini 1.5 Flash" } as const;
 * equal(publishedLimit(contours, { ...flash, at: 50 }).limit, 282);
 * equal(publishedLimit(contours, { ...flash, at: 0 }).limit, null);
 * ```
 */
export function publishedLimit(
  contours: ThreadingPublished["contours"],
  { task, model, at }: PublishedLimitOptions,
): PublishedLimit {
  const ofModel = contours.filter((point) => point.task === task && point.model === model);
  const lines = [...Map.groupBy(ofModel, ({ line }) => line).values()];
  const crossed = lines.flatMap((line) => {
    const limit = heightAt(line, at);
    return limit === null ? [] : [{ limit, side: line[0]!.side }];
  });
  const highest = crossed.toSorted((left, right) => right.limit - left.limit)[0];
  return { limit: highest === undefined || highest.side === "over" ? null : highest.limit };
}

/** The height of a line at a place: 0 where it has left the figure below, `null` where it does not go. */
function heightAt(line: readonly PublishedContourPoint[], at: number): number | null {
  const after = line.findIndex((point) => point.at >= at);
  if (after < 0) return line.at(-1)!.limit <= SMALLEST ? 0 : null;
  const [left, right] = [line[after - 1], line[after]!];
  if (right.at === at) return right.limit;
  if (left === undefined) return null;
  return left.limit + (at - left.at) / (right.at - left.at) * (right.limit - left.limit);
}

/** Whether a model's contour is one level line: it was above the level wherever it was asked. */
export function isNeverBelow(
  contours: ThreadingPublished["contours"],
  { task, model }: Pick<PublishedContourPoint, "task" | "model">,
): boolean {
  const ofModel = contours.filter((point) => point.task === task && point.model === model);
  return new Set(ofModel.map(({ limit }) => limit)).size === 1;
}

/** Options for {@linkcode contourFigure}. */
export interface ContourFigureOptions extends Pick<FigureOptions, "title"> {
  readonly task: PublishedContourPoint["task"];
  /** Limits of one's own models, in thousand characters, with the model as their series and depths in percent. */
  readonly own?: readonly LimitPoint[];
  /**
   * Where one's own limits come from.
   *
   * @default {"measured"}
   */
  readonly origin?: ReplyOrigin;
}

/**
 * Draws the contours of the paper's repository, a line a model, and those of one's own models among them: below a line the model
 * is above the level, beyond it below.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openThreadingPublished } from "@/lib/papers/needle_threading/mod.ts";
 *
 * const { contours } = await openThreadingPublished();
 * const figure = contourFigure(contours, { task: "single_needle", title: "The middle is lost first" });
 * match(await figure.svg(), /LLaMA 3.1 70b/);
 * ```
 */
export function contourFigure(contours: ThreadingPublished["contours"], options: ContourFigureOptions): Figure {
  const { task, title, own = [], origin = "measured" } = options;
  const published = contours.filter((point) => point.task === task).map(({ model, line, at, limit }) => ({
    at,
    limit,
    series: line === 1 ? model : `${model} (${line})`,
  }));
  const ownPoints = own.map(({ difficulty, limit, series }) => ({ at: difficulty, limit, series }));
  const depths = task === "single_needle";
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
    ...{ x: "at", y: "limit", series: "series", seriesTitle: "Model" } as const,
    xTitle: depths ? "Depth of the needle (%)" : "Needles asked for at a time",
    yTitle: "Limit (thousand characters)",
    xSpacing: "linear",
  });
}
