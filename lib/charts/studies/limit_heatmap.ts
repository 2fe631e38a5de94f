import type { PublishedContextLimit } from "@/lib/analysis/mod.ts";
import type { Figure, FigureOptions } from "../figure.ts";
import { heatmap } from "../heatmap.ts";

/**
 * Draws effective context limits as shares of what models take: a row for each model, a column for each task.
 *
 * @param limits At least one limit.
 * @param options Title, n and origin.
 * @returns The figure; hovering tells the characters.
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
  options: Pick<FigureOptions, "title" | "n" | "origin" | "width">,
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
