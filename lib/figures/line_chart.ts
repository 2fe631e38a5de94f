import { divideFrame, endLabels, lengthLabel, WITHOUT_AXIS, withTopSpace } from "./axis.ts";
import type { IntervalOptions, PlaneOptions } from "./chart_options.ts";
import { DISTINCT } from "./colours.ts";
import type { Drawing, Figure } from "./figure.ts";
import { fading, NARROW, WITHOUT_LEGEND } from "./legend.ts";
import {
  endLabelLayers,
  endLabelRoom,
  type LineEnd,
  type Place,
  type Threshold,
  thresholdLabels,
  thresholdRules,
} from "./line_labels.ts";
import {
  contextLayer,
  hasInterval,
  type IntervalForm,
  intervalLayers,
  type LayerParts,
  lineData,
  type Point,
  runsOf,
  strokeLayers,
} from "./line_layers.ts";
import { planeOf, shareWithin } from "./plane.ts";
import {
  cannotDraw,
  checkFigure,
  checkInterval,
  checkValue,
  distinctOf,
  endsOf,
  type Interval,
  needNumber,
  needValues,
  readInterval,
  readNumber,
} from "./row_values.ts";
import { seriesChart, seriesOf, type SeriesParts, type SeriesStyle, shapeChannel } from "./series_chart.ts";
import { fourDigits, numberText, plainText, wrapText } from "./text_fit.ts";
import { NOTE_SIZE, SOFT_INK, type Spec } from "./theme.ts";
import { aboutOf, describeValue, tipFields, tips, tipValues, withTables } from "./tooltips.ts";

/** Pixels between the points of two series whose intervals overlap, and between the first and the last of all, at most. */
const [MAX_STEP, MAX_SPREAD] = [9, 36];

/**
 * Draws a line chart: a number along an axis, with its interval, by series.
 *
 * A row whose y is `null` is a gap in its line, never a 0. Points are marked on lines of at most 40 points. Points of fewer than five
 * samples, by the field `n` of their rows or by the option `n`, are not joined by a line. Intervals are bands; bars beside each other
 * where they overlap; and a small chart for each series if there are many.
 *
 * @param rows At least one row, in any order; at most one for each series and x.
 * @throws {RangeError} If there are no rows or no value, two rows disagree about one point, or an axis cannot show a value.
 * @throws {TypeError} If a drawn field is neither a number nor `null`.
 */
export function lineChart<Row extends object>(rows: readonly Row[], options: LineOptions<Row>): Figure {
  checkFigure(rows, options);
  const { dashed, height = HEIGHT, xTitle, yTitle, yDomain, ySpacing } = options;
  const marks = readPoints(rows, options);
  const form = intervalForm(marks);
  return seriesChart(rows, options, {
    marks,
    drawnAs: isFaceted(marks) ? "bands or bars" : form,
    notes: [
      ...(marks.some((point) => point.dashed) ? [`dashed: ${dashed?.means}`] : []),
      ...(marks.some(({ isFew }) => isFew) ? [`no line between points of fewer than ${MIN_JOINED} samples`] : []),
    ],
    view: POINTS,
    zoom: {
      views: isFaceted(marks) ? distinctOf(marks.map(({ series }) => series)).map((_, at) => pointsOf(at)) : [POINTS],
      axes: options.xSpacing === "steps" ? ["y"] : ["x", "y"],
    },
    axes: { x: xTitle, y: JSON.stringify([yTitle, yDomain, ySpacing, height]) },
    ...(yDomain === undefined ? { yEnds: endsOf(heightsOf(marks, options)) } : {}),
    labelsFor: (names, width, isAlone) =>
      isAlone && isFaceted(marks) ? WITHOUT_LEGEND : endLabelRoom(names, { width, height }),
    draw: drawLines,
  });
}

const HEIGHT = 300;

/** Points of fewer samples are not joined: a line between them would show chance. */
const MIN_JOINED = 5;

/** The layer whose marks a legend picks: Vega-Lite allows only one. */
const POINTS = "points";

/** Returns the name of the layer of the points of a chart, or of a small chart by its place. */
function pointsOf(small = 0): string {
  return small === 0 ? POINTS : `${POINTS}_of_${small}`;
}

/** Options for a line chart. */
export interface LineOptions<Row> extends PlaneOptions<Row>, IntervalOptions<Row> {
  readonly xLabel?: (value: number) => string;
  /** Lines across the chart, such as the score of a baseline. */
  readonly thresholds?: readonly Threshold[];
  /** Dashed stretches, and their meaning for the note: the stretch that leads to a row for which `when` holds is dashed. */
  readonly dashed?: { readonly when: (row: Row) => boolean; readonly means: string };
}

/** More series than this with intervals, at more places than this, have a small chart each. */
const MAX_BESIDE = 4;

function intervalForm(points: readonly Point<unknown>[]): IntervalForm {
  const known = points.filter(hasInterval);
  if (distinctOf(known.map(({ series }) => series)).length > DISTINCT.length) return "in tooltips";
  const places = [...Map.groupBy(known, ({ x }) => x).values()].filter(({ length }) => length > 1);
  return places.filter(overlap).length * 3 > places.length ? "bars" : "band";
}

function overlap(points: readonly Interval[]): boolean {
  const sorted = points.toSorted((one, other) => one.low! - other.low!);
  return sorted.some(({ low }, at) => at > 0 && low! < Math.max(...sorted.slice(0, at).map(({ high }) => high!)));
}

function isFaceted(points: readonly Point<unknown>[]): boolean {
  const known = points.filter(hasInterval);
  const count = (field: "series" | "x"): number => distinctOf(known.map((point) => point[field])).length;
  return intervalForm(points) === "bars" && count("series") > MAX_BESIDE && count("x") > MAX_BESIDE;
}

/** Reads the points of a line chart in the order of x, and refuses those that the axes cannot show. */
function readPoints<Row extends object>(rows: readonly Row[], options: LineOptions<Row>): Point<Row>[] {
  const { title, dashed, n, xSpacing = "lengths", ySpacing, yDomain } = options;
  const countOf = (row: Row): number =>
    readNumber(row as { readonly n?: unknown }, "n", title) ?? (typeof n === "number" ? n : Infinity);
  const points = rows.map((row): Point<Row> => ({
    row,
    series: seriesOf(row, options),
    x: needNumber(row, options.x, title),
    y: readNumber(row, options.y, title),
    ...readInterval(row, options, readNumber(row, options.y, title)),
    dashed: dashed?.when(row) ?? false,
    isFew: countOf(row) < MIN_JOINED,
  }));
  needValues(points.map(({ y }) => y), options.y, title);
  for (const { x, y, ...interval } of points) {
    checkValue(x, { title, field: options.x, spacing: xSpacing });
    checkValue(y, { title, field: options.y, domain: yDomain, spacing: ySpacing });
    checkInterval(interval, title, ySpacing);
  }
  // An interval that reaches beyond the axis is clipped.
  const clipped = (value: number | null): number | null =>
    value === null || yDomain === undefined ? value : Math.min(Math.max(value, yDomain[0]), yDomain[1]);
  return mergeTwins(points, options).map((point) =>
    hasInterval(point) ? { ...point, low: clipped(point.low), high: clipped(point.high) } : point
  ).sort((left, right) => left.x - right.x);
}

/** Merges two rows of one point; tables repeat the point between a solid and a dashed stretch. */
function mergeTwins<Row extends object>(
  points: readonly Point<Row>[],
  { title, x }: LineOptions<Row>,
): readonly Point<Row>[] {
  const merged = new Map<string, Point<Row>>();
  for (const point of points) {
    const place = JSON.stringify([point.series, point.x]);
    const twin = merged.get(place);
    if (twin !== undefined && (twin.y !== point.y || twin.low !== point.low || twin.high !== point.high)) {
      const found = `two rows of ${point.series} at ${point.x}`;
      throw cannotDraw(title, `each series must have one value for each ${x}`, found);
    }
    merged.set(place, twin === undefined ? point : { ...twin, dashed: twin.dashed && point.dashed });
  }
  return [...merged.values()];
}

function drawLines<Row extends object>(
  points: readonly Point<Row>[],
  parts: SeriesParts<LineOptions<Row>>,
): Drawing {
  const { style, frame } = parts;
  const yDomain = parts.options.yDomain ?? frame.shared?.yDomain;
  const options = yDomain === undefined ? parts.options : { ...parts.options, yDomain };
  if (!frame.isAlone || !isFaceted(points)) return drawPlane(points, { options, style, frame });
  const [columns, height] = frame.width < NARROW ? [2, 110] : [3, 140];
  const { left } = divideFrame(frame, endLabels(heightsOf(points, options), options.yDomain));
  const inner = Math.floor((frame.width - left - (columns - 1) * (FACET_GUTTER + WITHOUT_AXIS)) / columns);
  const facets = style.names.map((name, at) => {
    const isFirst = at % columns === 0;
    const shared = { y: !isFirst, xTitle: at + columns < style.names.length };
    const width = inner + (isFirst ? left : WITHOUT_AXIS);
    const { body } = drawPlane(points, {
      ...parts,
      options: { ...options, height },
      frame: { ...frame, width, shared },
    }, at);
    const text = wrapText(plainText(name), { width: inner, size: NOTE_SIZE, weight: "bold" });
    return { ...withTopSpace(body), title: { text, fontSize: NOTE_SIZE, lineHeight: 15, offset: 6, frame: "group" } };
  });
  return { left, body: { concat: facets, columns, spacing: FACET_GUTTER } };
}

const FACET_GUTTER = 18;

function heightsOf(points: readonly Point<unknown>[], { thresholds = [] }: LineOptions<never>): number[] {
  const levels = thresholds.map(({ y }) => y);
  return [...points.flatMap(({ y, low, high }) => [y, low, high]).filter((value) => value !== null), ...levels];
}

/** Draws all series on one plane; with `only`, an index of a series, the others are grey lines behind it. */
function drawPlane<Row extends object>(
  points: readonly Point<Row>[],
  { options, style, frame }: SeriesParts<LineOptions<Row>>,
  only?: number,
): Drawing {
  const { xSpacing = "lengths", ySpacing = "linear", xLabel, height = HEIGHT, thresholds = [] } = options;
  const ys = heightsOf(points, options);
  const xs = points.map(({ x }) => x);
  const form = only === undefined ? intervalForm(points) : "band";
  const ranged = form === "bars" ? distinctOf(points.filter(hasInterval).map(({ series }) => series)) : [];
  const most = Math.min(MAX_STEP, MAX_SPREAD / ranged.length);
  const aside = ranged.length === 0 ? 0 : most * (ranged.length - 1) / 2;
  const { left, width, channels } = planeOf(xs, ys, { options, xSpacing, xLabel, aside, style, frame });
  const places = distinctOf(xs).toSorted((one, other) => one - other);
  const acrossOf = xSpacing === "steps"
    ? (x: number): number => (places.indexOf(x) + 0.4) / (places.length - 0.2)
    : shareWithin(endsOf(xs), xSpacing);
  const shareOf = shareWithin(options.yDomain ?? endsOf(ys), ySpacing);
  const runs = runsOf(points);
  // Roughly where lines and intervals are, in shares of width and height.
  const lines = [
    ...runs.map((run): Place[] => run.points.map(({ x, y }) => ({ x: acrossOf(x), y: shareOf(y) }))),
    ...points.filter(hasInterval).map(({ x, low, high }): Place[] =>
      [low!, high!].map((y) => ({ x: acrossOf(x), y: shareOf(y) }))
    ),
  ];
  const levels = thresholds.map((threshold) => (
    { ...threshold, colour: style.colours[style.series.findIndex((name) => name === threshold.series)] ?? SOFT_INK }
  ));
  const place = { width, height, channels, lines, shareOf };
  const isMarked = areMarked(points);
  const textsOf = (point: Point<unknown>): object => pointTexts(point as Point<Row>, options);
  const fields = isMarked ? ["xText", ...tipFields(options)] : [];
  const { rows: values, lookUps } = withTables(lineData(runs, true, isMarked ? textsOf : undefined), fields);
  const shown = isMarked ? values : lineData(runsOf(thinned(points)), true, textsOf);
  const xOffset = asideOf(ranged, { most, places, acrossOf, width: width - 2 * aside });
  const name = only === undefined ? undefined : style.names[only]!;
  const filters = name === undefined ? [] : [{ filter: `datum.series === ${JSON.stringify(name)}` }];
  const parts = { channels, values, filters, xOffset };
  const layer = [
    ...thresholdRules(levels, channels),
    ...(name === undefined ? [] : [contextLayer(lineData(runs, false), name, channels)]),
    ...intervalLayers(form, parts),
    ...strokeLayers(runs, parts),
    pointLayer({ ...parts, values: shown, filters: [...filters, ...lookUps] }, {
      options,
      style,
      isMarked,
      name: pointsOf(only),
    }),
    ...((only ?? 0) === 0 ? thresholdLabels(levels, place) : []),
    ...(frame.isDirect ? endLabelLayers(endsOfLines(points, style, shareOf), { ...place, style, xOffset }) : []),
  ];
  return { left, body: { width, height, layer } };
}

/** Returns the distance of marks to the side, so that bars do not overlap, and every mark stays nearest to its own value of x. */
function asideOf(
  ranged: readonly string[],
  { most, places, acrossOf, width }: {
    readonly most: number;
    readonly places: readonly number[];
    readonly acrossOf: (x: number) => number;
    readonly width: number;
  },
): Spec {
  if (ranged.length < 2) return {};
  const gaps = places.slice(1).map((x, at) => width * (acrossOf(x) - acrossOf(places[at]!)));
  const steps = places.map((x, at) => {
    const room = Math.min(gaps[at - 1] ?? width, gaps[at] ?? width);
    return [fourDigits(x), fourDigits(Math.min(most, 0.7 * room / ranged.length))];
  });
  const ranks = ranged.map((name, at) => [name, at - (ranged.length - 1) / 2]);
  const [rank, step] = [ranks, steps].map((entries) => `(${JSON.stringify(Object.fromEntries(entries))})`);
  return { xOffset: { expr: `(${rank}[datum.series] || 0) * ${step}[datum.x]` } };
}

function endsOfLines(
  points: readonly Point<unknown>[],
  style: SeriesStyle,
  shareOf: (y: number) => number,
): LineEnd[] {
  return style.names.flatMap((name) => {
    const end = points.findLast(({ series, y }) => series === name && y !== null);
    if (end === undefined) return [];
    return [{ series: name, x: end.x, y: end.y!, share: shareOf(end.y!) }];
  });
}

/** Longer lines have no marked points. */
const MAX_MARKED = 40;

function areMarked(points: readonly Point<unknown>[]): boolean {
  return Map.groupBy(points, ({ series }) => series).values().every(({ length }) => length <= MAX_MARKED);
}

function pointTexts<Row extends object>({ row, x, y, ...ends }: Point<Row>, options: LineOptions<Row>): object {
  const { xSpacing = "lengths", xLabel = xSpacing === "lengths" ? lengthLabel : numberText } = options;
  const { text, range } = describeValue(y, ends);
  return { xText: plainText(xLabel(x)), yText: text, ...range, ...tipValues(row, options) };
}

/**
 * Returns the layer of the points, with their tooltips and descriptions for screen readers. On long lines the points are
 * invisible, and only some of them, evenly spaced, have tooltips.
 */
function pointLayer<Row extends object>(
  { values, filters, channels, xOffset }: LayerParts,
  { options, style, isMarked, name }: Omit<SeriesParts<LineOptions<Row>>, "frame"> & {
    readonly isMarked: boolean;
    readonly name: string;
  },
): Spec {
  const { xTitle, yTitle, series, seriesTitle = "Series", interval, tooltips } = options;
  const own = {
    ...(series === undefined ? {} : { series: seriesTitle }),
    xText: xTitle,
    yText: yTitle,
    ...(values.some((value) => "range" in value) ? { range: interval ?? "Interval" } : {}),
  };
  return {
    name,
    data: { values },
    transform: filters,
    mark: {
      type: "point",
      filled: true,
      size: 50,
      stroke: "white",
      strokeWidth: 0.75,
      description: aboutOf([...(series === undefined ? [] : ["series"]), "xText"], "yText", options),
      ...xOffset,
    },
    encoding: {
      x: channels.x,
      y: channels.y,
      color: channels.colour,
      tooltip: tips(own, tooltips),
      ...(isMarked
        ? { shape: shapeChannel(style, channels.colour), opacity: fading(1, 0.12) }
        : { opacity: { value: 0 } }),
    },
  };
}

function thinned<Row>(points: readonly Point<Row>[]): Point<Row>[] {
  return Map.groupBy(points, ({ series }) => series).values().flatMap((line) => {
    const step = Math.ceil(line.length / MAX_MARKED);
    return line.filter((_, index) => index % step === 0 || index === line.length - 1);
  }).toArray();
}
