import type { Config, TopLevelSpec } from "vega-lite";

/** Colours are variables of the page, so that they change with its theme. */
const [INK, QUIET, LINE, PAPER] = ["var(--ink)", "var(--quiet)", "var(--line)", "var(--paper)"];

/** The colours of series: of runs by their order, or of groups of tasks. */
const SERIES = Array.from({ length: 6 }, (_, run) => `var(--run${run})`);

const CONFIG = {
  background: "transparent",
  font: "system-ui, sans-serif",
  view: { stroke: null },
  axis: {
    domainColor: LINE,
    gridColor: LINE,
    tickColor: LINE,
    labelColor: QUIET,
    titleColor: QUIET,
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: "normal",
  },
  text: { color: INK, fontSize: 11 },
} as const;

/** A length of tokens as its label, such as 4K. */
const LENGTH_LABEL = "datum.value >= 1048576 && datum.value % 1048576 === 0 ? datum.value / 1048576 + 'M' : " +
  "datum.value % 1024 === 0 ? datum.value / 1024 + 'K' : datum.value";

const LENGTHS = {
  field: "length",
  type: "ordinal",
  axis: { title: "Context length", labelExpr: LENGTH_LABEL, labelAngle: 0, grid: false },
} as const;

/** Marks that a filter leaves out are faint. */
const FAINT = { condition: { test: "datum.isFaint", value: 0.25 }, value: 1 } as const;

/** So are lines of other series. */
const OTHER = { condition: { test: "datum.isOther", value: 0.25 }, value: 1 } as const;

/** A click picks a mark. */
const PICK = { name: "pick", select: { type: "point" as const, fields: ["key"], toggle: false } };

const COLOUR = {
  field: "series",
  type: "nominal",
  sort: null,
  scale: { range: SERIES },
  legend: null,
} as const;

/** Series beside each other at each length, so that their intervals do not overlap. */
const BESIDE = {
  x: { ...LENGTHS, scale: { paddingInner: 0.4, paddingOuter: 0.2 } },
  xOffset: { field: "series", sort: null, scale: { paddingInner: 0, paddingOuter: 0.5 } },
} as const;

/** Scores by length with their intervals, a line for each run or group of tasks; a brush chooses lengths. */
const LINES = {
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
      encoding: { ...BESIDE, y: { field: "score", type: "quantitative" }, color: COLOUR, opacity: OTHER },
    },
    {
      mark: { type: "rule", strokeWidth: 2, aria: false },
      encoding: {
        ...BESIDE,
        y: { field: "low", type: "quantitative" },
        y2: { field: "high" },
        color: COLOUR,
        opacity: FAINT,
      },
    },
    {
      params: [
        PICK,
        { name: "brush", select: { type: "interval", encodings: ["x"], zoom: false } },
      ],
      mark: { type: "point", filled: true, size: 70, opacity: 1 },
      encoding: {
        ...BESIDE,
        y: {
          field: "score",
          type: "quantitative",
          scale: { domain: [0, 100] },
          axis: { title: "Score (%)", tickCount: 5 },
        },
        color: COLOUR,
        opacity: FAINT,
        description: { field: "about", type: "nominal" },
      },
    },
  ],
} satisfies TopLevelSpec;

/** Scores, or differences of two runs, by length and another property; a click chooses a cell. */
const MAP = {
  width: { step: 52 },
  height: { step: 24 },
  data: { name: "marks" },
  params: [
    { name: "scheme", value: "viridis" },
    { name: "low", value: 0 },
    { name: "high", value: 100 },
    { name: "labelRoom", value: 160 },
  ],
  encoding: {
    x: LENGTHS,
    y: { field: "row", type: "ordinal", sort: null, axis: { title: null, labelLimit: { expr: "labelRoom" } } },
  },
  layer: [
    {
      params: [PICK],
      mark: { type: "rect", invalid: null, cursor: "pointer" },
      encoding: {
        color: {
          condition: { test: "datum.score === null", value: LINE },
          field: "score",
          type: "quantitative",
          scale: { scheme: { expr: "scheme" }, domain: [{ expr: "low" }, { expr: "high" }], clamp: true },
          legend: null,
        },
        opacity: FAINT,
        stroke: { condition: { test: "datum.isChosen", value: INK }, value: PAPER },
        strokeWidth: { condition: { test: "datum.isChosen", value: 3 }, value: 1 },
        description: { field: "about", type: "nominal" },
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
} satisfies TopLevelSpec;

/** Failures by class and run; a click chooses a class. */
const BARS = {
  width: 260,
  height: { step: 20, for: "offset" },
  data: { name: "marks" },
  params: [{ name: "labelRoom", value: 160 }],
  encoding: {
    y: { field: "row", type: "ordinal", sort: null, axis: { title: null, labelLimit: { expr: "labelRoom" } } },
    yOffset: { field: "series", sort: null },
    x: { field: "count", type: "quantitative", stack: null, axis: { title: "Samples", tickMinStep: 1, tickCount: 4 } },
    opacity: FAINT,
  },
  layer: [
    {
      params: [PICK],
      mark: { type: "bar", cursor: "pointer" },
      encoding: {
        color: COLOUR,
        stroke: { condition: { test: "datum.isChosen", value: INK }, value: PAPER },
        strokeWidth: { condition: { test: "datum.isChosen", value: 3 }, value: 0 },
        description: { field: "about", type: "nominal" },
      },
    },
    { mark: { type: "text", align: "left", dx: 4, aria: false }, encoding: { text: { field: "text" } } },
  ],
} satisfies TopLevelSpec;

/** The charts of the page, which are compiled when its script is built. */
export const SPECS: Readonly<Record<string, TopLevelSpec>> = { lines: LINES, map: MAP, bars: BARS };

/** The look of all charts. */
export const CHART_CONFIG: Config = CONFIG;
