import type { Origin } from "@/lib/analysis/mod.ts";
import type { FigureOptions, FigureParts, LegendPlace } from "./figure.ts";
import { distinctOf } from "./_rows.ts";
import { keyTexts, plainText, textWidth } from "./_text.ts";
import { LABEL_SIZE, type Palette, seriesColours, seriesShapes } from "./_theme.ts";

/** The series of a chart: their names as shown, and how they look. */
export interface SeriesLook {
  readonly names: readonly string[];
  readonly colours: readonly string[];
  readonly shapes: readonly string[];
  /** The shown name of a series of the rows. */
  readonly nameOf: (series: string) => string;
  readonly colourOf: (series: string) => string | undefined;
}

export function lookOf(
  series: readonly string[],
  options: { readonly palette?: Palette | readonly string[]; readonly origin: FigureOptions["origin"] },
): SeriesLook {
  const { palette = "distinct", origin } = options;
  const kinds = distinctOf(series);
  const names = keyTexts(kinds.map((kind) => kind + simulatedMark(kind, origin)));
  const colours = typeof palette === "string"
    ? seriesColours(kinds.length, palette)
    : kinds.map((_, index) => palette[index % palette.length]!);
  return {
    names,
    colours,
    shapes: seriesShapes(kinds.length),
    nameOf: (kind) => names[kinds.indexOf(kind)]!,
    colourOf: (kind) => colours[kinds.indexOf(kind)],
  };
}

function simulatedMark(series: string, origin: FigureOptions["origin"]): string {
  const kind: Origin | undefined = typeof origin === "string" ? undefined : origin[series];
  return kind === "simulated" && !series.includes("simulated") ? " (simulated)" : "";
}

/** Charts narrower than this, in pixels, have their legends below. */
const NARROW = 450;

/** A legend beside the chart while its names are short, under it where they are not. */
function legendOf(
  names: readonly string[],
  options: { readonly seriesTitle?: string; readonly width: number },
): LegendPlace {
  const { seriesTitle: title = "", width } = options;
  const widest = Math.max(...[...names, title].map((name) => textWidth(plainText(name), LABEL_SIZE)));
  const shared = { title: title === "" ? null : plainText(title), symbolOpacity: 1 };
  const beside = width >= NARROW && widest + 45 <= width * 0.3 && names.length <= 18;
  if (beside) return { legend: shared, room: Math.ceil(widest + 48) };
  const labelLimit = width - 100;
  const columns = Math.max(1, Math.floor((width - 60) / (Math.min(widest, labelLimit) + 35)));
  return { legend: { ...shared, labelLimit, orient: "bottom", direction: "vertical", columns, offset: 10 }, room: 0 };
}

/** The legend of a chart, none without a field of series, and what it says. */
export function seriesLegend(
  look: SeriesLook,
  options: { readonly series?: string; readonly seriesTitle?: string },
): Pick<FigureParts, "legendFor" | "legendKey"> {
  if (options.series === undefined) return { legendFor: () => ({ legend: null, room: 12 }) };
  return {
    legendKey: JSON.stringify([look.names, look.colours, options.seriesTitle]),
    legendFor: (width) => legendOf(look.names, { ...options, width }),
  };
}
