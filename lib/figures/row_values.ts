import type { Category, IntervalOptions, Spacing } from "./chart_options.ts";
import type { Domain } from "./theme.ts";
import { type Field, type FigureOptions, WIDTH } from "./figure.ts";
import { plainText } from "./text_fit.ts";
import { statedInterval, widestInterval } from "@/lib/statistics/mod.ts";

/** Checks what every figure needs before any row is read. */
export function checkFigure(rows: readonly unknown[], options: FigureOptions): void {
  const { title, caption, width = WIDTH } = options;
  for (const [name, text] of [["title", title], ["caption", caption]] as const) {
    if (plainText(text) === "") {
      throw new RangeError(`Cannot draw a chart as ${name} must not be empty: current value is ""`);
    }
  }
  if (rows.length === 0) throw cannotDraw(title, "rows must hold at least one", 0);
  if (!(width >= 200 && width <= 2000)) throw cannotDraw(title, "width must be in [200, 2000]", width);
}

export function cannotDraw(title: string, wanted: string, value: unknown): RangeError {
  const shown = typeof value === "string" ? `"${plainText(value, 60)}"` : String(value);
  return new RangeError(`Cannot draw "${plainText(title, 60)}" as ${wanted}: current value is ${shown}`);
}

/** Reads a number of a row. Throws a `TypeError` for anything but a number or `null`. */
export function readNumber<Row>(row: Row, field: Field<Row>, title: string): number | null {
  const value: unknown = row[field];
  if (value === null || value === undefined) return null;
  if (typeof value !== "number" || !Number.isFinite(value)) {
    const error = cannotDraw(title, `${field} must be a finite number or null`, value);
    throw typeof value === "number" ? error : new TypeError(error.message);
  }
  return value;
}

export function needNumber<Row>(row: Row, field: Field<Row>, title: string): number {
  const value = readNumber(row, field, title);
  if (value === null) throw cannotDraw(title, `${field} must be a number in every row`, value);
  return value;
}

export function needValues(values: readonly (number | null)[], field: string, title: string): void {
  if (values.every((value) => value === null)) {
    throw cannotDraw(title, `${field} must be a number in one row or more`, null);
  }
}

/** Both ends of an interval; `null` if there is none. */
export interface Interval {
  readonly low: number | null;
  readonly high: number | null;
}

/** Reads the interval of a row; without one, the widest of its score in percent that the samples of the options allow, if given. */
export function readInterval<Row>(
  row: Row,
  { title, low, high, samples }: Pick<IntervalOptions<Row>, "title" | "low" | "high" | "samples">,
  score: number | null = null,
): Interval {
  const read = (field: Field<Row> | undefined): number | null =>
    field === undefined ? null : readNumber(row, field, title);
  const given = { low: read(low), high: read(high) };
  const n = typeof samples === "number" ? samples : read(samples);
  const isMissing = given.low === null && score !== null && n !== null && n > 0;
  return statedInterval({ ...row, ...(isMissing ? { ...widestInterval(score, n), n } : given) });
}

/** Refuses an interval whose ends are swapped, or that a logarithmic axis cannot show. */
export function checkInterval({ low, high }: Interval, title: string, spacing?: Spacing): void {
  if (low === null || high === null) return;
  if (low > high) throw cannotDraw(title, `low must be at most high (${high})`, low);
  checkValue(low, { title, field: "low", spacing });
}

export function checkValue(
  value: number | null,
  { title, field, domain, spacing }: {
    readonly title: string;
    readonly field: string;
    readonly domain?: Domain | undefined;
    readonly spacing?: Spacing | undefined;
  },
): void {
  if (value === null) return;
  if ((spacing === "log" || spacing === "lengths") && value <= 0) {
    throw cannotDraw(title, `${field} must be above 0 on a logarithmic axis`, value);
  }
  if (domain !== undefined && (value < domain[0] || value > domain[1])) {
    throw cannotDraw(title, `${field} must be in the domain [${domain.join(", ")}] of its axis`, value);
  }
}

export function distinctOf<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

export function endsOf(values: readonly number[]): Domain {
  return values.reduce<Domain>(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [
    Infinity,
    -Infinity,
  ]);
}

export function categoryOf(value: unknown): Category {
  return typeof value === "number" ? value : String(value ?? "");
}

/** Returns the distinct categories in the given order; by default numbers ascending, and text in order of appearance. */
export function orderOf(
  values: readonly Category[],
  order: readonly Category[] | undefined,
  { title, name }: { readonly title: string; readonly name: string },
): readonly Category[] {
  const kinds = distinctOf(values);
  if (order === undefined) {
    const isNumeric = kinds.every((kind) => typeof kind === "number");
    return isNumeric ? kinds.sort((left, right) => Number(left) - Number(right)) : kinds;
  }
  const missing = kinds.find((kind) => !order.includes(kind));
  if (missing !== undefined) throw cannotDraw(title, `${name} must hold every value of its axis`, `no ${missing}`);
  return distinctOf(order);
}

/** Returns the ends of a colour scale; a single value has the colour of the highest. */
export function colourDomain(values: readonly number[]): Domain {
  const [low, high] = endsOf(values);
  return low === high ? [low - 1, high] : [low, high];
}
