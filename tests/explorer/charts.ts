import type { Config, TopLevelSpec } from "vega-lite";

/** Colours are variables of the page, so that they change with its theme. */
const [INK, QUIET, LINE, PAPER] = ["var(--ink)", "var(--quiet)", "var(--line)", "var(--paper)"];

const AXIS_COLOURS = { domainColor: LINE, gridColor: LINE, tickColor: LINE, labelColor: QUIET, titleColor: QUIET };

/** The look of all charts. */
export const CHART_CONFIG: Config = {
  background: "transparent",
  font: "system-ui, sans-serif",
  view: { stroke: null },
  axis: { ...AXIS_COLOURS, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" },
  text: { color: INK, fontSize: 11 },
};

/** Writes a length in tokens, such as 4K. */
const LENGTH_LABEL = "datum.value >= 1048576 && datum.value % 1048576 === 0 ? datum.value / 1048576 + 'M' : " +
  "datum.value % 1024 === 0 ? datum.value / 1024 + 'K' : datum.value";

const LENGTHS = {
  field: "length",
  type: "ordinal" as const,
  axis: { title: "Context length", labelExpr: LENGTH_LABEL, labelAngle: 0, grid: false },
};

/** Series beside each other at each length, so that their intervals do not overlap. */
const BESIDE = {
  x: { ...LENGTHS, scale: { paddingInner: 0.4, paddingOuter: 0.2 } },
  xOffset: { field: "series", sort: null, scale: { paddingInner: 0, paddingOuter: 0.5 } },
};

/** The rows of maps and bars; the page says how much room their labels have. */
const ROWS = {
  field: "row",
  type: "ordinal" as const,
  sort: null,
  axis: { title: null, labelLimit: { expr: "labelRoom" } },
};

/** The page has the legend: its buttons wrap on a phone, and keys reach them. */
const COLOUR = {
  field: "series",
  type: "nominal" as const,
  sort: null,
  scale: { range: Array.from({ length: 6 }, (_, run) => `var(--run${run})`) },
  legend: null,
};

/** Marks that the filters leave out are faint, and chosen ones have a frame. */
const FAINT = { condition: { test: "datum.isFaint || datum.isOther", value: 0.25 }, value: 1 };
const FRAME = {
  opacity: FAINT,
  stroke: { condition: { test: "datum.isChosen", value: INK }, value: PAPER },
  strokeWidth: { condition: { test: "datum.isChosen", value: 3 }, value: 1 },
  description: { field: "about", type: "nominal" as const },
};

/** A click picks a mark. */
const PICK = { name: "pick", select: { type: "point" as const, fields: ["key"], toggle: false } };

const SCORE = {
  field: "score",
  type: "quantitative" as const,
  scale: { domain: [0, 100] },
  axis: { title: "Score (%)", tickCount: 5 },
};

/** Scores by length with their intervals, a line for each run or group of tasks; a brush chooses lengths. */
const LINES: TopLevelSpec = {
  width: 400,
  height: 220,
  autosize: { type: "fit-x", contains: "padding" },
  data: { name: "marks" },
  params: [{ name: "threshold", value: 85.6 }],
  layer: [
    {
      mark: { type: "rule", color: QUIET, strokeDash: [4, 4], aria: false, opacity: { expr: "threshold > 0 ? 1 : 0" } },
      encoding: { y: { datum: { expr: "threshold" }, type: "quantitative" } },
    },
    {
      mark: { type: "line", strokeWidth: 1.5, aria: false },
      encoding: {
        ...BESIDE,
        y: SCORE,
        color: COLOUR,
        opacity: { ...FAINT, condition: { test: "datum.isOther", value: 0.25 } },
      },
    },
    {
      mark: { type: "rule", strokeWidth: 2, aria: false },
      encoding: { ...BESIDE, y: { ...SCORE, field: "low" }, y2: { field: "high" }, color: COLOUR, opacity: FAINT },
    },
    {
      params: [PICK, { name: "brush", select: { type: "interval", encodings: ["x"], zoom: false } }],
      mark: { type: "point", filled: true, size: 70 },
      encoding: { ...BESIDE, y: SCORE, color: COLOUR, opacity: FAINT, description: FRAME.description },
    },
  ],
};

/** Scores, or differences of two runs, by length and another property; a click chooses a cell. */
const MAP: TopLevelSpec = {
  width: { step: 52 },
  height: { step: 24 },
  data: { name: "marks" },
  params: Object.entries({ scheme: "viridis", low: 0, high: 100, labelRoom: 160 }).map(([name, value]) => ({
    name,
    value,
  })),
  encoding: { x: LENGTHS, y: ROWS },
  layer: [
    {
      params: [PICK],
      mark: { type: "rect", invalid: null, cursor: "pointer" },
      encoding: {
        ...FRAME,
        color: {
          condition: { test: "datum.score === null", value: LINE },
          field: "score",
          type: "quantitative",
          scale: { scheme: { expr: "scheme" }, domain: [{ expr: "low" }, { expr: "high" }] },
          legend: null,
        },
      },
    },
    {
      mark: { type: "text", cursor: "pointer", aria: false },
      encoding: {
        text: { field: "text" },
        opacity: FAINT,
        color: { condition: { test: "datum.isDark", value: "#ffffff" }, value: "#1a1a1a" },
      },
    },
  ],
};

/** Failures by class and run; a click chooses a class. */
const BARS: TopLevelSpec = {
  width: 260,
  height: { step: 20, for: "offset" },
  data: { name: "marks" },
  params: [{ name: "labelRoom", value: 160 }],
  encoding: {
    y: ROWS,
    yOffset: { field: "series", sort: null },
    x: { field: "count", type: "quantitative", stack: null, axis: { title: "Samples", tickMinStep: 1, tickCount: 4 } },
  },
  layer: [
    { params: [PICK], mark: { type: "bar", cursor: "pointer" }, encoding: { ...FRAME, color: COLOUR } },
    {
      mark: { type: "text", align: "left", dx: 4, aria: false },
      encoding: { text: { field: "text" }, opacity: FAINT },
    },
  ],
};

/** The charts of the page, which are compiled when its script is built. */
export const SPECS: Readonly<Record<string, TopLevelSpec>> = { lines: LINES, map: MAP, bars: BARS };
