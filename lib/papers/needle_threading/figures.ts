import type { TaskLimit } from "./limits.ts";
import type { PublishedContext, PublishedContextLimit } from "./published.ts";
import {
  barChart,
  depthMap,
  type DepthMapOptions,
  type Figure,
  type FigureOptions,
  heatmap,
  type KnobPoint,
  lineChart,
  type Table,
  table,
} from "@/lib/figures/mod.ts";
import type { ReplyOrigin } from "@/lib/models/mod.ts";
import { type ContextLimit, depthCells, type RunReply } from "@/lib/statistics/mod.ts";

/** An effective context limit on a line of a figure. */
export interface LimitPoint extends ContextLimit {
  /** The line. */
  readonly series: string;
}

/** A run whose model may claim a window, for {@linkcode contextChart}. */
export interface WindowedRun {
  readonly manifest: {
    readonly model: string;
    readonly origin: ReplyOrigin;
    readonly claimedWindow?: number;
  };
}

/**
 * Draws how much models take beside how long books are, as Figure 1 does, and the windows that the models of runs claim among
 * them, each in its own tokens. A model without a claimed window is left out.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const contexts = [{ name: "Moby Dick", kind: "book", millionTokens: 0.307 }] as const;
 * const mine = { manifest: { model: "mine", origin: "measured", claimedWindow: 32_768 } } as const;
 * match(await contextChart(contexts, [mine], { title: "Too short for a whale" }).svg(), /under test/);
 * ```
 */
export function contextChart(
  contexts: readonly PublishedContext[],
  runs: readonly WindowedRun[],
  { title }: Pick<FigureOptions, "title">,
): Figure {
  const own = runs.flatMap(({ manifest: { model, origin, claimedWindow } }) =>
    claimedWindow === undefined ? [] : [{ name: model, kind: "under test", millionTokens: claimedWindow / 1e6, origin }]
  );
  const isLonger = (one: { readonly millionTokens: number }, other: typeof one): number =>
    one.millionTokens - other.millionTokens;
  return barChart(own.length === 0 ? contexts : [...contexts, ...own].toSorted(isLonger), {
    title,
    caption: own.length === 0
      ? "Books and what models take, in tokens of LLaMA 3.1, as the paper prints them."
      : "Books and what models take, in million tokens: of LLaMA 3.1 as printed, and of each model under test its own.",
    n: "one book or model a bar",
    origin: own.length === 0
      ? "published"
      : { "Figure 1": "published", ...Object.fromEntries(own.map(({ name, origin }) => [name, origin])) },
    ...{ category: "name", value: "millionTokens", categoryTitle: "", valueTitle: "Million tokens" } as const,
    ...{ series: "kind", seriesTitle: "", stacked: true, horizontal: true } as const,
  });
}

/** Options for {@linkcode limitCurves}. */
export interface LimitCurvesOptions extends Pick<FigureOptions, "title" | "n" | "origin" | "warning"> {
  /** What makes the task harder, with its unit. */
  readonly xTitle: string;
  /** The limit, with the unit of its sizes. */
  readonly yTitle: string;
  /** The legend's title. */
  readonly seriesTitle: string;
  /** The accuracy that counts as effective, in percent. */
  readonly level: number;
}

/**
 * Draws effective context limits by difficulty: the contours of accuracy at one level.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const limit = { series: "random", limit: 8000, low: 6000, high: 9000, isBeyond: false };
 * const points = [{ ...limit, difficulty: 2 }, { ...limit, difficulty: 25, limit: 7000 }];
 * const axes = { xTitle: "Needles", yTitle: "Limit (tokens)", seriesTitle: "Placement", level: 75 };
 * match(await limitCurves(points, { ...axes, title: "Few or many", n: 10, origin: "measured" }).svg(), /Few or many/);
 * ```
 */
export function limitCurves(points: readonly LimitPoint[], options: LimitCurvesOptions): Figure {
  const { level, ...rest } = options;
  const beyond = points.some(({ isBeyond }) => isBeyond)
    ? " A limit at the greatest size tested may lie beyond it."
    : "";
  return lineChart(points, {
    ...rest,
    x: "difficulty",
    y: "limit",
    series: "series",
    low: "low",
    high: "high",
    interval: "95% interval (Bayesian bootstrap over samples)",
    xSpacing: "steps",
    caption:
      `The size at which accuracy falls through ${level}%: below a line the model is more accurate, above it less.${beyond}`,
  });
}

/**
 * Draws effective context limits as shares of the supported context: a row for each model, a column for each task. Hovering
 * shows the characters.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const limit = { model: "GPT-4o", task: "threading", supported: 214, effective: 7, percent: 3 } as const;
 * match(await limitHeatmap([limit], { title: "Threads break early", n: 5, origin: "published" }).svg(), /GPT-4o/);
 * ```
 */
export function limitHeatmap(
  limits: readonly PublishedContextLimit[],
  options: Pick<FigureOptions, "title" | "n" | "origin" | "warning" | "width">,
): Figure {
  const rows = limits.map((limit) => ({ ...limit, task: limit.task.replaceAll("_", " ") }));
  return heatmap(rows, {
    ...options,
    caption: "Share of the context that a model takes up to which it does the task, in percent; 100 is all of it.",
    x: "task",
    y: "model",
    value: "percent",
    xTitle: "Task",
    yTitle: "Model",
    valueTitle: "Effective share of the context (%)",
    yOrder: [...new Set(limits.map(({ model }) => model))],
    domain: [0, 100],
    showValues: true,
    tooltips: { "Effective (thousand characters)": "effective", "Supported (thousand characters)": "supported" },
  });
}

/**
 * Shows effective context limits by task, as the paper's Table 2 does; `level` is in percent, `unit` that of the sizes.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const sizes = { difficulty: 5, limit: 20, low: 10, high: 30, isBeyond: false, tested: 80, percent: 25 };
 * const options = { title: "Limits", n: 11, origin: "measured", level: 75, unit: "thousand characters" } as const;
 * match(taskLimitTable([{ ...sizes, task: "one thread", at: "steps = 5" }], options).text, /one thread +steps = 5/);
 * ```
 */
export function taskLimitTable(
  limits: readonly TaskLimit[],
  options: Pick<FigureOptions, "title" | "n" | "origin" | "warning"> & {
    readonly level: number;
    readonly unit: string;
  },
): Table {
  const { level, unit, ...rest } = options;
  const has = (field: "thousandCharacters" | "ofWindow"): boolean => limits.some((limit) => limit[field] !== undefined);
  const rows = limits.map(({ thousandCharacters = null, ofWindow = null, ...limit }) => (
    { ...limit, thousandCharacters, ofWindow, beyond: limit.isBeyond ? "above" : "below" }
  ));
  return table(rows, {
    ...rest,
    caption:
      `Sizes in ${unit}: where accuracy falls through ${level}%, and that as a share of the longest asked; 0 where it never gets ` +
      "there. Above the level there, the limit is that or more." +
      (has("ofWindow") ? " The window is the one that the model's entry names, in its own tokens." : ""),
    interval: "95% interval (Bayesian bootstrap over samples)",
    columns: [
      { field: "task", label: "Task" },
      ...(limits.some(({ at }) => at !== "") ? [{ field: "at", label: "Difficulty" }] as const : []),
      {
        field: "limit",
        label: "Limit",
        digits: limits.some(({ tested }) => tested > 1000) ? 0 : 1,
        low: "low",
        high: "high",
      },
      ...(has("thousandCharacters")
        ? [{ field: "thousandCharacters", label: "Thousand characters", digits: 1 }] as const
        : []),
      { field: "beyond", label: "At the longest" },
      { field: "percent", label: "Share of the longest (%)", digits: 0 },
      ...(has("ofWindow") ? [{ field: "ofWindow", label: "Share of the window (%)", digits: 1 }] as const : []),
    ],
  });
}

/** Options for {@linkcode knobMap}. */
export interface KnobMapOptions extends Pick<FigureOptions, "title" | "n" | "origin" | "warning" | "width"> {
  /** The knob of the columns, or `length`. */
  readonly x: string;
  /** The knob of the rows. */
  readonly y: string;
  /** What the columns are, with their unit. */
  readonly xTitle: string;
  /** What the rows are, with their unit. */
  readonly yTitle: string;
}

/**
 * Draws scores by two knobs at once as a heatmap: threads by their number and steps, branches by their factor, needles by their
 * number and the length (the paper's Figures 7 and 8).
 *
 * @param rows From `knobRows`; those that lack one of the two are left out.
 * @throws {RangeError} If no row has both, or two rows are for one cell.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const row = (threads: number, steps: number, score: number) =>
 *   ({ knobs: { threads, steps }, length: 8192, score, low: null, high: null });
 * const figure = knobMap([row(2, 3, 90), row(2, 5, 60), row(5, 3, 80), row(5, 5, 40)], {
 *   ...{ x: "threads", y: "steps", xTitle: "Threads", yTitle: "Steps", title: "Steps cost more than threads" },
 *   ...{ n: 5, origin: "measured" } as const,
 * });
 * match(await figure.svg(), /Steps cost more/);
 * ```
 */
export function knobMap(
  rows: readonly (KnobPoint & { readonly length: number })[],
  { x, y, ...options }: KnobMapOptions,
): Figure {
  const valueOf = (knob: string, { knobs, length }: KnobPoint & { readonly length: number }): number =>
    knob === "length" ? length : Number(knobs[knob]);
  const cells = rows.map((row) => ({ across: valueOf(x, row), down: valueOf(y, row), score: row.score }));
  return heatmap(cells.filter(({ across, down }) => !Number.isNaN(across) && !Number.isNaN(down)), {
    ...options,
    caption: "A cell is the mean score of its samples, in percent.",
    ...{ x: "across", y: "down", value: "score", valueTitle: "Score (%)", domain: [0, 100], showValues: true } as const,
    ...(x === "length" ? { xAre: "lengths" as const } : {}),
  });
}

/** The replies of one model, for a panel. */
export interface ModelReplies {
  readonly model: string;
  readonly replies: readonly RunReply[];
}

/**
 * Draws how often each model finds a single needle, by depth and length: the paper's Figure 5 for models of one's own, one panel
 * each.
 *
 * @param runs The replies of each model; those without a depth are left out, such as all but those of a single needle.
 * @throws {RangeError} If no reply has a depth and a score.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const asked = (model: string, value: number) => ({
 *   model,
 *   replies: [0, 0.5, 1].map((depth) =>
 *     ({ task: "one", length: 4096, value, failed: false, noAnswer: false, record: { depth, index: 0, seed: "1" } })),
 * });
 * const figure = needleDepthMaps([asked("a", 1), asked("b", 0)], { title: "One finds it", origin: "measured" });
 * match(await figure.svg(), /One finds it/);
 * ```
 */
export function needleDepthMaps(runs: readonly ModelReplies[], options: DepthMapOptions): Figure {
  const cells = runs.flatMap(({ model, replies }) => depthCells(replies.map((reply) => ({ ...reply, task: model }))));
  return depthMap(cells, {
    caption: "A panel is a model, a column a context length, a row the depth of the needle; hover for n and interval.",
    valueTitle: "Found (%)",
    colours: "viridis",
    ...options,
  });
}
