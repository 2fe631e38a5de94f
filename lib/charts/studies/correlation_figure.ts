import {
  clusterTree,
  correlationDistances,
  type CorrelationStudy,
  type Linkage,
  type Origin,
} from "@/lib/analysis/mod.ts";
import { clusteredHeatmap } from "../clustered_heatmap.ts";
import type { Figure } from "../figure.ts";

/** Options for {@linkcode correlationFigure}. */
export interface CorrelationFigureOptions {
  /** The finding. */
  readonly title: string;
  /** How to read it. */
  readonly caption: string;
  /** Where the correlations come from. */
  readonly origin: Origin;
  /** What is behind each correlation. */
  readonly n: number | string;
  /** The unit, as far as it is known, such as `r, rescaled`. */
  readonly unit: string;
  /**
   * How clusters are compared.
   *
   * @default {"average"}
   */
  readonly linkage?: Linkage;
  /**
   * Width of the whole picture, in pixels. Range: 200 to 2,000.
   *
   * @default {700}
   */
  readonly width?: number;
}

/**
 * Draws a correlation study as Figure 5 of the RULER paper does: tasks in the order of their clusters, those that the paper
 * removed in red, and the tree of the clusters above.
 *
 * @param study The study, from `publishedCorrelationStudy` or `correlationStudy`.
 * @param options What to say of it.
 * @returns The figure; its caption names the tasks that were left out.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished, publishedCorrelationStudy } from "@/lib/analysis/mod.ts";
 *
 * const figure = correlationFigure(publishedCorrelationStudy(await openPublished()), {
 *   title: "18 tasks",
 *   caption: "Figure 5.",
 *   origin: "published",
 *   n: "8 models",
 *   unit: "r, rescaled",
 * });
 * match(figure.note, /red labels: removed by the paper/);
 * ```
 */
export function correlationFigure(study: CorrelationStudy, options: CorrelationFigureOptions): Figure {
  const { unit, linkage = "average", caption, ...said } = options;
  const { tasks, matrix, kept, leftOut } = study;
  const gone = leftOut.map(({ task, reason }) => `${task} (${reason})`).join(", ");
  return clusteredHeatmap({ names: tasks, matrix, tree: clusterTree(correlationDistances(matrix), { linkage }) }, {
    ...said,
    caption: gone === "" ? caption : `${caption} Without a correlation, and left out: ${gone}.`,
    valueTitle: `Correlation (${unit})`,
    heightTitle: `1 - ${unit}`,
    highlighted: { values: tasks.filter((task) => !kept.includes(task)), means: "removed by the paper" },
  });
}
