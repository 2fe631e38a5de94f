import type { DepthRow, Origin } from "@/lib/analysis/mod.ts";
import { countRange } from "../_count_range.ts";
import type { Figure } from "../figure.ts";
import { heatmap } from "../heatmap.ts";
import { lengthLabel } from "../length_label.ts";
import { panels } from "../panels.ts";

/** Options for {@linkcode depthPanels}. */
export interface DepthPanelsOptions {
  /** The finding. */
  readonly title: string;
  /** Where the scores come from. */
  readonly origin: Origin;
  /**
   * Width of the whole picture, in pixels. Range: 200 to 2,000.
   *
   * @default {700}
   */
  readonly width?: number;
}

/**
 * Draws scores by length and depth of the target as heatmaps, one for each task: lengths across, depths down, from red (0) over
 * amber to green (100). The cells hold their scores; hovering tells how many samples and the interval.
 *
 * @param rows Rows from `depthRows`; at least one with a score. A task without any is left out.
 * @param options The title and the origin.
 * @returns The figure.
 * @throws {RangeError} If no row has a score.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { depthRows } from "@/lib/analysis/mod.ts";
 *
 * const of = (depth: number) => ({ task: "niah", length: 4096, depth, value: depth, failed: false, noAnswer: false });
 * const figure = depthPanels(depthRows([0, 0.5, 1].map(of)), { title: "The end is read", origin: "measured" });
 * match(await figure.svg(), /40 to 60%/);
 * ```
 */
export function depthPanels(rows: readonly DepthRow[], options: DepthPanelsOptions): Figure {
  const { title, origin, width = 700 } = options;
  const tasks = [...Map.groupBy(rows, ({ task }) => task)].filter(([, ofTask]) =>
    ofTask.some(({ score }) => score !== null)
  );
  // All panels have the same columns and rows, so that they can be compared by eye.
  const axes = {
    lengths: rows.map(({ length }) => length).toSorted((left, right) => left - right),
    stretches: rows.toSorted((left, right) => left.from - right.from).map(({ stretch }) => stretch),
  };
  const maps = tasks.map(([task, ofTask]) => drawTask(ofTask, { task, origin, ...axes }));
  return panels(maps, {
    title,
    width,
    columns: maps.length === 1 ? 1 : 2,
    caption:
      "A column is a context length, a row the stretch of the context in which the target stands; a cell holds the mean " +
      "score in percent. Hovering tells its n and interval.",
  });
}

interface TaskPanel extends Pick<DepthPanelsOptions, "origin"> {
  readonly task: string;
  readonly lengths: readonly number[];
  readonly stretches: readonly string[];
}

function drawTask(rows: readonly DepthRow[], { task, origin, lengths, stretches }: TaskPanel): Figure {
  const cells = rows.map((row) => ({
    ...row,
    score: row.score === null ? null : Math.round(row.score),
    interval: row.low === null || row.high === null ? "none" : `${row.low.toFixed(0)} to ${row.high.toFixed(0)}`,
  }));
  return heatmap(cells, {
    title: task,
    caption: "Scores by context length and depth.",
    origin,
    n: `${countRange(rows.map(({ n }) => n))} a cell`,
    interval: "95% interval on hovering",
    x: "length",
    y: "stretch",
    value: "score",
    xTitle: "Context length (tokens)",
    yTitle: "Depth of the target",
    valueTitle: "Score (%)",
    xLabel: (length) => lengthLabel(Number(length)),
    xOrder: [...new Set(lengths)],
    yOrder: [...new Set(stretches)],
    colours: "needle",
    domain: [0, 100],
    showValues: true,
    tooltips: { Samples: "n", "95% interval": "interval", "Failed calls": "failed", "Empty replies": "noAnswer" },
  });
}
