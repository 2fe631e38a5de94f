import { KNOB_TURNS } from "./ablations.ts";
import { meanGap, panelOf, type ScoreLine } from "./score_lines.ts";
import { barChart, cannotDraw, type Figure, type FigureOptions } from "@/lib/figures/mod.ts";
import type { ScoreWithInterval } from "@/lib/statistics/mod.ts";

/** What turning a knob from one end to the other costs, in points, on average over the lengths. */
export interface KnobCost extends ScoreWithInterval {
  /** The knob and its ends, such as `values of a key: 1 to 8`. */
  readonly knob: string;
}

/**
 * Gives what each knob costs: the score with its easy setting less that with its hard one, on average over the lengths that both
 * were asked at. Knobs that were not asked at both ends are left out.
 *
 * @example Of Yi-34B the exponent takes most
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openPublished, publishedAblationLines } from "@/lib/papers/ruler/mod.ts";
 *
 * const costs = knobCosts(publishedAblationLines(await openPublished()));
 * const [most] = costs.toSorted((left, right) => right.score - left.score);
 * equal(`${most?.knob}: ${most?.score.toFixed(1)}`, "alpha: 3.5 to 1.2: 21.2");
 * ```
 */
export function knobCosts(lines: readonly ScoreLine[]): readonly KnobCost[] {
  return KNOB_TURNS.flatMap(({ panel, turn: [knob, from, to] }) => {
    const [easy, hard] = [from, to].map((series) => panelOf(lines, panel).find((line) => line.series === series));
    const cost = easy === undefined || hard === undefined ? null : meanGap(easy, hard);
    return cost === null ? [] : [{ knob, ...cost }];
  });
}

/** Options for {@linkcode knobCostFigure}. */
export type KnobCostFigureOptions = Pick<FigureOptions, "title" | "caption" | "origin" | "warning" | "n">;

/**
 * Draws what each knob costs each model, as bars with 95% intervals.
 *
 * @throws {RangeError} If no model was asked with a knob at both ends.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished, publishedAblationLines } from "@/lib/papers/ruler/mod.ts";
 *
 * const model = { model: "Yi-34B", lines: publishedAblationLines(await openPublished()) };
 * const figure = knobCostFigure([model], { title: "Yi-34B", caption: "Figures 2 and 3.", origin: "published", n: 500 });
 * match(await figure.svg(), /keys: 1 to nothing else/);
 * ```
 */
export function knobCostFigure(
  models: readonly { readonly model: string; readonly lines: readonly ScoreLine[] }[],
  options: KnobCostFigureOptions,
): Figure {
  const rows = models.flatMap(({ model, lines }) => knobCosts(lines).map((cost) => ({ model, ...cost })));
  if (rows.length === 0) {
    throw cannotDraw(options.title, "one model or more must have a score at both ends of a knob", "none");
  }
  const ends = [Math.min(0, ...rows.map(({ low }) => low)), Math.max(0, ...rows.map(({ high }) => high))] as const;
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
    valueDomain: [10 * Math.floor(ends[0] / 10), 10 * Math.ceil(ends[1] / 10)],
    horizontal: true,
    height: Math.max(240, 17 * rows.length),
    ...options,
  });
}
