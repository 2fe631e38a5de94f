import type { PromptDependence } from "./prompt_dependence.ts";
import { barChart, type Figure, type FigureOptions, type Table, table } from "@/lib/figures/mod.ts";
import type { Origin } from "@/lib/statistics/mod.ts";

/**
 * Draws the share of variance in grades that goes with needle, wording, system message, template, length, position and their
 * interactions. Noise, the rest to 100%, stands in the caption only: its bar would dwarf the others. Where all grades are the same
 * there is nothing to draw, and the table that says so takes the figure's place.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { promptDependence } from "@/lib/papers/prompt_dependence/mod.ts";
 *
 * const tasks = { near: { options: { wording: "published" } }, far: { options: { wording: "distant" } } };
 * const replies = ["near", "far"].flatMap((task) =>
 *   [1000, 2000].map((length) => ({ task, length, value: task === "near" ? 1 : 0.2, record: {} }))
 * );
 * const dependence = promptDependence(replies, { tasks, seed: "1" });
 * match(promptDependenceChart(dependence, { title: "By wording", origin: "measured" }).caption, /^Noise is the rest: 0\.0%/);
 * ```
 */
export function promptDependenceChart(
  dependence: PromptDependence,
  options: PromptFigureOptions,
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

/** Options for {@linkcode promptDependenceChart} and {@linkcode promptFactorTable}. */
export interface PromptFigureOptions extends Pick<FigureOptions, "title" | "warning"> {
  /** Where the replies come from. */
  readonly origin: Origin;
}

/**
 * Shows the sources of variance in recall as a table: share, interval, and the recall at each level. The caption has the answer in
 * one sentence.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { promptDependence } from "@/lib/papers/prompt_dependence/mod.ts";
 *
 * const tasks = { near: { options: { wording: "published" } }, far: { options: { wording: "distant" } } };
 * const replies = ["near", "far"].flatMap((task) =>
 *   [1000, 2000].map((length) => ({ task, length, value: task === "near" ? 1 : 0.2, record: {} }))
 * );
 * const dependence = promptDependence(replies, { tasks, seed: "1" });
 * match(promptFactorTable(dependence, { title: "By wording", origin: "measured" }).text, /wording +100\.0 .*published 100\.0; distant 20\.0/);
 * ```
 */
export function promptFactorTable(dependence: PromptDependence, options: PromptFigureOptions): Table {
  const { factors, groups, replies, repeats, missing, answer } = dependence;
  const grouped = groups.filter(({ share }) => share !== null).map((group) => ({ ...group, levels: [] }));
  const rows = [...factors, ...grouped].map((row) => ({
    ...row,
    recalls: row.levels.map(({ level, recall }) => `${level} ${recall?.toFixed(1) ?? "–"}`).join("; "),
  }));
  return table(rows, {
    ...options,
    n: `${replies} replies, ${repeats} of each combination${missing === 0 ? "" : `, ${missing} missing`} · ` +
      "95% interval in brackets",
    caption:
      `${answer} Noise is what replies to one combination differ by, in other text; interactions are what things do ` +
      `only together${repeats > 1 ? "" : ", not separable from noise if each combination is asked once"}.`,
    columns: [
      { field: "source", label: "Source" },
      { field: "share", label: "Share (%)", digits: 1, low: "low", high: "high" },
      { field: "recalls", label: "Recall of each level (%)" },
    ],
  });
}
