import type { TaskLimit } from "./limits.ts";
import type { PublishedContextLimit } from "./published.ts";
import { type Figure, type FigureOptions, heatmap, lineChart, type Table, table } from "@/lib/figures/mod.ts";
import type { ContextLimit } from "@/lib/statistics/mod.ts";

/** An effective context limit on a line of a figure. */
export interface LimitPoint extends ContextLimit {
  /** The line. */
  readonly series: string;
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
  const rows = limits.map((limit) => ({ ...limit, beyond: limit.isBeyond ? "above" : "below" }));
  return table(rows, {
    ...rest,
    caption:
      `Sizes in ${unit}: where accuracy falls through ${level}%, and that as a share of the longest asked; 0 where it never gets ` +
      "there. Above the level there, the limit is that or more.",
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
      { field: "beyond", label: "At the longest" },
      { field: "percent", label: "Share of the longest (%)", digits: 0 },
    ],
  });
}
