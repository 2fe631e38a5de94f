import { KNOB_TURNS } from "./ablations.ts";
import { meanGap, panelOf, type ScoreLine } from "./score_lines.ts";
import { barChart, cannotDraw, type Figure, type FigureOptions } from "@/lib/figures/mod.ts";
import type { ScoreWithInterval } from "@/lib/statistics/mod.ts";

/** The loss from the easy to the hard setting of a knob, in points, on average over the lengths. */
export interface KnobCost extends ScoreWithInterval {
  /** The knob and its ends, such as `values of a key: 1 to 8`. */
  readonly knob: string;
}

/** Computes the cost of each knob that was asked with both settings, over the lengths that both share. */
export function knobCosts(lines: readonly ScoreLine[]): readonly KnobCost[] {
  return KNOB_TURNS.flatMap(({ panel, turn: [knob, from, to] }) => {
    const [easy, hard] = [from, to].map((series) => panelOf(lines, panel).find((line) => line.series === series));
    const cost = easy === undefined || hard === undefined ? null : meanGap(easy, hard);
    return cost === null ? [] : [{ knob, ...cost }];
  });
}

/**
 * Draws the cost of each knob to each model, as bars with 95% intervals.
 *
 * @throws {RangeError} If no model was asked with both settings of a knob.
 */
export function knobCostFigure(
  models: readonly { readonly model: string; readonly lines: readonly ScoreLine[] }[],
  options: Pick<FigureOptions, "title" | "caption" | "origin" | "warning" | "n">,
): Figure {
  const rows = models.flatMap(({ model, lines }) => knobCosts(lines).map((cost) => ({ model, ...cost })));
  if (rows.length === 0) {
    throw cannotDraw(options.title, "at least one model must have a score at both ends of a knob", "none");
  }
  const [low, high] = [Math.min(0, ...rows.map(({ low }) => low)), Math.max(0, ...rows.map(({ high }) => high))];
  return barChart(rows, {
    category: "knob",
    value: "score",
    series: "model",
    seriesTitle: "Model",
    low: "low",
    high: "high",
    interval: "95% interval",
    categoryTitle: "Knob",
    valueTitle: "Points lost, mean over lengths",
    valueDomain: [10 * Math.floor(low / 10), 10 * Math.ceil(high / 10)],
    horizontal: true,
    height: Math.max(240, 17 * rows.length),
    ...options,
  });
}
