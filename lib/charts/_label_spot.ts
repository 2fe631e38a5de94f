import { textWidth } from "./_text.ts";
import { LABEL_SIZE } from "./_theme.ts";

/** A place in a chart: shares of its width from the left and of its height from the bottom. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Where the label of a level line stands. */
export interface Spot {
  readonly side: "left" | "right";
  readonly over: boolean;
}

const SPOTS: readonly Spot[] = [
  { side: "left", over: false },
  { side: "right", over: true },
  { side: "right", over: false },
  { side: "left", over: true },
];
const LINE = 17;

/** Finds the end and side of a level line where its label covers least of the other lines. */
export function labelSpot(
  label: string,
  options: {
    /** Height of the level line, as a share of the chart's. */
    readonly at: number;
    readonly lines: readonly (readonly Place[])[];
    readonly width: number;
    readonly height: number;
  },
): Spot {
  const { at, lines, width, height } = options;
  const across = Math.min(1, (textWidth(label, LABEL_SIZE) + 10) / width);
  const places = lines.flatMap(densely);
  const covered = SPOTS.map(({ side, over }) => {
    const [low, high] = over ? [at, at + LINE / height] : [at - LINE / height, at];
    if (low < 0 || high > 1) return Infinity;
    return places.filter(({ x, y }) => y > low && y < high && (side === "left" ? x < across : x > 1 - across)).length;
  });
  return SPOTS[covered.indexOf(Math.min(...covered))]!;
}

/** The places along a line, a hundredth of the chart's width apart. */
function densely(line: readonly Place[]): Place[] {
  return line.slice(1).flatMap((end, index) => {
    const start = line[index]!;
    const steps = Math.max(1, Math.ceil((end.x - start.x) * 100));
    return Array.from({ length: steps + 1 }, (_, step) => ({
      x: start.x + (end.x - start.x) * step / steps,
      y: start.y + (end.y - start.y) * step / steps,
    }));
  });
}
