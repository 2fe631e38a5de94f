/**
 * Splits the points of one series, in the order of x, at every gap and wherever the stroke changes. A run with a new
 * stroke starts at the point where the run before it ends, so that the line stays whole.
 */
export function runsOf(points: readonly Point[]): Run[] {
  const runs: { dashed: boolean; points: Drawn[] }[] = [];
  let before: Drawn | undefined;
  for (const point of points) {
    if (point.y === null) {
      before = undefined;
      continue;
    }
    const drawn: Drawn = { ...point, y: point.y };
    const last = runs.at(-1);
    if (before === undefined || last === undefined) {
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

/** One point of a line. */
export interface Point {
  readonly series: string;
  readonly x: number;
  /** `null` where there is no value: the line is broken there. */
  readonly y: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Whether the line that leads here is dashed. */
  readonly dashed: boolean;
}

/** A point with a value. */
interface Drawn extends Point {
  readonly y: number;
}

/** A stretch of a line with no gap in it and one kind of stroke. */
export interface Run {
  readonly dashed: boolean;
  readonly points: readonly Drawn[];
}
