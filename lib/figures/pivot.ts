import { barChart } from "./bar_chart.ts";
import type { Palette } from "./colours.ts";
import { commonRows } from "./common_rows.ts";
import type { Field, Figure, FigureOptions } from "./figure.ts";
import { lineChart } from "./line_chart.ts";
import { cannotDraw } from "./row_values.ts";
import { type Table, table } from "./table.ts";
import { capitalised } from "./text_fit.ts";
import { intervalText } from "./tooltips.ts";
import { defined, lengthText, rangeText } from "@/lib/base/mod.ts";
import { mean, type Origin, type ScoreWithInterval, statedInterval, widestInterval } from "@/lib/statistics/mod.ts";

/** A row of scores, or of anything else; a figure of rows states their origin and their number of samples. */
export interface PlainRow {
  readonly origin?: Origin;
  /** Number of samples; `null` if unknown. */
  readonly n?: number | null;
  readonly units?: number | undefined;
}

/** What a figure of rows states, unless it follows from them, and over what it averages. */
export interface PivotOptions<Row> extends Partial<Pick<FigureOptions, "title" | "caption" | "n" | "origin">> {
  /** Fields such as `model` and `run` that a mark may average over. Default: none; suites, tasks and lengths always may. */
  readonly average?: readonly Field<Row>[];
}

/**
 * Makes a table from rows: a row for each value of one field, a column for each value of another, in each cell the mean of a number.
 *
 * A mean is over suites, tasks and lengths, which all compared cells must have: others are left out, as the caption states.
 * A `score` has its 95% interval if all its rows have `low` and `high`; means of several rows take these as independent.
 *
 * @throws {RangeError} If no row has the number, the rows of a cell are of several models or runs that `average` does not name, or
 *   compared cells have no task and length in common.
 */
export function pivot<Row extends PlainRow>(
  rows: readonly Row[],
  options: PivotOptions<Row> & { readonly rows: Field<Row>; readonly columns: Field<Row>; readonly value: Field<Row> },
): Table {
  const { rows: down, columns: across, value, title = `${titleOf(value)} by ${down} and ${across}` } = options;
  const { groups, leftOut } = groupRows(rows, [down, across], options, value);
  const lines = Map.groupBy(groups, ({ row }) => String(row[down]));
  const heads = [...new Set(groups.map(({ row }) => row[across]))];
  if (heads.every((head) => typeof head === "number")) heads.sort((left, right) => Number(left) - Number(right));
  const cells = Array.from(lines, ([name, ofLine]): Readonly<Record<string, unknown>> => ({
    "": name,
    ...Object.fromEntries(ofLine.map(({ row, text }) => [`${across} ${row[across]}`, text])),
  }));
  return table(cells, {
    ...statedBy(groups, { ...options, title, leftOut, field: down }),
    columns: [
      { field: "", label: capitalised(down) },
      ...heads.map((head) => ({
        field: `${across} ${head}`,
        label: across === "length" ? lengthText(Number(head)) : String(head),
        align: "right" as const,
      })),
    ],
  });
}

/**
 * Draws a number of rows as lines along another number, or as bars by the values of a text; a line or colour for each value of
 * `series`. Several rows of one point are averaged and refused as by {@linkcode pivot}.
 *
 * @throws {RangeError} As by {@linkcode pivot}.
 */
export function plot<Row extends PlainRow>(
  rows: readonly Row[],
  options: PivotOptions<Row> & {
    readonly x: Field<Row>;
    readonly y: Field<Row>;
    readonly series?: Field<Row>;
    readonly palette?: Palette;
  },
): Figure {
  const { x, y, series, palette = "distinct", title = `${titleOf(y)} by ${x}` } = options;
  const { groups, leftOut } = groupRows(rows, series === undefined ? [x] : [x, series], options, y);
  const points = groups.map(({ row, rows, mean: value, interval }) => ({
    at: row[x],
    series: String(row[series ?? x]),
    value,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    // The run and the place of a mark, if all of its rows are of one.
    ...Object.fromEntries(
      Object.entries(row).filter(([field, own]) =>
        ["run", "task", "length"].includes(field) && rows.every((each) => each[field as Field<Row>] === own)
      ),
    ),
  }));
  const shared = {
    ...statedBy(groups, { ...options, title, leftOut, field: series ?? x }),
    ...(series === undefined ? {} : { series: "series" as const, seriesTitle: capitalised(series) }),
    ...(groups.some(({ interval }) => interval !== null) ? { low: "low", high: "high" } as const : {}),
    palette,
  };
  const [xTitle, yTitle] = [titleOf(x), titleOf(y)];
  if (points.some(({ at }) => typeof at !== "number")) {
    const bars = points.map((point) => ({ ...point, at: String(point.at) }));
    return barChart(bars, { ...shared, category: "at", value: "value", categoryTitle: xTitle, valueTitle: yTitle });
  }
  const xSpacing = x === "length" ? "lengths" : "linear";
  return lineChart(points, { ...shared, x: "at", y: "value", xTitle, yTitle, xSpacing });
}

/** Rows with equal values in some fields, and the mean of one of their numbers. */
interface Group<Row> {
  readonly row: Row;
  readonly rows: readonly Row[];
  readonly mean: number;
  readonly interval: ScoreWithInterval | null;
  readonly text: string;
}

function groupRows<Row extends PlainRow>(
  rows: readonly Row[],
  fields: readonly Field<Row>[],
  { average = [] }: PivotOptions<Row>,
  value: Field<Row>,
): { readonly groups: readonly Group<Row>[]; readonly leftOut: string } {
  const unknown = [...fields, value].find((field) => rows.length > 0 && rows.every((row) => row[field] === undefined));
  const known = Object.keys(rows[0] ?? {}).join(", ");
  if (unknown !== undefined) throw cannotDraw(value, `"${unknown}" must be a field of the rows`, known);
  const scored = rows.filter((row) => typeof row[value] === "number");
  const { rows: common, leftOut } = commonRows(scored, { axes: fields, average });
  const grouped = Map.groupBy(common, (row) => JSON.stringify(fields.map((field) => row[field])));
  const groups = Array.from(grouped.values(), (group): Group<Row> => {
    const scores = value === "score" ? group.map(withWidest).filter(hasInterval) : [];
    const score = mean(group.map((row) => Number(row[value])));
    // The interval of a mean of independent scores, from theirs (Zou and Donner 2008, MOVER).
    const low = score - Math.hypot(...scores.map((each) => each.score - each.low)) / scores.length;
    const high = score + Math.hypot(...scores.map((each) => each.high - each.score)) / scores.length;
    const [{ n, units }] = group as [Row];
    const isFew = group.length === 1 && statedInterval({ low, high, ...defined({ n, units }) }).low === null;
    const interval = scores.length === group.length && !isFew ? { score, low, high } : null;
    const ends = interval === null ? "" : intervalText(interval);
    return { row: group[0]!, rows: group, mean: score, interval, text: `${score.toFixed(1)}${ends}` };
  });
  return { groups, leftOut };
}

/** Gives a published score without an interval the widest that its samples allow. */
function withWidest<Row extends PlainRow>(row: Row): Row {
  const { score, n } = row as { readonly score?: unknown; readonly n?: number | null };
  const isBare = row.origin === "published" && !hasInterval(row) && typeof score === "number" && (n ?? 0) > 0;
  return isBare ? { ...row, ...widestInterval(score, n!) } : row;
}

function hasInterval<Row extends object>(row: Row): row is Row & ScoreWithInterval {
  const { score, low, high } = row as Partial<ScoreWithInterval>;
  return [score, low, high].every((value) => typeof value === "number");
}

function titleOf(field: string): string {
  if (field === "length") return "Context length (tokens)";
  return field === "score" ? "Score (%)" : capitalised(field);
}

/** Returns title and caption, and what the note states of origins, samples and intervals. */
function statedBy<Row extends PlainRow>(
  groups: readonly Group<Row>[],
  { title, field, leftOut, average: _, ...given }: PivotOptions<Row> & Pick<FigureOptions, "title"> & {
    readonly field: Field<Row>;
    readonly leftOut: string;
  },
): Omit<FigureOptions, "width" | "warning"> {
  const rows = groups.flatMap((group) => group.rows);
  const counts = rows.map(({ n }) => n ?? null).filter((n) => n !== null);
  const isMean = groups.some((group) => group.rows.length > 1);
  const means = isMean ? `, means of ${rangeText(groups.map((group) => group.rows.length))} rows` : "";
  const origins: Record<string, Origin> = {};
  for (const { [field]: name, origin = "unknown" } of rows) {
    // A name can have rows of several origins.
    const isOther = (origins[`${name}`] ?? origin) !== origin;
    origins[isOther ? `${name} in part` : `${name}`] = origin;
  }
  const isBare = rows.some((row) => row.origin === "published" && !hasInterval(row));
  const widest = isBare ? ", the widest that n allows where none is published" : "";
  const averaged = isMean ? "Rows of one place are averaged with equal weights." : "One row a place.";
  const [first = "unknown", ...others] = new Set(Object.values(origins));
  return {
    title,
    origin: others.length === 0 ? first : origins,
    n: (counts.length === 0 ? "samples unknown" : `n = ${rangeText(counts)} a row`) +
      (counts.length > 0 && counts.length < rows.length ? " where it is known" : "") + means,
    ...(groups.some(({ interval }) => interval !== null) ? { interval: `95% interval${widest}` } : {}),
    ...given,
    caption: [given.caption ?? averaged, leftOut].filter((sentence) => sentence !== "").join(" "),
  };
}
