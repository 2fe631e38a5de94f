import { viridisAt } from "./_vega.ts";

export const FONT = "Inter, Helvetica, Arial, sans-serif";
export const INK = "#222222";
export const SOFT_INK = "#595959";
export const GAP = "#dcdcdc";
export const WARNING = "#a84300";
export const TITLE_SIZE = 15;
export const NOTE_SIZE = 12;
export const LABEL_SIZE = 11;

/** The palette of Okabe and Ito (2008), made for every kind of colour vision, without its yellow (too faint on white). */
const DISTINCT = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#3d3d3d"];

// Six shapes against seven colours: forty-two series before a pair of them looks alike.
const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"];

/** How series are coloured: by colours as different as can be, or along viridis, from dark to light, for ordered series. */
export type Palette = "distinct" | "viridis";

export function seriesColours(count: number, palette: Palette): string[] {
  if (palette === "distinct") return Array.from({ length: count }, (_, index) => DISTINCT[index % DISTINCT.length]!);
  // The last tenth of viridis is yellow, too faint on white for a line.
  return Array.from({ length: count }, (_, index) => viridisAt(count === 1 ? 0.4 : 0.88 * index / (count - 1)));
}

export function seriesShapes(count: number): string[] {
  return Array.from({ length: count }, (_, index) => SHAPES[index % SHAPES.length]!);
}

/** What every figure looks like; only what Vega-Lite 5.6 knows, as that is what JupyterLab draws with. */
export const CONFIG = {
  font: FONT,
  title: {
    anchor: "start",
    align: "left",
    fontSize: TITLE_SIZE,
    fontWeight: 600,
    lineHeight: 20,
    color: INK,
    subtitleFontSize: NOTE_SIZE,
    subtitleLineHeight: 17,
    subtitlePadding: 5,
    offset: 14,
  },
  axis: {
    labelFontSize: LABEL_SIZE,
    labelColor: SOFT_INK,
    labelPadding: 4,
    titleFontSize: 12,
    titleFontWeight: "normal",
    titleColor: INK,
    titlePadding: 9,
    gridColor: "#ececec",
    domainColor: "#9a9a9a",
    tickColor: "#9a9a9a",
    tickSize: 4,
  },
  legend: {
    labelFontSize: LABEL_SIZE,
    labelColor: INK,
    labelLimit: 220,
    titleFontSize: LABEL_SIZE,
    titleFontWeight: 600,
    titleColor: INK,
    titleLimit: 220,
    symbolStrokeWidth: 0,
    symbolSize: 60,
    rowPadding: 4,
    offset: 16,
  },
  view: { stroke: null },
  concat: { spacing: 16 },
};
