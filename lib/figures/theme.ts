/** The fonts of every figure. */
export const FONT = "Inter, Helvetica, Arial, sans-serif";

/** Text. */
export const INK = "#222222";

/** Notes, captions and labels. */
export const SOFT_INK = "#595959";

export const GAP = "#dcdcdc";

export const WARNING = "#a84300";

/** Highlighted labels. */
export const RED = "#c1121f";

export const GRID = "#ececec";

export const RULE = "#9a9a9a";

export const TITLE_SIZE = 15;

export const NOTE_SIZE = 12;

/** The size of labels, in pixels. */
export const LABEL_SIZE = 11;

/** The theme of every figure, limited to features of Vega-Lite 5.6, the version in JupyterLab. */
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
    gridColor: GRID,
    domainColor: RULE,
    tickColor: RULE,
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

/** A Vega-Lite specification as plain JSON. */
export type Spec = Readonly<Record<string, unknown>>;

/** The lowest and the highest value of an axis or a colour. */
export type Domain = readonly [number, number];
