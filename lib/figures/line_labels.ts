import type { Channels, LegendPlace } from "./legend.ts";
import { numberText, plainText, textWidth } from "./text_fit.ts";
import { type SeriesStyle, shapeChannel } from "./series_chart.ts";
import { type Domain, INK, LABEL_SIZE, type Spec } from "./theme.ts";

const LABEL_LINE = LABEL_SIZE + 3;
/** From the end of the chart to the labels, in pixels, and from their symbols to their texts. */
const GAP = 18;
const SYMBOL = 8;

/** Returns the room beside a chart for the names of its lines; `null` if they do not fit. */
export function endLabelRoom(
  names: readonly string[],
  { width, height }: { readonly width: number; readonly height: number },
): LegendPlace | null {
  const room = Math.ceil(GAP + SYMBOL + Math.max(...names.map((name) => textWidth(plainText(name), LABEL_SIZE))));
  const fits = names.length > 1 && names.length * LABEL_LINE <= height && room <= width * 0.4;
  return fits ? { legend: null, room, isDirect: true } : null;
}

export interface LineEnd {
  readonly series: string;
  readonly x: number;
  readonly y: number;
  /** The approximate position of y on its axis: 0 at the lower end, 1 at the upper. */
  readonly share: number;
}

/** Returns the layers that write the names of lines beside the chart, each joined to the end of its line by a thin rule. */
export function endLabelLayers(
  ends: readonly LineEnd[],
  { width, height, channels, style, xOffset }: {
    readonly width: number;
    readonly height: number;
    readonly channels: Channels;
    readonly style: SeriesStyle;
    readonly xOffset: Spec;
  },
): Spec[] {
  const sorted = ends.toSorted((left, right) => right.share - left.share);
  const places = spread(sorted.map(({ share }) => (1 - share) * height), [LABEL_LINE / 2, height - LABEL_LINE / 2]);
  const { x, y, colour } = channels;
  const data = { values: sorted.map((end, at) => ({ series: end.series, x: end.x, y: end.y, place: places[at]! })) };
  const place = { value: { expr: "datum.place" } };
  const silent = { tooltip: null, aria: false, clip: false };
  return [
    {
      data,
      mark: { type: "rule", strokeWidth: 0.75, opacity: 0.55, ...xOffset, ...silent },
      encoding: { x, y, color: colour, x2: { value: width + GAP }, y2: place },
    },
    {
      data,
      mark: { type: "point", filled: true, size: 40, opacity: 1, ...silent },
      encoding: { x: { value: width + GAP }, y: place, color: colour, shape: shapeChannel(style, colour) },
    },
    {
      data,
      mark: { type: "text", color: INK, align: "left", baseline: "middle", fontSize: LABEL_SIZE, ...silent },
      encoding: {
        x: { value: width + GAP + SYMBOL },
        y: place,
        text: { field: "series", type: "nominal" },
      },
    },
  ];
}

/**
 * Moves overlapping labels apart by the minimum: labels that touch become a block around their mean.
 *
 * @param places In ascending order.
 */
export function spread(places: readonly number[], [low, high]: Domain): number[] {
  const blocks: { middle: number; count: number }[] = [];
  const reach = ({ count }: { readonly count: number }): number => (count - 1) * LABEL_LINE / 2;
  const inside = (middle: number, count: number): number =>
    Math.min(Math.max(middle, low + reach({ count })), high - reach({ count }));
  for (const place of places) {
    let block = { middle: inside(place, 1), count: 1 };
    let before = blocks.at(-1);
    while (before !== undefined && before.middle + reach(before) + LABEL_LINE > block.middle - reach(block) + 1e-9) {
      const count = before.count + block.count;
      block = { middle: inside((before.middle * before.count + block.middle * block.count) / count, count), count };
      blocks.pop();
      before = blocks.at(-1);
    }
    blocks.push(block);
  }
  return blocks.flatMap((block) =>
    Array.from({ length: block.count }, (_, at) => block.middle - reach(block) + at * LABEL_LINE)
  );
}

/** A level line across a chart, with its name. */
export interface Threshold {
  readonly y: number;
  /** The meaning of the line, including its number. */
  readonly label: string;
  /** The series whose colour the line has; grey by default. */
  readonly series?: string;
}

interface Level extends Threshold {
  readonly colour: string;
}

export function thresholdRules(levels: readonly Level[], { y }: Channels): Spec[] {
  const values = levels.map((level) => ({ y: level.y, colour: level.colour }));
  const color = { expr: "datum.colour" };
  const mark = { type: "rule", color, strokeWidth: 1.25, strokeDash: [2, 3], tooltip: null, aria: false };
  return values.length === 0 ? [] : [{ data: { values }, mark, encoding: { y } }];
}

interface LabelOptions {
  readonly channels: Channels;
  readonly width: number;
  readonly height: number;
  /** The lines of the chart, which the labels must avoid. */
  readonly lines: readonly (readonly Place[])[];
  /** Returns the position of a value on the vertical axis, as a share of the chart's height. */
  readonly shareOf: (y: number) => number;
}

/** Returns the layers of the labels of thresholds, or of their numbers in a narrow chart, with a white rim before lines. */
export function thresholdLabels(levels: readonly Level[], options: LabelOptions): Spec[] {
  const { channels, width, shareOf } = options;
  return levels.flatMap(({ y, label, colour }) => {
    const others = levels.filter((other) => other.y !== y).map((other) =>
      [0, 1].map((x) => ({ x, y: shareOf(other.y) }))
    );
    const fits = textWidth(label, LABEL_SIZE) + 10 <= width;
    const text = fits ? plainText(label) : numberText(y);
    const side = besideLevel(labelSpot(text, { ...options, lines: [...options.lines, ...others], at: shareOf(y) }));
    const own = { type: "text", text, fontSize: LABEL_SIZE, tooltip: null, ...side };
    const rim = { ...own, color: "white", stroke: "white", strokeWidth: 3, strokeJoin: "round", aria: false };
    return [rim, { ...own, color: colour }].map((mark) => ({ ...placeOf(y, channels), mark }));
  });
}

function besideLevel({ side, over }: Spot): Spec {
  const across = side === "left" ? { x: 5 } : { x: "width", dx: -5 };
  return { ...across, align: side, baseline: over ? "bottom" : "top", dy: over ? -4 : 4 };
}

function placeOf(y: number, channels: Channels): Spec {
  return { data: { values: [{ y }] }, encoding: { y: channels.y } };
}

/** A place in a chart: shares of its width from the left and of its height from the bottom. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

interface Spot {
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

/** Returns the end and side of a level line where its label covers the fewest points of lines and intervals. */
function labelSpot(
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

/** Returns the places along a line, at most a hundredth of the chart apart. */
function densely(line: readonly Place[]): Place[] {
  return line.slice(1).flatMap((end, index) => {
    const start = line[index]!;
    const steps = Math.max(1, Math.ceil(Math.max(end.x - start.x, Math.abs(end.y - start.y)) * 100));
    return Array.from({ length: steps + 1 }, (_, step) => ({
      x: start.x + (end.x - start.x) * step / steps,
      y: start.y + (end.y - start.y) * step / steps,
    }));
  });
}
