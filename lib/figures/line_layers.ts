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

export function strokeLayers(runs: readonly Run[], channels: Channels, xOffset: number): Spec[] {
  return [false, true].flatMap((dashed) => {
    const values = lineValues(runs.filter((run) => run.dashed === dashed));
    if (values.length === 0) return [];
    const dash = dashed ? { strokeDash: [6, 4] } : {};
    const mark = { type: "line", strokeWidth: 2, xOffset, tooltip: null, aria: false, ...dash };
    return [{ data: { values }, mark, encoding: path(channels, { opacity: fading(1, 0.12) }) }];
  });
}

function lineValues(runs: readonly Run[]): Spec[] {
  return runs.flatMap(({ points }, run) =>
    points.length === 1 ? [] : points.map(({ series, x, y }) => ({ series, x, y, run: `${series} ${run}` }))
  );
}

/** Returns the grey lines of the other series, behind the one of a small chart. */
export function contextLayer(runs: readonly Run[], { x, y }: Channels): Spec {
  return {
    data: { values: lineValues(runs) },
    mark: { type: "line", strokeWidth: 1, color: GAP, tooltip: null, aria: false },
    encoding: { x, y, detail: { field: "run", type: "nominal" } },
  };
}

function path({ x, y, colour }: Channels, more: Spec): Spec {
  return { x, y, color: colour, detail: { field: "run", type: "nominal" }, ...more };
}

/** Returns the layers of the intervals of a series: a band, and bars for isolated points; or bars alone. */
export function intervalLayers(
  runs: readonly Run[],
  { channels, form, xOffset }: {
    readonly channels: Channels;
    readonly form: IntervalForm;
    readonly xOffset: number;
  },
): Spec[] {
  if (form === "in tooltips") return [];
  const stretches = runs.map(({ points }) => points.filter(hasInterval));
  const joined = form === "band" ? stretches.filter(({ length }) => length > 1) : [];
  const alone = form === "band" ? stretches.filter(({ length }) => length === 1).flat() : stretches.flat();
  const encoding = (shown: number, faded: number): Spec =>
    path({ ...channels, y: { ...channels.y, field: "low" } }, { y2: { field: "high" }, opacity: fading(shown, faded) });
  const values = (points: Run["points"], run: number): Spec[] =>
    points.map(({ series, x, low, high }) => ({ series, x, low, high, run }));
  const band = {
    data: { values: joined.flatMap(values) },
    mark: { type: "area", tooltip: null, aria: false },
    encoding: encoding(0.18, 0.02),
  };
  const bars = {
    data: { values: values(alone, 0) },
    mark: { type: "rule", strokeWidth: 1.5, xOffset, tooltip: null, aria: false },
    encoding: encoding(0.7, 0.06),
  };
  return [band, bars].filter(({ data }) => data.values.length > 0);
}

export function hasInterval({ low, high }: Interval): boolean {
  return low !== null && high !== null;
}
