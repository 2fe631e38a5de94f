import { type Channels, fading } from "./legend.ts";
import type { Interval } from "./row_values.ts";
import { GAP, type Spec } from "./theme.ts";

/** How intervals are drawn: bands; where those of several series overlap bars side by side; and not at all for too many series. */
export type IntervalForm = "band" | "bars" | "in tooltips";

export interface Point<Row> extends Interval {
  readonly row: Row;
  readonly series: string;
  readonly x: number;
  /** `null` is a gap in the line. */
  readonly y: number | null;
  /** Whether the line that leads to the point is dashed. */
  readonly dashed: boolean;
  /** Whether the point has too few samples for a line. */
  readonly isFew: boolean;
}

/** A stretch of a line with no gap in it and one kind of stroke. */
interface Run {
  readonly dashed: boolean;
  readonly points: readonly (Point<unknown> & { readonly y: number })[];
}

export function runsOf(points: readonly Point<unknown>[]): Run[] {
  return Map.groupBy(points, ({ series }) => series).values().flatMap(splitLine).toArray();
}

/**
 * Splits a line at every gap, at points of too few samples, and wherever the stroke changes. A run with a new stroke starts at the last point of the previous
 * run, so that the line stays connected.
 */
function splitLine(points: readonly Point<unknown>[]): Run[] {
  const runs: { dashed: boolean; points: Run["points"][number][] }[] = [];
  let before: Run["points"][number] | undefined;
  for (const point of points) {
    if (point.y === null) {
      before = undefined;
      continue;
    }
    const drawn = { ...point, y: point.y };
    const last = runs.at(-1);
    if (before === undefined || last === undefined || drawn.isFew || before.isFew) {
      runs.push({ dashed: drawn.dashed, points: [drawn] });
    } else if (last.dashed === drawn.dashed || last.points.length === 1) {
      last.dashed = drawn.dashed;
      last.points.push(drawn);
    } else {
      runs.push({ dashed: drawn.dashed, points: [before, drawn] });
    }
    before = drawn;
  }
  return runs;
}

/** A row of the data that the marks of a line chart share: a point, with the number of its stretch. */
export interface LineDatum {
  readonly series: string;
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
  /** The number of its stretch, if a line leads to another point. */
  readonly run?: number;
}

/** Returns a row for each point of each stretch; with `once`, a point that two stretches share has one. */
export function lineData(
  runs: readonly Run[],
  once: boolean,
  textsOf: (point: Point<unknown>) => object = () => ({}),
): LineDatum[] {
  const seen = new Set<string>();
  return runs.flatMap(({ points }, run) =>
    points.filter(({ series, x }) => !once || seen.size < seen.add(JSON.stringify([series, x])).size)
      .map((point): LineDatum => {
        const { series, x, y, low, high } = point;
        const ends = low === null || high === null ? {} : { low, high };
        return { series, x, y, ...(points.length === 1 ? {} : { run }), ...ends, ...textsOf(point) };
      })
  );
}

export interface LayerParts {
  readonly channels: Channels;
  /** Data from {@linkcode lineData}, which layers share. */
  readonly values: readonly LineDatum[];
  /** Which rows are drawn: those of one series, or all. */
  readonly filters: readonly Spec[];
  /** The distance of a mark to the side. */
  readonly xOffset: Spec;
}

const JOINED = { filter: "isValid(datum.run)" };
const RANGED = { filter: "isValid(datum.low)" };

/** Returns the layers of the lines: those with dashes have data of their own, as a stretch begins with the last point of the one before. */
export function strokeLayers(runs: readonly Run[], { channels, values, filters, xOffset }: LayerParts): Spec[] {
  const hasDashes = runs.some((run) => run.dashed);
  return [false, true].flatMap((dashed) => {
    const drawn = runs.filter((run) => run.dashed === dashed && run.points.length > 1);
    if (drawn.length === 0) return [];
    const dash = dashed ? { strokeDash: [6, 4] } : {};
    const mark = { type: "line", strokeWidth: 2, ...xOffset, tooltip: null, aria: false, ...dash };
    const encoding = path(channels, { opacity: fading(1, 0.12) });
    const data = { values: hasDashes ? lineData(drawn, false) : values };
    return [{ data, transform: [...filters, JOINED], mark, encoding }];
  });
}

/** Returns the grey lines of the other series, behind the one of a small chart. */
export function contextLayer(values: readonly LineDatum[], name: string, { x, y }: Channels): Spec {
  return {
    data: { values },
    transform: [JOINED, { filter: `datum.series !== ${JSON.stringify(name)}` }],
    mark: { type: "line", strokeWidth: 1, color: GAP, tooltip: null, aria: false },
    encoding: { x, y, detail: { field: "run", type: "nominal" } },
  };
}

function path({ x, y, colour }: Channels, more: Spec): Spec {
  return { x, y, color: colour, detail: { field: "run", type: "nominal" }, ...more };
}

/** Returns the layers of the intervals: a band, and bars for isolated points; or bars alone. */
export function intervalLayers(form: IntervalForm, { channels, values, filters, xOffset }: LayerParts): Spec[] {
  if (form === "in tooltips") return [];
  const ranged = values.filter(({ low }) => low !== undefined);
  const countOf = Map.groupBy(ranged, ({ run }) => run);
  const alone = ranged.filter(({ run }) => run === undefined || countOf.get(run)!.length === 1);
  const encoding = (shown: number, faded: number): Spec =>
    path({ ...channels, y: { ...channels.y, field: "low" } }, { y2: { field: "high" }, opacity: fading(shown, faded) });
  const band = {
    data: { values },
    transform: [...filters, JOINED, RANGED],
    mark: { type: "area", tooltip: null, aria: false },
    encoding: encoding(0.18, 0.02),
  };
  const bars = {
    data: { values: form === "bars" ? values : alone },
    transform: [...filters, RANGED],
    mark: { type: "rule", strokeWidth: 1.5, ...xOffset, tooltip: null, aria: false },
    encoding: encoding(0.7, 0.06),
  };
  if (form === "bars") return ranged.length === 0 ? [] : [bars];
  return [...(alone.length < ranged.length ? [band] : []), ...(alone.length === 0 ? [] : [bars])];
}

export function hasInterval({ low, high }: Interval): boolean {
  return low !== null && high !== null;
}
