import type { IntervalOptions, SeriesOptions } from "./chart_options.ts";
import { seriesColours, seriesShapes } from "./colours.ts";
import type { Chart, Figure, FigureFrame } from "./figure.ts";
import { type LegendPlace, NARROW } from "./legend.ts";
import { makeFigure } from "./make_figure.ts";
import { cannotDraw, distinctOf } from "./row_values.ts";
import { keyTexts, plainText, textWidth } from "./text_fit.ts";
import { LABEL_SIZE, type Spec } from "./theme.ts";
import { defined } from "@/lib/base/mod.ts";
import { originMark } from "@/lib/statistics/mod.ts";

/** Returns the series of a row; without a field for it all rows are of one series. */
export function seriesOf<Row>(row: Row, { series }: SeriesOptions<Row>): string {
  return series === undefined ? "" : String(row[series] ?? "");
}

/** The series of a chart, their shown names, colours and shapes. */
export interface SeriesStyle {
  readonly series: readonly string[];
  readonly names: readonly string[];
  readonly colours: readonly string[];
  readonly shapes: readonly string[];
}

export interface SeriesParts<Options> {
  readonly options: Options;
  readonly style: SeriesStyle;
  readonly frame: FigureFrame;
}

interface SeriesChart<Mark, Options>
  extends Pick<Chart, "notes" | "yEnds" | "zoom">, Required<Pick<Chart, "view" | "axes">> {
  /** Whether marks are areas, and not points of a shape. */
  readonly isArea?: boolean;
  readonly marks: readonly Mark[];
  /** How intervals are drawn, for the note. */
  readonly drawnAs: string;
  readonly labelsFor?: (names: readonly string[], width: number, isAlone: boolean) => LegendPlace | null;
  readonly draw: (marks: readonly Mark[], parts: SeriesParts<Options>) => ReturnType<Chart["draw"]>;
}

/** Makes a chart with series: names and colours them, adds the legend, and notes how intervals are drawn. */
export function seriesChart<Row, Mark extends { readonly series: string }, Options extends SeriesOptions<Row>>(
  rows: readonly Row[],
  options: Options & IntervalOptions<Row>,
  { marks, drawnAs, notes = [], view, axes, yEnds, zoom, isArea = false, labelsFor, draw }: SeriesChart<
    Mark,
    Options
  >,
): Figure {
  const { title, low, high, samples, palette = "distinct", origin, series, seriesTitle = "" } = options;
  const isRanged = samples !== undefined || (low !== undefined && high !== undefined);
  const widest = samples === undefined ? [] : ["widest 95% interval that n allows"];
  const interval = [...(options.interval === undefined ? [] : [options.interval]), ...widest].join("; or ");
  const kinds = distinctOf(rows.map((row) => seriesOf(row, options)));
  const names = keyTexts(
    kinds.map((kind) => kind + originMark(kind, typeof origin === "object" ? origin[kind] : undefined)),
  );
  const colours = seriesColours(kinds, palette);
  const style = { series: kinds, names, colours, shapes: seriesShapes(kinds.length) };
  const named = marks.map((mark) => ({ ...mark, series: names[kinds.indexOf(mark.series)]! }));
  if (isRanged && interval === "") throw cannotDraw(title, "interval must describe low and high", undefined);
  return makeFigure(isRanged ? { ...options, interval: `${drawnAs}: ${interval}` } : options, {
    notes,
    view,
    axes,
    ...defined({ yEnds, zoom }),
    ...(series === undefined ? { legendFor: () => ({ legend: null, room: 12 }) } : {
      legend: {
        title: plainText(seriesTitle),
        keys: names.map((name, at) => ({ name, colour: colours[at]!, shape: isArea ? "square" : style.shapes[at]! })),
      },
      legendFor: (width) => legendOf(names, seriesTitle, width),
    }),
    ...(labelsFor === undefined ? {} : { labelsFor: (width, isAlone) => labelsFor(names, width, isAlone) }),
    draw: (frame) => draw(named, { options, style, frame }),
  });
}

/** Places a legend beside the chart if its names are short, else below. */
function legendOf(names: readonly string[], title: string, width: number): LegendPlace {
  const widest = Math.max(
    textWidth(plainText(title), LABEL_SIZE, "bold"),
    ...names.map((name) => textWidth(plainText(name), LABEL_SIZE)),
  );
  const shared = { title: title === "" ? null : plainText(title), symbolOpacity: 1 };
  const beside = width >= NARROW && widest + 45 <= width / 3 && names.length <= 18;
  if (beside) return { legend: shared, room: Math.ceil(widest + 48) };
  const labelLimit = width - 100;
  const columns = Math.max(1, Math.floor((width - 60) / (Math.min(widest, labelLimit) + 35)));
  return { legend: { ...shared, labelLimit, orient: "bottom", direction: "horizontal", columns, offset: 10 }, room: 0 };
}

export function colourChannel({ names, colours }: SeriesStyle, legend: Spec | null): Spec {
  return { field: "series", type: "nominal", scale: { domain: names, range: colours }, legend };
}

/** Returns the shapes of the series; other properties are those of their colours, so that both share a legend. */
export function shapeChannel({ names, shapes }: SeriesStyle, colour: Spec): Spec {
  return { ...colour, scale: { domain: names, range: shapes } };
}
