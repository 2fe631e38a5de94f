import type { ChartOptions } from "./chart_options.ts";
import type { Interval } from "./row_values.ts";
import { capitalised, keyTexts, numberText, plainText, sharedFormat } from "./text_fit.ts";
import type { Spec } from "./theme.ts";
import { statedInterval } from "@/lib/statistics/mod.ts";

/** Formats an interval as ` [65.1, 91.9]`; empty if none is stated. */
export function intervalText(row: Parameters<typeof statedInterval>[0], digits = 1): string {
  const { low, high } = statedInterval(row);
  return low === null || high === null ? "" : ` [${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
}

/** Formats a value and its interval with the same decimals; also returns the interval as a field for the tooltip. */
export function describeValue(
  value: number | null,
  { low, high }: Interval,
): { readonly text: string; readonly range: { readonly range?: string } } {
  if (low === null || high === null) return { text: shown(value), range: {} };
  const text = sharedFormat(value === null ? [low, high] : [value, low, high]);
  const range = `${text(low)} to ${text(high)}`;
  return { text: `${value === null ? shown(value) : text(value)} (${range})`, range: { range } };
}

/** Formats a value: a rounded number, plain text, or a dash. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  return typeof value === "number" && Number.isFinite(value) ? numberText(value) : plainText(String(value));
}

/** Returns the additional tooltip values of a row, under reserved names. */
export function tipValues<Row>(row: Row, { tooltips = {} }: ChartOptions<Row>): Record<string, string> {
  return Object.fromEntries(Object.values(tooltips).map((field, index) => [`tip${index}`, shown(row[field])]));
}

/** Returns what a mark stands for, for screen readers and the tooltip of a picture: its own line, then the additional ones. */
export function describe<Row>(about: string, row: Row, { tooltips = {} }: Pick<ChartOptions<Row>, "tooltips">): string {
  const more = Object.entries(tooltips).map(([title, field]) =>
    `${capitalised(plainText(title))}: ${shown(row[field])}`
  );
  return [about, ...more.filter((line) => !line.endsWith(": –"))].join("\n");
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
