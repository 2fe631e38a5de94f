import { plainText, textWidth } from "./text_fit.ts";
import { type Channels, type Domain, LABEL_SIZE, type LegendPlace, type Spec } from "./theme.ts";

/** More lines than this have their names at their ends instead of in a legend. */
export const MAX_IN_LEGEND = 7;
/** The height of a line of labels, in pixels. */
const LINE = LABEL_SIZE + 3;
/** From the end of the chart to the labels, in pixels. */
const GAP = 14;

/** Returns the room beside a chart for the names of its lines; `null` if a legend is better, or the names do not fit. */
export function endLabelRoom(
  names: readonly string[],
  { width, height }: { readonly width: number; readonly height: number },
): LegendPlace | null {
  const room = Math.ceil(GAP + Math.max(...names.map((name) => textWidth(plainText(name), LABEL_SIZE))));
  const fits = names.length > MAX_IN_LEGEND && names.length * LINE <= height && room <= width * 0.4;
  return fits ? { legend: null, room } : null;
}

/** The last point of a line. */
export interface LineEnd {
  readonly name: string;
  readonly colour: string;
  readonly x: number;
  readonly y: number;
  /** The approximate position of y on its axis: 0 at the lower end, 1 at the upper. */
  readonly share: number;
}

/** Returns the layers that write the names of lines beside the chart, each joined to the end of its line by a thin rule. */
export function endLabelLayers(
  ends: readonly LineEnd[],
  { width, height, channels }: { readonly width: number; readonly height: number; readonly channels: Channels },
): Spec[] {
  const sorted = ends.toSorted((left, right) => right.share - left.share);
  const places = spread(sorted.map(({ share }) => (1 - share) * height), [LINE / 2, height - LINE / 2]);
  const { x, y } = channels;
  return sorted.flatMap(({ name, colour, ...end }, at): Spec[] => {
    const place = { value: places[at]! };
    return [
      {
        data: { values: [{ x: end.x, y: end.y }] },
        mark: { type: "rule", color: colour, strokeWidth: 0.75, opacity: 0.55, tooltip: null, aria: false },
        encoding: { x, y, x2: { value: width + GAP - 3 }, y2: place },
      },
      {
        data: { values: [{}] },
        mark: {
          ...{ type: "text", text: plainText(name), color: colour, align: "left", baseline: "middle" },
          ...{ fontSize: LABEL_SIZE, tooltip: null, aria: false },
        },
        encoding: { x: { value: width + GAP }, y: place },
      },
    ];
  });
}

/**
 * Moves overlapping labels apart by the minimum: labels that touch become a block around their mean.
 *
 * @param places In ascending order.
 */
export function spread(places: readonly number[], [low, high]: Domain): number[] {
  const blocks: { middle: number; count: number }[] = [];
  const reach = ({ count }: { readonly count: number }): number => (count - 1) * LINE / 2;
  const inside = (middle: number, count: number): number =>
    Math.min(Math.max(middle, low + reach({ count })), high - reach({ count }));
  for (const place of places) {
    let block = { middle: inside(place, 1), count: 1 };
    let before = blocks.at(-1);
    while (before !== undefined && before.middle + reach(before) + LINE > block.middle - reach(block) + 1e-9) {
      const count = before.count + block.count;
      block = { middle: inside((before.middle * before.count + block.middle * block.count) / count, count), count };
      blocks.pop();
      before = blocks.at(-1);
    }
    blocks.push(block);
  }
  return blocks.flatMap((block) =>
    Array.from({ length: block.count }, (_, at) => block.middle - reach(block) + at * LINE)
  );
}
