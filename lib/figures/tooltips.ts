import type { ChartOptions } from "./chart_options.ts";
import { distinctOf, type Interval } from "./row_values.ts";
import { capitalised, keyTexts, numberText, plainText, sharedFormat } from "./text_fit.ts";
import type { Spec } from "./theme.ts";
import { statedInterval } from "@/lib/statistics/mod.ts";

/** Formats an interval as ` [65.1, 91.9]`; empty if none is stated. */
export function intervalText(row: Parameters<typeof statedInterval>[0], digits = 1): string {
  const { low, high } = statedInterval(row);
  return low === null || high === null ? "" : ` [${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
}

/** Formats a value and its interval with the same decimals; the interval is a field of the tooltip. */
export function describeValue(
  value: number | null,
  { low, high }: Interval,
): { readonly text: string; readonly range: { readonly range?: string } } {
  if (low === null || high === null) return { text: shown(value), range: {} };
  const text = sharedFormat(value === null ? [low, high] : [value, low, high]);
  return { text: value === null ? shown(value) : text(value), range: { range: `${text(low)} to ${text(high)}` } };
}

/** Formats a value: a rounded number, plain text, or a dash. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  return typeof value === "number" && Number.isFinite(value) ? numberText(value) : plainText(String(value));
}

/** Returns the reserved names of the additional tooltip values. */
export function tipFields({ tooltips = {} }: Pick<ChartOptions<never>, "tooltips">): string[] {
  return Object.keys(tooltips).map((_, index) => `tip${index}`);
}

/** Returns the additional tooltip values of a row and, of a run, the view of its replies. */
export function tipValues<Row extends object>(row: Row, options: ChartOptions<Row>): Record<string, string> {
  const tips = Object.values(options.tooltips ?? {}).map((field, index) => [`tip${index}`, shown(row[field])]);
  return { ...Object.fromEntries(tips), ...viewOf(row, options) };
}

/** The fields of a row that tell which replies it is made of; `asked` is the name of a task whose `task` is a label. */
const PLACES = ["task", "asked", "length", "depth", "class"];

/**
 * Returns the view of the replies behind a row of a run, a query such as `run=first&task=vt&length=4096`; none if it is of no run. The
 * run is that of the row itself, of the figure, or of a name that the row has.
 */
export function viewOf(row: object, { runs = {} }: Pick<ChartOptions<never>, "runs">): { readonly view?: string } {
  const fields = new Map(Object.entries(row).filter(([, value]) => value !== null && value !== undefined));
  const name = typeof runs === "string" ? "" : fields.values().find((value) => Object.hasOwn(runs, String(value)));
  const named = typeof runs === "string" ? runs : runs[name];
  const run = fields.get("run") ?? named;
  if (run === undefined) return {};
  const places = PLACES.flatMap((field) => fields.has(field) ? [[field, String(fields.get(field))]] : []);
  return { view: `${new URLSearchParams([["run", run], ...places])}` };
}

/**
 * Returns the expression of what a mark stands for, for screen readers and the tooltip of a picture: the fields that place it, that of its
 * value, its interval if it has one, and on lines of their own the additional ones.
 */
export function aboutOf<Row>(
  places: readonly string[],
  value: string,
  { tooltips = {} }: Pick<ChartOptions<Row>, "tooltips">,
): Spec {
  const more = Object.keys(tooltips).map((title, index) => {
    const line = JSON.stringify(`\n${capitalised(plainText(title))}: `);
    return ` + (datum.tip${index} == "–" ? "" : ${line} + datum.tip${index})`;
  });
  const place = places.map((field) => `datum.${field}`).join(` + ", " + `);
  const own = `${place} + ": " + datum.${value} + (isValid(datum.range) ? " (" + datum.range + ")" : "")`;
  return { expr: `${own}${more.join("")}` };
}

/**
 * Returns the tooltip of a mark: its own lines first, then the additional ones.
 *
 * Subtle: the tooltip of a notebook draws a line titled `image` as a picture loaded from its value, and one titled
 * `title` as a heading; a capital letter makes them ordinary lines.
 */
export function tips(own: Readonly<Record<string, string>>, tooltips: Readonly<Record<string, string>> = {}): Spec[] {
  const lines = [
    ...Object.entries(own),
    ...Object.keys(tooltips).map((title, index) => [`tip${index}`, title] as const),
  ];
  const titles = keyTexts(lines.map(([, title]) => capitalised(plainText(title))));
  return lines.map(([field], index) => ({ field, type: "nominal", title: titles[index] }));
}

/** Moves texts that many rows share into tables: the rows keep their indices, and the transforms look them up. */
export function withTables<Row extends object>(
  rows: readonly Row[],
  fields: readonly string[],
): { readonly rows: readonly Row[]; readonly lookUps: readonly Spec[] } {
  const lookUps: Spec[] = [];
  let short = rows as readonly Readonly<Record<string, unknown>>[];
  for (const field of fields) {
    const texts = distinctOf(short.map((row) => row[field]));
    if (texts.length * 3 > rows.length) continue;
    lookUps.push({ calculate: `${JSON.stringify(texts)}[datum.${field}]`, as: field });
    short = short.map((row) => ({ ...row, [field]: texts.indexOf(row[field]) }));
  }
  return { rows: short as readonly Row[], lookUps };
}
