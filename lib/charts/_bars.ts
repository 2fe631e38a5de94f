import type { BarOptions } from "./bar_options.ts";
import { type Category, categoryOf, orderOf } from "./_categories.ts";
import { refuseInterval, refuseUnshowable } from "./_refuse.ts";
import { cannotDraw, distinctOf, needNumber, readNumber, seriesOf } from "./_rows.ts";

/** One bar or part of a bar; `row` is missing where no row was given for it. */
export interface Bar<Row> {
  readonly category: Category;
  /** The number of its place, from 0. */
  readonly at: number;
  readonly series: string;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly row?: Row;
}

/** The bars of a chart with the places and series they stand for. */
export interface Bars<Row> {
  readonly categories: readonly Category[];
  readonly series: readonly string[];
  readonly bars: readonly Bar<Row>[];
}

/** Reads the bars, those without a value included, and refuses what could not be drawn truly. */
export function readBars<Row extends object>(rows: readonly Row[], options: BarOptions<Row>): Bars<Row> {
  const { title, stacked = false, low, high, series } = options;
  if (stacked && (low !== undefined || high !== undefined)) {
    throw cannotDraw(title, "low and high must be left out of stacked bars", `${low}, ${high}`);
  }
  const read = new Map<string, Omit<Bar<Row>, "at">>();
  for (const row of rows) {
    const bar = {
      category: categoryOf(row[options.category]),
      series: seriesOf(row, series),
      // A part that is missing would make its stack look whole.
      value: stacked ? needNumber(row, options.value, { title }) : readNumber(row, options.value, { title }),
      low: low === undefined ? null : readNumber(row, low, { title }),
      high: high === undefined ? null : readNumber(row, high, { title }),
      row,
    };
    refuse(bar, options);
    const place = keyOf(bar);
    if (read.has(place)) {
      throw cannotDraw(title, "each bar must have one row", `two rows for ${bar.category} ${bar.series}`.trim());
    }
    read.set(place, bar);
  }
  const known = [...read.values()];
  if (known.every(({ value }) => value === null)) {
    throw cannotDraw(title, `${options.value} must be a number in one row or more`, null);
  }
  const categories = orderOf(known.map(({ category }) => category), { order: options.order, title, name: "order" });
  const names = distinctOf(known.map((bar) => bar.series));
  const empty = { value: null, low: null, high: null };
  const bars = categories.flatMap((category, at) =>
    names.map((name): Bar<Row> => {
      const place = { category, series: name };
      return { ...(read.get(keyOf(place)) ?? { ...place, ...empty }), at };
    })
  );
  return { categories, series: names, bars };
}

function refuse<Row extends object>({ value, low, high }: Omit<Bar<Row>, "at">, options: BarOptions<Row>): void {
  const { title, stacked = false, valueDomain } = options;
  if (stacked && value !== null && value < 0) {
    throw cannotDraw(title, `${options.value} must be at least 0 in stacked bars`, value);
  }
  const place = { title, field: options.value, spacing: "linear" } as const;
  refuseInterval({ low, high }, { title });
  if (!stacked) refuseUnshowable(value, { ...place, domain: valueDomain });
}

function keyOf({ category, series }: { readonly category: Category; readonly series: string }): string {
  return JSON.stringify([category, series]);
}
