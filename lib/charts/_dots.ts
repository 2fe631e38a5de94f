import { refuseUnshowable } from "./_refuse.ts";
import { cannotDraw, readNumber, seriesOf, shown } from "./_rows.ts";
import type { ScatterOptions } from "./scatter_options.ts";

/** One point of a scatter chart. */
export interface Dot<Row> {
  readonly x: number;
  readonly y: number;
  readonly series: string;
  readonly label: string;
  readonly row: Row;
}

/** Reads the points of a scatter chart and counts the rows that have none. */
export function readDots<Row extends object>(
  rows: readonly Row[],
  options: ScatterOptions<Row>,
): { readonly dots: readonly Dot<Row>[]; readonly skipped: number } {
  const { title, series, label } = options;
  const dots = rows.flatMap((row): Dot<Row>[] => {
    const [x, y] = [readNumber(row, options.x, { title }), readNumber(row, options.y, { title })];
    if (x === null || y === null) return [];
    return [{
      x,
      y,
      series: seriesOf(row, series),
      label: label === undefined ? "" : shown(row[label]),
      row,
    }];
  });
  if (dots.length === 0) {
    throw cannotDraw(title, `${options.x} and ${options.y} must be numbers in one row or more`, null);
  }
  for (const { x, y } of dots) {
    refuseUnshowable(x, { title, field: options.x, domain: options.xDomain, spacing: options.xSpacing });
    refuseUnshowable(y, { title, field: options.y, domain: options.yDomain, spacing: options.ySpacing });
  }
  return { dots, skipped: rows.length - dots.length };
}
