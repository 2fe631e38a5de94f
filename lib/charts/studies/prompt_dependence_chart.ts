import type { PromptDependence } from "@/lib/analysis/mod.ts";
import { barChart } from "../bar_chart.ts";
import type { Figure } from "../figure.ts";
import { type PromptDependenceOptions, promptFactorTable } from "./prompt_factor_table.ts";
import type { Table } from "../table.ts";

/**
 * Draws how much of what grades differ by goes with needle, wording, system message, template, length, position and their
 * interactions. Noise, which is the rest to 100%, is told and not drawn: it would dwarf the others.
 *
 * @param dependence From `promptDependence`.
 * @param options The title and the origin.
 * @returns The figure; where no grade differs from another there is nothing to draw, and it is the table that says so.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { promptDependence } from "@/lib/analysis/mod.ts";
 *
 * const tasks = { near: { options: { asking: "published" } }, far: { options: { asking: "distant" } } };
 * const replies = ["near", "far"].flatMap((task) =>
 *   [1000, 2000].map((length) => ({ task, length, value: task === "near" ? 1 : 0.2, record: {} }))
 * );
 * const dependence = promptDependence(replies, { tasks, seed: "1" });
 * match(promptDependenceChart(dependence, { title: "By wording", origin: "measured" }).caption, /^Noise is the rest: 0\.0%/);
 * ```
 */
export function promptDependenceChart(
  dependence: PromptDependence,
  options: PromptDependenceOptions,
): Figure | Table {
  const { factors, replies, repeats } = dependence;
  const noise = factors.find(({ source }) => source === "noise")!;
  if (noise.share === null) return promptFactorTable(dependence, options);
  const drawn = factors.flatMap(({ source, share, low, high }) =>
    source === "noise" || share === null ? [] : [{ source, share: Number(share.toFixed(1)), low, high }]
  );
  return barChart(drawn, {
    ...options,
    n: `${replies} replies, ${repeats} of each combination`,
    interval: "95%, noise drawn again",
    caption: `Noise is the rest: ${noise.share.toFixed(1)}%. What it adds to a share by chance is taken off each; ` +
      "below 0 a share is 0.",
    category: "source",
    value: "share",
    low: "low",
    high: "high",
    categoryTitle: "",
    valueTitle: "Share of what grades differ by (%)",
    horizontal: true,
    showValues: true,
  });
}
