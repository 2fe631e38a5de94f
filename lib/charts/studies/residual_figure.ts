import { lengthText, type ProfileResidual } from "@/lib/analysis/mod.ts";
import type { Figure } from "../figure.ts";
import { scatterChart } from "../scatter_chart.ts";

/**
 * Draws how near the simulated reader's profiles are to the published scores they were fitted to.
 *
 * @param rows What is left between them, from `profileResiduals`.
 * @param options The finding.
 * @returns The figure: a point for each profile, category and length, on the diagonal where the fit is perfect.
 * @throws {RangeError} If there are no rows.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { profileResiduals } from "@/lib/analysis/mod.ts";
 *
 * const figure = residualFigure(profileResiduals(["gpt-4"]), { title: "GPT-4's profile is near its scores" });
 * match(figure.note, /Published: published scores; simulated: expected scores/);
 * ```
 */
export function residualFigure(
  rows: readonly ProfileResidual[],
  options: { readonly title: string },
): Figure {
  const points = rows.map((row) => ({ ...row, length: lengthText(row.length) }));
  return scatterChart(points, {
    ...options,
    x: "published",
    y: "expected",
    series: "category",
    seriesTitle: "Category",
    xTitle: "Published score (%)",
    yTitle: "Expected score of the profile (%)",
    xDomain: [0, 100],
    yDomain: [0, 100],
    diagonal: "published and expected are the same",
    tooltips: { Profile: "profile", Length: "length" },
    caption:
      "A point for each profile, category and length of RULER's Tables 13 to 16. Each category of a profile has three " +
      "numbers, fitted by least squares to its six lengths.",
    n: "500 samples a task behind each published score",
    origin: { "published scores": "published", "expected scores": "simulated" },
  });
}
