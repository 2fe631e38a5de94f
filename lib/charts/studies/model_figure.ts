import type { ModelLine, Origin } from "@/lib/analysis/mod.ts";
import type { Figure } from "../figure.ts";
import { lengthLabel } from "../length_label.ts";
import { lineChart } from "../line_chart.ts";
import type { LineOptions } from "../line_options.ts";
import { panels } from "../panels.ts";
import { cannotDraw } from "../_rows.ts";

/** Options for {@linkcode modelFigure}. */
export interface ModelFigureOptions {
  /** The finding. */
  readonly title: string;
  /** How to read it. */
  readonly caption: string;
  /** Where the scores come from. */
  readonly origin: Origin;
  /** Samples behind each point. */
  readonly n: number | string;
  /** Whether the 95% intervals are drawn. */
  readonly withIntervals?: boolean;
}

const TITLES: Readonly<Record<string, string>> = {
  "LWM chat": "Training length: LWM, chat",
  "LWM base": "Training length: LWM, base",
  "Yi": "Model size: Yi",
  "architecture": "Architecture",
};

interface ModelRow {
  readonly series: string;
  readonly length: number;
  readonly score: number;
  readonly low: number;
  readonly high: number;
  readonly isBeyond: boolean;
}

/**
 * Draws models by context length as Figure 4 of the RULER paper does: a panel a family, dashed beyond the length that a
 * model was trained on.
 *
 * @param lines Lines of `publishedModelLines` or `familyLines`.
 * @param options What to say of the figure.
 * @returns The figure: panels side by side, or one chart where there is one family.
 * @throws {RangeError} If no line has a point.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished, publishedModelLines } from "@/lib/analysis/mod.ts";
 *
 * const figure = modelFigure(publishedModelLines(await openPublished()), {
 *   title: "Longer training helps beyond it",
 *   caption: "Figure 4.",
 *   origin: "published",
 *   n: 6500,
 * });
 * match(await figure.svg(), /beyond the training length/);
 * ```
 */
export function modelFigure(lines: readonly ModelLine[], options: ModelFigureOptions): Figure {
  const { title, caption } = options;
  const drawn = lines.filter(({ points }) => points.length > 0);
  const families = [...Map.groupBy(drawn, ({ panel }) => panel)];
  if (families.length === 0) throw cannotDraw(title, "one model or more must have a mean of all 13 tasks", "none");
  const draw = (family: readonly ModelLine[], more: Partial<LineOptions<ModelRow>>): Figure =>
    lineChart(family.flatMap(rowsOf), { ...chartOptions(options), ...more });
  if (families.length === 1) return draw(families[0]![1], {});
  return panels(families.map(([name, family]) => draw(family, { title: TITLES[name] ?? name, height: 220 })), {
    title,
    caption,
    width: 900,
  });
}

function rowsOf({ series, points, trained }: ModelLine): readonly ModelRow[] {
  return points.map((point) => ({ series, ...point, isBeyond: trained !== null && point.length > trained }));
}

function chartOptions(options: ModelFigureOptions): LineOptions<ModelRow> {
  const { withIntervals = false, ...said } = options;
  return {
    x: "length",
    y: "score",
    series: "series",
    seriesTitle: "Model",
    xTitle: "Context length (tokens)",
    yTitle: "Mean of 13 tasks (%)",
    xLabel: lengthLabel,
    yDomain: [0, 100],
    palette: "distinct",
    dashed: { when: ({ isBeyond }) => isBeyond, means: "beyond the training length" },
    ...said,
    ...(withIntervals ? { low: "low", high: "high", interval: "95% interval" } as const : {}),
  };
}
