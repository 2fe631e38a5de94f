import type { PublishedContourPoint } from "./published.ts";
import { type Figure, type FigureOptions, lineChart } from "@/lib/figures/mod.ts";
import type { TaskLimit } from "@/lib/reports/mod.ts";
import {
  type ContextLimit,
  type ContextLimitOptions,
  contextLimits,
  knobCells,
  type ScoredRecord,
} from "@/lib/statistics/mod.ts";

/** Options for {@linkcode taskLimit}. */
export interface TaskLimitOptions extends Omit<KnobLimitsOptions, "series" | "name"> {
  readonly name: string;
  /**
   * The knob's value, or the hardest value asked if that is lower. `worst` takes the value with the lowest limit, as Table 2
   * does for single needles by depth.
   */
  readonly at: number | "worst";
  /** The model's context window, in the unit of sizes. */
  readonly window?: number;
}

/**
 * Computes the effective context limit of a task at one value of a knob, as in the paper's Table 2.
 *
 * @throws {RangeError} If no reply has the knob and a score, or the value is below those asked.
 */
export function taskLimit(replies: readonly ScoredRecord[], options: TaskLimitOptions): TaskLimit {
  const { knob, at, name, window } = options;
  const cells = knobCells(replies, options);
  const hardest = Math.max(...cells.map(({ difficulty }) => difficulty));
  const value = at === "worst" ? at : Math.min(at, hardest);
  const found = contextLimits(cells, value === "worst" ? options : { ...options, difficulties: [value] });
  const limit = found.toSorted((left, right) => left.limit - right.limit)[0]!;
  const tested = Math.max(...cells.map(({ size }) => size));
  return {
    ...limit,
    task: name,
    tested,
    percent: 100 * limit.limit / tested,
    at: at === "worst" ? `worst ${knob} (${limit.difficulty})` : `${knob} = ${value}`,
    ...(window === undefined ? {} : { ofWindow: 100 * limit.limit / window }),
  };
}

/** An effective context limit on a line of a figure. */
export interface LimitPoint extends ContextLimit {
  /** The name of the line. */
  readonly series: string;
}

/** Options for {@linkcode knobLimits}. */
export type KnobLimitsOptions =
  & NonNullable<Parameters<typeof knobCells>[1]>
  & Required<Pick<NonNullable<Parameters<typeof knobCells>[1]>, "tasks" | "knob">>
  & Omit<ContextLimitOptions, "difficulties">
  & {
    /** A second knob, such as `direction`; each of its values has its own limits. */
    readonly series?: string;
    /**
     * The series' name without a second knob.
     *
     * @default {the knob's name}
     */
    readonly name?: string;
  };

/**
 * Computes effective context limits by a knob's value: the contours of accuracy at one level in the paper's figures. Replies
 * of tasks without the knob are left out.
 *
 * @throws {RangeError} If the level is outside its range.
 */
export function knobLimits(replies: readonly ScoredRecord[], options: KnobLimitsOptions): LimitPoint[] {
  const { tasks, knob, series, name = knob } = options;
  const valueOf = ({ task }: ScoredRecord): string =>
    series === undefined ? name : String(tasks[task]?.options[series] ?? name);
  return [...Map.groupBy(replies, valueOf)].flatMap(([value, same]) => {
    const cells = knobCells(same, options);
    return cells.length === 0 ? [] : contextLimits(cells, options).map((limit) => ({ ...limit, series: value }));
  });
}

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

/** Draws the contours of the paper's repository, one line per model. */
export function contourFigure(
  contours: readonly PublishedContourPoint[],
  { task, title, colours }: Pick<FigureOptions, "title"> & Pick<PublishedContourPoint, "task"> & {
    /** The colours of models by name; the others are grey. */
    readonly colours?: Readonly<Record<string, string>>;
  },
): Figure {
  const points = contours.filter((point) => point.task === task)
    .map(({ model, line, at, limit }) => ({ model, at, limit, series: line === 1 ? model : `${model} (${line})` }));
  return lineChart(points, {
    title,
    palette: colours === undefined ? "distinct" : Object.fromEntries(
      points.flatMap(({ model, series }) => colours[model] === undefined ? [] : [[series, colours[model]]]),
    ),
    caption:
      "Below a line a model is above the level, beyond it below; a level line is a model that was never below it. A line that " +
      "starts or ends inside the figure does so at the greatest size the model was asked. Numbers in brackets: further lines " +
      "of a model. A thousand characters are about 600 tokens of LLaMA 3.1.",
    n: "published: 1 to 5 haystacks a cell, lines read from a picture" as const,
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
