import type { Spacing } from "./_axis.ts";
import type { Place } from "./_label_spot.ts";
import { type Domain, endsOf } from "./_rows.ts";
import { type Point, runsOf } from "./_runs.ts";

/** Roughly where the lines of a chart run, in shares of its width and height. */
export function placesOf(
  points: readonly Point[],
  options: { readonly xSpacing: Spacing; readonly shareOf: (y: number) => number },
): Place[][] {
  const xs = points.map(({ x }) => x);
  const across = shareWithin(endsOf(xs), options.xSpacing);
  const runs = Map.groupBy(points, ({ series }) => series).values().flatMap(runsOf);
  return runs.map((run) => run.points.map(({ x, y }) => ({ x: across(x), y: options.shareOf(y) }))).toArray();
}

/** Where a value stands between the ends of an axis: 0 at the lower, 1 at the upper. */
export function shareWithin([low, high]: Domain, spacing: Spacing): (value: number) => number {
  const scaled = spacing === "linear" ? (value: number): number => value : Math.log;
  const span = scaled(high) - scaled(low);
  return (value) => span === 0 ? 0.5 : (scaled(value) - scaled(low)) / span;
}
