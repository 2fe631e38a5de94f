import type { ErrorPlaces } from "@/lib/analysis/mod.ts";
import { barChart } from "../bar_chart.ts";
import type { Figure, FigureOptions } from "../figure.ts";

const THIRDS = ["first", "middle", "last"] as const;

/**
 * Draws where in the text stars are lost: a bar for each matrix, its parts the shares of its errors in the first, middle and
 * last third of the stars.
 *
 * @param places Of at least one matrix with an error; those without any are left out. Each is named by its `model`.
 * @param options Title, n and origin.
 * @returns The figure.
 * @throws {RangeError} If none has an error.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { errorPlaces } from "@/lib/analysis/mod.ts";
 *
 * const places = errorPlaces({ model: "Kimi", columns: [{ length: 4000, cells: [1, 1, 0] }] });
 * const figure = errorPlacesChart([places], { title: "The tail is lost", origin: "measured", n: 1 });
 * match(await figure.svg(), /last/);
 * ```
 */
export function errorPlacesChart(
  places: readonly ErrorPlaces[],
  options: Pick<FigureOptions, "title" | "n" | "origin">,
): Figure {
  const known = places.filter(({ errors }) => errors > 0);
  const rows = known.flatMap((row) => THIRDS.map((third) => ({ model: row.model, third, percent: 100 * row[third]! })));
  return barChart(rows, {
    ...options,
    caption: "The errors of each matrix by the third of its stars that they fall on, in the order of the text.",
    category: "model",
    value: "percent",
    series: "third",
    stacked: true,
    horizontal: true,
    order: known.map(({ model }) => model),
    valueDomain: [0, 100],
    categoryTitle: "Matrix",
    valueTitle: "Share of its errors (%)",
    seriesTitle: "Third of the text",
    palette: "viridis",
  });
}
