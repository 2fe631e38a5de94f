import type { Field, FigureOptions } from "./figure.ts";
import { capitalised, keyTexts, numberText, plainText } from "./text_fit.ts";
import type { Domain } from "./theme.ts";

/**
 * How an axis is divided:
 * - *linear*: equal steps are equal differences
 * - *log*: equal steps are equal ratios, labelled in powers of ten
 * - *lengths*: equal steps are doublings, labelled `4K` to `1M`
 * - *steps*: the values that occur, evenly spaced
 */
export type Spacing = "linear" | "log" | "lengths" | "steps";

/** Additional tooltip fields, by label. */
export type Tooltips<Row> = Readonly<Record<string, Field<Row>>>;

/** What one row of a tooltip is in a specification. */
interface Tip {
  readonly field: string;
  readonly type: "nominal";
  readonly title: string;
}

/** Checks what every chart needs before any row is read. */
export function checkFigure(rows: readonly unknown[], options: FigureOptions): void {
  const { title, caption, width = 700 } = options;
  for (const [name, text] of [["title", title], ["caption", caption]] as const) {
    if (plainText(text) === "") {
      throw new RangeError(`Cannot draw a chart as ${name} must say something: current value is ""`);
    }
  }
  if (rows.length === 0) throw cannotDraw(title, "rows must hold at least one", 0);
  if (!(width >= 200 && width <= 2000)) throw cannotDraw(title, "width must be in [200, 2000]", width);
}

/** The error that refuses a figure by its title. */
export function cannotDraw(title: string, wanted: string, value: unknown): RangeError {
  const shown = typeof value === "string" ? `"${plainText(value, 60)}"` : String(value);
  return new RangeError(`Cannot draw "${plainText(title, 60)}" as ${wanted}: current value is ${shown}`);
}

/** Reads a number of a row; `null` stays `null`, anything else is refused. */
export function readNumber<Row>(row: Row, field: Field<Row>, options: { readonly title: string }): number | null {
  const value: unknown = row[field];
  if (value === null || value === undefined) return null;
  if (typeof value !== "number" || !Number.isFinite(value)) {
    const error = cannotDraw(options.title, `${field} must be a finite number or null`, value);
    throw typeof value === "number" ? error : new TypeError(error.message);
  }
  return value;
}

/** Reads a number that must be there. */
export function needNumber<Row>(row: Row, field: Field<Row>, options: { readonly title: string }): number {
  const value = readNumber(row, field, options);
  if (value === null) throw cannotDraw(options.title, `${field} must be a number in every row`, value);
  return value;
}

/** Formats a value: a number rounded, text made plain, nothing as a dash. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  return typeof value === "number" && Number.isFinite(value) ? numberText(value) : plainText(String(value));
}

/** The additional tooltip values of a row, under reserved names. */
export function tipValues<Row>(row: Row, tooltips: Tooltips<Row>): Record<string, string> {
  return Object.fromEntries(Object.values(tooltips).map((field, index) => [`tip${index}`, shown(row[field])]));
}

/**
 * The tooltip of a mark: our own lines first, then the extra ones.
 *
 * Subtle: the tooltip of a notebook draws a line titled `image` as a picture loaded from its value, and one titled
 * `title` as a heading; a capital letter makes them ordinary lines.
 */
export function tips<Row>(own: Readonly<Record<string, string>>, tooltips: Tooltips<Row>): Tip[] {
  const lines = [
    ...Object.entries(own),
    ...Object.keys(tooltips).map((title, index) => [`tip${index}`, title] as const),
  ];
  const titles = keyTexts(lines.map(([, title]) => capitalised(plainText(title))));
  return lines.map(([field], index) => ({ field, type: "nominal", title: titles[index]! }));
}

/** The distinct values of a list, in the order they come. */
export function distinctOf<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** The series a row belongs to; all rows are of one where no field names it. */
export function seriesOf<Row>(row: Row, series: Field<Row> | undefined): string {
  return series === undefined ? "" : String(row[series] ?? "");
}

/** The least and the greatest of some numbers, however many they are. */
export function endsOf(values: readonly number[]): Domain {
  return values.reduce<Domain>(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [
    Infinity,
    -Infinity,
  ]);
}

/** Refuses a value that its axis could not show. */
export function refuseUnshowable(
  value: number | null,
  options: {
    readonly title: string;
    readonly field: string;
    readonly domain: Domain | undefined;
    readonly spacing: Spacing | undefined;
  },
): void {
  const { title, field, domain, spacing } = options;
  if (value === null) return;
  if ((spacing === "log" || spacing === "lengths") && value <= 0) {
    throw cannotDraw(title, `${field} must be above 0 on a logarithmic axis`, value);
  }
  if (domain !== undefined && (value < domain[0] || value > domain[1])) {
    throw cannotDraw(title, `${field} must be in the domain [${domain.join(", ")}] of its axis`, value);
  }
}

/** Refuses an interval whose ends are swapped, or that a logarithmic axis could not show. */
export function refuseInterval(
  { low, high }: { readonly low: number | null; readonly high: number | null },
  options: { readonly title: string; readonly spacing?: Spacing | undefined },
): void {
  const { title, spacing = "linear" } = options;
  if (low === null || high === null) return;
  if (low > high) throw cannotDraw(title, `low must be at most high (${high})`, low);
  refuseUnshowable(low, { title, field: "low", domain: undefined, spacing });
}

/** What stands along an axis of names: text or a number. */
export type Category = string | number;

/** The category that a field of a row names. */
export function categoryOf(value: unknown): Category {
  return typeof value === "number" ? value : String(value ?? "");
}

/** The distinct categories in their order: the one given, else numbers ascending and text as it comes. */
export function orderOf(
  values: readonly Category[],
  options: { readonly order: readonly Category[] | undefined; readonly title: string; readonly name: string },
): readonly Category[] {
  const { order, title, name } = options;
  const kinds = distinctOf(values);
  const missing = order === undefined ? undefined : kinds.find((kind) => !order.includes(kind));
  if (missing !== undefined) throw cannotDraw(title, `${name} must hold every value of its axis`, `no ${missing}`);
  if (order !== undefined) return distinctOf(order);
  return kinds.every((kind) => typeof kind === "number")
    ? kinds.sort((left, right) => Number(left) - Number(right))
    : kinds;
}
