import { type Channels, fading } from "./_channels.ts";
import type { Spec } from "./figure.ts";
import { type Drawn, type Point, type Run, runsOf } from "./_runs.ts";

/** The name of the layer that holds the points. */
export const POINTS = "points";

/** The layers that draw lines and their intervals; what has no neighbour to be joined to gets a bar. */
export function lineLayers(
  points: readonly Point[],
  options: { readonly channels: Channels; readonly bars: boolean },
): Spec[] {
  const { channels, bars } = options;
  const runs = Map.groupBy(points, ({ series }) => series).values().flatMap(runsOf).toArray();
  const strokes = (dashed: boolean): Spec[] => pathData(runs.filter((run) => run.dashed === dashed));
  return [
    ...intervals(runs, { channels, bars }),
    ...[false, true].flatMap((dashed) => {
      const values = strokes(dashed);
      if (values.length === 0) return [];
      const mark = {
        type: "line",
        strokeWidth: 2,
        tooltip: null,
        aria: false,
        ...(dashed ? { strokeDash: [6, 4] } : {}),
      };
      return [{ data: { values }, mark, encoding: path(channels, { opacity: fading(1, 0.12) }) }];
    }),
  ];
}

function path({ x, y, colour }: Channels, more: Spec): Spec {
  return { x, y, color: colour, detail: { field: "run", type: "nominal" }, ...more };
}

function pathData(runs: readonly Run[]): Spec[] {
  return runs.flatMap(({ points }, run) =>
    points.length === 1 ? [] : points.map(({ series, x, y }) => ({ series, x, y, run }))
  );
}

function intervals(runs: readonly Run[], options: { readonly channels: Channels; readonly bars: boolean }): Spec[] {
  const { channels, bars } = options;
  const stretches = runs.map(({ points }) => points.filter(hasInterval));
  const joined = bars ? [] : stretches.filter(({ length }) => length > 1);
  const alone = bars ? stretches.flat() : stretches.filter(({ length }) => length === 1).flat();
  const encoding = (shown: number, faded: number): Spec =>
    path({ ...channels, y: { ...channels.y, field: "low" } }, { y2: { field: "high" }, opacity: fading(shown, faded) });
  const values = (points: readonly Drawn[], run: number): Spec[] =>
    points.map(({ series, x, low, high }) => ({ series, x, low, high, run }));
  return [
    {
      data: { values: joined.flatMap(values) },
      mark: { type: "area", tooltip: null, aria: false },
      encoding: encoding(0.14, 0.02),
    },
    {
      data: { values: values(alone, 0) },
      mark: { type: "rule", strokeWidth: 1.5, tooltip: null, aria: false },
      encoding: encoding(0.6, 0.06),
    },
  ].filter(({ data }) => data.values.length > 0);
}

function hasInterval({ low, high }: Point): boolean {
  return low !== null && high !== null;
}
