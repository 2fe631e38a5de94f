import { type Category, categoryOf, orderOf } from "./_categories.ts";
import { cannotDraw, readNumber } from "./_rows.ts";
import type { HeatmapOptions } from "./heatmap_options.ts";

/** A cell of a heatmap; `row` is missing where no row was given for it. */
export interface Cell<Row> {
  readonly x: Category;
  readonly y: Category;
  /** The numbers of its column and row, from 0. */
  readonly at: { readonly x: number; readonly y: number };
  readonly value: number | null;
  readonly row?: Row;
}

/** All cells of a heatmap, those without a value included. */
export interface Grid<Row> {
  readonly xs: readonly Category[];
  readonly ys: readonly Category[];
  readonly cells: readonly Cell<Row>[];
}

/** Lays rows out as a full grid. */
export function gridOf<Row extends object>(rows: readonly Row[], options: HeatmapOptions<Row>): Grid<Row> {
  const { title, domain } = options;
  const read = new Map<string, Omit<Cell<Row>, "at">>();
  for (const row of rows) {
    const [x, y] = [categoryOf(row[options.x]), categoryOf(row[options.y])];
    const value = readNumber(row, options.value, { title });
    const place = JSON.stringify([x, y]);
    if (read.has(place)) throw cannotDraw(title, "each cell must have one row", `two rows at ${x}, ${y}`);
    if (value !== null && domain !== undefined && (value < domain[0] || value > domain[1])) {
      throw cannotDraw(title, `${options.value} must be in the domain [${domain.join(", ")}]`, value);
    }
    read.set(place, { x, y, value, row });
  }
  const cells = [...read.values()];
  if (cells.every(({ value }) => value === null)) {
    throw cannotDraw(title, `${options.value} must be a number in one row or more`, null);
  }
  const xs = orderOf(cells.map(({ x }) => x), { order: options.xOrder, title, name: "xOrder" });
  const ys = orderOf(cells.map(({ y }) => y), { order: options.yOrder, title, name: "yOrder" });
  const all = ys.flatMap((y, row) =>
    xs.map((x, column) => ({
      ...(read.get(JSON.stringify([x, y])) ?? { x, y, value: null }),
      at: { x: column, y: row },
    }))
  );
  return { xs, ys, cells: all };
}
