import { type AblationPanelName, CLOSED_BOOK_PANEL, lineRows, type ScoreLine } from "./ablations.ts";
import { cannotDraw, type Figure, lengthLabel, lineChart, panels, type Threshold } from "@/lib/figures/mod.ts";
import type { Origin } from "@/lib/statistics/mod.ts";

/** Options for {@linkcode ablationFigure}. */
export interface AblationFigureOptions {
  /** The finding. */
  readonly title: string;
  /** How to read it. */
  readonly caption: string;
  /** Which figure of the paper: 2 has the needles, 3 the other tasks. */
  readonly figure: 2 | 3;
  /** Where the scores come from. */
  readonly origin: Origin;
  /** Samples behind each point. */
  readonly n: number | string;
  /** Whether the 95% intervals are drawn. */
  readonly withIntervals?: boolean;
}

const FIGURES: Readonly<Record<2 | 3, readonly AblationPanelName[]>> = {
  2: ["needle type", "keys", "values", "queries"],
  3: ["hops", "chains", "alpha", "qa"],
};
const TITLES: Readonly<Record<AblationPanelName, readonly [string, string]>> = {
  "needle type": ["Types of needle", "Key and value"],
  "keys": ["Distractor keys", "Keys"],
  "values": ["Values of one key", "Values"],
  "queries": ["Keys asked for", "Queries"],
  "hops": ["Variable tracking: hops", "Chains and hops"],
  "chains": ["Variable tracking: chains", "Chains and hops"],
  "alpha": ["Frequent words by exponent", "Exponent"],
  "qa": ["Question answering", "Questions"],
};

/**
 * Draws Figure 2 or 3 of the RULER paper from lines: four panels, a line for each setting of a knob, and for questions what
 * is right without any context.
 *
 * @param lines Lines of `publishedAblationLines` or `ablationLines`; those of other figures are left out.
 * @param options Which figure, and what to say of it.
 * @returns The figure. A panel none of whose lines has a point is left out, and the caption says which.
 * @throws {RangeError} If no panel has a point.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished, publishedAblationLines } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const figure = ablationFigure(publishedAblationLines(await openPublished()), {
 *   title: "Yi-34B",
 *   caption: "Figure 3.",
 *   figure: 3,
 *   origin: "published",
 *   n: 500,
 * });
 * match(await figure.svg(), /without context: SQuAD 28.8/);
 * ```
 */
export function ablationFigure(lines: readonly ScoreLine[], options: AblationFigureOptions): Figure {
  const { title, caption, figure } = options;
  const wanted = FIGURES[figure];
  const drawn = wanted.filter((panel) => lineRows(lines, panel).length > 0);
  const missing = wanted.filter((panel) => !drawn.includes(panel));
  if (drawn.length === 0) {
    throw cannotDraw(title, `a panel of ${wanted.join(", ")} must have a score`, "none");
  }
  const without = missing.length === 0 ? "" : ` Not drawn, for want of a score: ${missing.join(", ")}.`;
  return panels(drawn.map((panel) => drawPanel(panel, lines, options)), {
    title,
    caption: caption + without,
    width: 900,
  });
}

function drawPanel(panel: AblationPanelName, lines: readonly ScoreLine[], options: AblationFigureOptions): Figure {
  const { caption, origin, n, withIntervals = false } = options;
  const [title, seriesTitle] = TITLES[panel];
  const rows = lineRows(lines, panel);
  const bands = withIntervals
    ? { low: "low", high: "high", interval: "95% interval", intervalAs: "bars" } as const
    : {};
  return lineChart(rows, {
    x: "length",
    y: "score",
    series: "series",
    seriesTitle,
    xTitle: "Context length (tokens)",
    yTitle: "Score (%)",
    xSpacing: "steps",
    xLabel: lengthLabel,
    yDomain: [0, 100],
    palette: panel === "qa" ? "distinct" : "viridis",
    thresholds: panel === "qa" ? baselines(lines) : [],
    height: 210,
    title,
    caption,
    origin,
    n,
    ...bands,
  });
}

/** What is right without any context; lines that may be near each other have one label, at the lowest. */
function baselines(lines: readonly ScoreLine[]): readonly Threshold[] {
  const asked = new Set(lineRows(lines, "qa").map(({ series }) => series));
  const found = lineRows(lines, CLOSED_BOOK_PANEL)
    .map(({ series, score }) => ({ series: series.replace(" w/o context", ""), y: score }))
    .filter(({ series }) => asked.has(series))
    .toSorted((left, right) => left.y - right.y);
  const label = `without context: ${found.map(({ series, y }) => `${series} ${y.toFixed(1)}`).join(", ")}`;
  return found.map((one, at) => ({ ...one, label: at === 0 ? label : "" }));
}
