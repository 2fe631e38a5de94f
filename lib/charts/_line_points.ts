import { refuseInterval, refuseUnshowable } from "./_refuse.ts";
import { cannotDraw, needNumber, readNumber, seriesOf } from "./_rows.ts";
import type { Point } from "./_runs.ts";
import type { LineOptions } from "./line_options.ts";

/** A point with the row it was read from. */
export interface ReadPoint<Row> extends Point {
  readonly row: Row;
}

/** Reads the points of a line chart, in the order of x, and refuses what its axes could not show. */
export function readPoints<Row extends object>(rows: readonly Row[], options: LineOptions<Row>): ReadPoint<Row>[] {
  const { title, series, low, high, dashed } = options;
  const points = rows.map((row): ReadPoint<Row> => ({
    row,
    series: seriesOf(row, series),
    x: needNumber(row, options.x, { title }),
    y: readNumber(row, options.y, { title }),
    low: low === undefined ? null : readNumber(row, low, { title }),
    high: high === undefined ? null : readNumber(row, high, { title }),
    dashed: dashed?.when(row) ?? false,
  }));
  if (points.every(({ y }) => y === null)) {
    throw cannotDraw(title, `${options.y} must be a number in one row or more`, null);
  }
  for (const { x, y, low, high } of points) {
    refuseUnshowable(x, { title, field: options.x, domain: options.xDomain, spacing: options.xSpacing ?? "lengths" });
    refuseUnshowable(y, { title, field: options.y, domain: options.yDomain, spacing: options.ySpacing });
    refuseInterval({ low, high }, { title, spacing: options.ySpacing });
  }
  return mergeTwins(points, options).map((point) => withinDomain(point, options)).sort((left, right) =>
    left.x - right.x
  );
}

/** Two rows for one point must agree; where a solid and a dashed stretch meet, tables often hold the point twice. */
function mergeTwins<Row extends object>(
  points: readonly ReadPoint<Row>[],
  options: LineOptions<Row>,
): ReadPoint<Row>[] {
  const { title, x } = options;
  const merged = new Map<string, ReadPoint<Row>>();
  for (const point of points) {
    const place = JSON.stringify([point.series, point.x]);
    const twin = merged.get(place);
    if (twin !== undefined && (twin.y !== point.y || twin.low !== point.low || twin.high !== point.high)) {
      const found = `two rows of ${point.series} at ${point.x}`;
      throw cannotDraw(title, `each series must have one value for each ${x}`, found);
    }
    merged.set(place, twin === undefined ? point : { ...twin, dashed: twin.dashed && point.dashed });
  }
  return [...merged.values()];
}

/** An interval may reach beyond the axis; it is drawn up to its end. */
function withinDomain<Row extends object>(point: ReadPoint<Row>, { yDomain }: LineOptions<Row>): ReadPoint<Row> {
  if (yDomain === undefined || point.low === null || point.high === null) return point;
  const inside = (value: number): number => Math.min(Math.max(value, yDomain[0]), yDomain[1]);
  return { ...point, low: inside(point.low), high: inside(point.high) };
}
