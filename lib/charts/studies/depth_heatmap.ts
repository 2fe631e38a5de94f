import { depthAverage, type DepthCell, type Origin } from "@/lib/analysis/mod.ts";
import type { Figure } from "../figure.ts";
import { heatmap } from "../heatmap.ts";

/** Options for {@linkcode depthHeatmap}. */
export interface DepthHeatmapOptions {
  /** The model, as the title and the overall score name it. */
  readonly model: string;
  /** Where the scores come from. */
  readonly origin: Origin;
  /**
   * What the title says of the lengths; it changes nothing else.
   *
   * @default {"8K"}
   */
  readonly datasetLength?: string;
  /**
   * Width of the whole picture, in pixels. OpenCompass's is 15.5 × 8 inches: 1,116 × 576.
   *
   * @default {700}
   */
  readonly width?: number;
  /** Height of the cells together, in pixels; by their number if left out. */
  readonly height?: number;
}

/**
 * Draws a needle test as OpenCompass does: lengths across, depths down, from red (0) over amber to green (100), with the mean
 * over depths as a white line and the overall score under it.
 *
 * tools_needleinahaystack.py at e975a96f. A cell that was not asked, or whose calls all failed, is grey.
 *
 * @param cells The cells, from `depthCells` or `readOpencompassSummary`; at least one with a score.
 * @param options The model and what the title says.
 * @returns The figure.
 * @throws {RangeError} If no cell has a score.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const cell = { n: 10, failed: 0, noAnswer: 0 };
 * const cells = [{ ...cell, length: 1000, depth: 0, score: 100 }, { ...cell, length: 2000, depth: 100, score: 50 }];
 * const { caption } = depthHeatmap(cells, { model: "my-model", origin: "measured" });
 * match(caption, /^Overall Score for my-model: 75\.00/);
 * ```
 */
export function depthHeatmap(cells: readonly DepthCell[], options: DepthHeatmapOptions): Figure {
  const { model, origin, datasetLength = "8K", width, height } = options;
  const { overall } = depthAverage(cells);
  return heatmap(cells, {
    title: `${model} ${datasetLength} Context Performance: ` +
      'Fact Retrieval Across Context Lengths ("Needle In A Haystack")',
    caption:
      `Overall Score for ${model}: ${
        overall?.toFixed(2)
      }. The white line is the Average Depth Score, the mean over the ` +
      "depths of a length; the overall score is the mean of these means.",
    origin,
    n: countText(cells),
    x: "length",
    y: "depth",
    value: "score",
    xTitle: "Token Limit",
    yTitle: "Depth Percent",
    valueTitle: "Score",
    xLabel: String,
    yLabel: String,
    xLabelAngle: -45,
    colours: "needle",
    domain: [0, 100],
    columnMeans: true,
    tooltips: { "Samples": "n", "Failed calls": "failed", "Empty replies": "noAnswer" },
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  });
}

function countText(cells: readonly DepthCell[]): string {
  const counts = [...new Set(cells.map(({ n }) => n))];
  const known = counts.filter((n) => n !== null);
  if (known.length === 0) return "samples a cell are not told";
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const add = (count: "failed" | "noAnswer"): number => cells.reduce((sum, cell) => sum + cell[count], 0);
  const lost = [[add("failed"), "failed calls"], [add("noAnswer"), "empty replies"]] as const;
  const also = lost.flatMap(([count, what]) => count === 0 ? [] : [`${count} ${what}`]);
  return [`n = ${least === most ? least : `${least} to ${most}`} a cell`, ...also].join(", ");
}
