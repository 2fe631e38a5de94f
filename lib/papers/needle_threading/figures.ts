import type { LimitPoint } from "./limits.ts";
import { curvesOf, type PublishedContextLimit, type ThreadingPublished } from "./published.ts";
import {
  barChart,
  coloursOf,
  depthMap,
  type DepthMapOptions,
  type Figure,
  type FigureOptions,
  heatmap,
  type KnobPoint,
  lineChart,
  type LineOptions,
} from "@/lib/figures/mod.ts";
import type { ReplyOrigin } from "@/lib/models/mod.ts";
import { depthCells, type RunReply, unitsText, wilsonInterval } from "@/lib/statistics/mod.ts";

/**
 * Draws the contexts of models and the lengths of books, as Figure 1 does, with the claimed windows of the runs' models among
 * them, each in its own tokens. Models without a claimed window are left out.
 */
export function contextChart(
  contexts: ThreadingPublished["contexts"],
  runs: readonly {
    readonly manifest: { readonly model: string; readonly origin: ReplyOrigin; readonly claimedWindow?: number };
  }[],
  { title }: Pick<FigureOptions, "title">,
): Figure {
  const own = runs.flatMap(({ manifest: { model, origin, claimedWindow } }) =>
    claimedWindow === undefined ? [] : [{ name: model, kind: "under test", millionTokens: claimedWindow / 1e6, origin }]
  );
  const all = [...contexts, ...own].toSorted((one, other) => one.millionTokens - other.millionTokens);
  return barChart(own.length === 0 ? contexts : all, {
    title,
    caption: own.length === 0
      ? "Books and what models take, in tokens of LLaMA 3.1, as the paper prints them."
      : "Books and what models take, in million tokens: of LLaMA 3.1 as printed, and of each model under test its own.",
    n: "one book or model a bar",
    origin: own.length === 0
      ? "published"
      : { "Figure 1": "published", ...Object.fromEntries(own.map(({ name, origin }) => [name, origin])) },
    category: "name" as const,
    value: "millionTokens" as const,
    categoryTitle: "" as const,
    valueTitle: "Million tokens" as const,
    series: "kind" as const,
    seriesTitle: "" as const,
    stacked: true,
    horizontal: true,
    palette: coloursOf(["llm", "book", "under test"]),
  });
}

/** Options for {@linkcode accuracyCurves}. */
export interface AccuracyCurvesOptions extends Pick<FigureOptions, "title"> {
  readonly task: "single_needle" | "multiple_needles" | "conditional_needles";
  /** Scores of further models: sizes in tokens, scores and interval ends in percent. */
  readonly own?: readonly {
    readonly model: string;
    readonly length: number;
    readonly score: number | null;
    readonly low: number | null;
    readonly high: number | null;
  }[];
  /** The colours of models by name; the others are grey. */
  readonly colours?: Readonly<Record<string, string>>;
}

/** Prompts per haystack: eleven depths, or eight numbers of needles (2 to 5, 10, 15, 20, 25) in two placements. */
const PROMPTS = { single_needle: 11, multiple_needles: 16, conditional_needles: 16 } as const;

/**
 * Draws accuracy by size with 95% Wilson intervals, one line per model, as the paper's Figures 4 (one needle) and 6 (several and
 * marked needles) do.
 */
export function accuracyCurves(published: ThreadingPublished, options: AccuracyCurvesOptions): Figure {
  const { task, own = [], title, colours } = options;
  const haystacks = new Map(
    published.repeats.filter((row) => row.task === task).map(({ model, length, repeats }) => [
      JSON.stringify([model, length]),
      repeats,
    ]),
  );
  const points = [...curvesOf(published, task).values()].flat().map(({ model, length, score }) => {
    const trials = PROMPTS[task] * haystacks.get(JSON.stringify([model, length]))!;
    // A score over several needles is not a whole count of answers, so each prompt counts as one answer.
    const { low, high } = wilsonInterval(Math.round(score / 100 * trials), trials);
    return { model, length, score, low: Math.min(100 * low, score), high: Math.max(100 * high, score) };
  });
  return lineChart([...points, ...own], {
    title,
    palette: colours ?? "distinct",
    caption: task === "single_needle"
      ? "A published point is the mean of eleven depths in 1 to 5 haystacks."
      : "A published point is the mean of all numbers and placements in 1 to 5 haystacks. The numbers of needles asked are not " +
        "printed; intervals take them to be eight in two placements, each prompt as one answer.",
    n: "11 or 16 prompts for each of 1 to 5 haystacks",
    origin: {
      ...Object.fromEntries(points.map(({ model }) => [model, "published" as const])),
      ...Object.fromEntries(own.map(({ model }) => [model, "measured" as const])),
    },
    x: "length" as const,
    y: "score" as const,
    series: "model" as const,
    low: "low" as const,
    high: "high" as const,
    xTitle: "Haystack (tokens of LLaMA 3.1)",
    yTitle: "Accuracy (%)",
    seriesTitle: "Model",
    interval: "95% Wilson interval",
    yDomain: [0, 100],
    xLabel: (length) => `${length / 1000}K`,
  });
}

/** Options for {@linkcode limitCurves}. */
export interface LimitCurvesOptions
  extends
    Pick<FigureOptions, "title" | "n" | "origin" | "warning">,
    Pick<LineOptions<object>, "yDomain">,
    Readonly<Record<`${"x" | "y" | "series"}Title`, string>> {
  /** The accuracy that counts as effective, in percent. */
  readonly level: number;
}

/** Draws effective context limits by difficulty: the contours of accuracy at one level. */
export function limitCurves(points: readonly LimitPoint[], options: LimitCurvesOptions): Figure {
  const { level, ...rest } = options;
  const beyond = points.some(({ isBeyond }) => isBeyond)
    ? " A limit at the greatest size tested may lie beyond it."
    : "";
  return lineChart(points, {
    ...rest,
    x: "difficulty" as const,
    y: "limit" as const,
    series: "series" as const,
    low: "low" as const,
    high: "high" as const,
    xSpacing: "steps" as const,
    interval: unitsText(points, "95% interval"),
    caption:
      `The size at which accuracy falls through ${level}%: below a line the model is more accurate, above it less.${beyond}`,
  });
}

/**
 * Draws effective context limits as shares of the supported context: a row for each model, a column for each task. Tooltips show
 * the characters.
 */
export function limitHeatmap(
  limits: readonly PublishedContextLimit[],
  options: Pick<FigureOptions, "title" | "n" | "origin" | "warning" | "width">,
): Figure {
  return heatmap(limits.map((limit) => ({ ...limit, task: limit.task.replaceAll("_", " ") })), {
    ...options,
    caption: "Share of the context that a model takes up to which it does the task, in percent; 100 is all of it.",
    x: "task" as const,
    y: "model" as const,
    value: "percent" as const,
    domain: [0, 100] as const,
    showValues: true,
    xTitle: "Task",
    yTitle: "Model",
    valueTitle: "Effective share of the context (%)",
    yOrder: [...new Set(limits.map(({ model }) => model))],
    tooltips: { "Effective (thousand characters)": "effective", "Supported (thousand characters)": "supported" },
  });
}

/**
 * Draws mean scores by two knobs as a heatmap, such as needles by number and length (the paper's Figures 7 and 8).
 *
 * @param rows From `knobRows`; rows that lack one of the two knobs are left out.
 * @param options `x` is the knob of the columns, or `length`, and `y` the knob of the rows.
 * @throws {RangeError} If no row has both knobs, or two rows are for one cell.
 */
export function knobMap(
  rows: readonly (KnobPoint & { readonly length: number })[],
  { x, y, ...options }:
    & Pick<FigureOptions, "title" | "n" | "origin" | "warning" | "width">
    & Readonly<Record<"x" | "y" | "xTitle" | "yTitle", string>>,
): Figure {
  const cells = rows.map(({ knobs, length, score }) => {
    const valueOf = (knob: string): number => knob === "length" ? length : Number(knobs[knob]);
    return { across: valueOf(x), down: valueOf(y), score };
  });
  return heatmap(cells.filter(({ across, down }) => !Number.isNaN(across) && !Number.isNaN(down)), {
    ...options,
    caption: "A cell is the mean score of its samples, in percent.",
    x: "across" as const,
    y: "down" as const,
    value: "score" as const,
    valueTitle: "Score (%)" as const,
    domain: [0, 100] as const,
    showValues: true,
    ...(x === "length" ? { xAre: "lengths" as const } : {}),
  });
}

/**
 * Draws how often each model finds a single needle by depth and length, one panel per model: the paper's Figure 5.
 *
 * @param runs The replies of each model; replies without a depth are left out.
 * @throws {RangeError} If no reply has a depth and a score.
 */
export function needleDepthMaps(
  runs: readonly { readonly model: string; readonly replies: readonly RunReply[] }[],
  options: DepthMapOptions,
): Figure {
  const cells = runs.flatMap(({ model, replies }) => depthCells(replies.map((reply) => ({ ...reply, task: model }))));
  return depthMap(cells, {
    caption: "A panel is a model, a column a context length, a row the depth of the needle; hover for n and interval.",
    valueTitle: "Found (%)",
    colours: "viridis",
    ...options,
  });
}
