import type { ClusterNode } from "@/lib/analysis/mod.ts";
import { shown } from "./_rows.ts";
import { INK, LABEL_SIZE, SOFT_INK } from "./_theme.ts";
import type { Spec } from "./figure.ts";

/** Where a tree is drawn over cells that are 1 wide and 1 high, downwards from 0. */
export interface TreePlace {
  /** How many cells high the tree is. */
  readonly cells: number;
  /** What a height is, with its unit. */
  readonly heightTitle: string;
  /** The position channels of the chart, without a field. */
  readonly x: Spec;
  readonly y: Spec;
}

/** A line of the tree, and the cluster it belongs to. */
interface Stroke {
  readonly x: number;
  readonly x2: number;
  readonly y: number;
  readonly y2: number;
  readonly heightText: string;
}

/** The greatest height in a tree. */
export function topOf({ height, parts }: ClusterNode): number {
  return Math.max(height, ...(parts ?? []).map(topOf));
}

/** A tree over the columns of its leaves, and a scale of its heights. */
export function dendrogramLayers(root: ClusterNode, place: TreePlace): Spec[] {
  const { cells, heightTitle, x, y } = place;
  const top = topOf(root);
  // Between tree and cells, so that the scale's 0 does not run into the label of the first row.
  const gap = 0.4;
  const levelOf = (height: number): number => -gap - (top === 0 ? 0 : (height / top) * (cells - gap - 0.3));
  const position = new Map(root.members.map((member, at) => [member, at + 0.5]));
  const strokes = strokesOf(root, { levelOf, position }).strokes;
  const tooltip = [{ field: "heightText", type: "nominal", title: heightTitle }];
  const scale = [0, top].map((height) => ({ x: -0.3, y: levelOf(height), text: shown(Number(height.toFixed(2))) }));
  return [
    {
      data: { values: strokes },
      mark: { type: "rule", color: INK, strokeWidth: 1, strokeCap: "square" },
      encoding: {
        x: { field: "x", ...x },
        x2: { field: "x2" },
        y: { field: "y", ...y },
        y2: { field: "y2" },
        tooltip,
        description: { field: "heightText", type: "nominal" },
      },
    },
    {
      data: { values: scale },
      mark: { type: "text", align: "right", baseline: "middle", fontSize: LABEL_SIZE, color: SOFT_INK, tooltip: null },
      encoding: { x: { field: "x", ...x }, y: { field: "y", ...y }, text: { field: "text", type: "nominal" } },
    },
    {
      data: { values: [{ x: -0.3, y: levelOf(top / 2), text: heightTitle }] },
      mark: { type: "text", align: "right", baseline: "middle", fontSize: LABEL_SIZE, color: INK, tooltip: null },
      encoding: { x: { field: "x", ...x }, y: { field: "y", ...y }, text: { field: "text", type: "nominal" } },
    },
  ];
}

/** The lines of a tree, and where its own line would go on upwards. */
function strokesOf(
  { height, parts, members }: ClusterNode,
  options: { readonly levelOf: (height: number) => number; readonly position: ReadonlyMap<number, number> },
): { readonly strokes: readonly Stroke[]; readonly middle: number } {
  const { levelOf, position } = options;
  if (parts === null) return { strokes: [], middle: position.get(members[0]!)! };
  const [left, right] = parts.map((part) => ({ ...strokesOf(part, options), from: levelOf(part.height) })) as [
    ReturnType<typeof strokesOf> & { readonly from: number },
    ReturnType<typeof strokesOf> & { readonly from: number },
  ];
  const level = levelOf(height);
  const heightText = shown(height);
  const strokes = [
    ...[left, right].map(({ middle, from }) => ({ x: middle, x2: middle, y: from, y2: level, heightText })),
    { x: left.middle, x2: right.middle, y: level, y2: level, heightText },
  ];
  return { strokes: [...left.strokes, ...right.strokes, ...strokes], middle: (left.middle + right.middle) / 2 };
}
