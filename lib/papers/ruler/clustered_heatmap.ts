import type { ClusterNode } from "./clustering.ts";
import {
  angledLabels,
  cannotDraw,
  checkFigure,
  colourDomain,
  colourLegend,
  type ColourOptions,
  colourScale,
  divideFrame,
  type Domain,
  type Drawing,
  type Figure,
  type FigureFrame,
  type FigureOptions,
  fixedExtent,
  INK,
  LABEL_SIZE,
  labelled,
  makeFigure,
  numberText,
  plainText,
  RED,
  SOFT_INK,
  type Spec,
  tips,
} from "@/lib/figures/mod.ts";

/**
 * Draws a similarity matrix as a heatmap in cluster order, with the dendrogram above it.
 *
 * @throws {RangeError} If names, matrix and tree do not match, or a value is not finite or outside the domain.
 */
export function clusteredHeatmap(clustered: Clustered, options: ClusteredHeatmapOptions): Figure {
  const { names, matrix } = clustered;
  const { title, highlighted, valueTitle, colours } = options;
  checkFigure(names, options);
  checkClustered(clustered, title);
  const domain = options.domain ?? colourDomain(matrix.flat());
  const outside = matrix.flat().find((value) => value < domain[0] || value > domain[1]);
  if (outside !== undefined) {
    throw cannotDraw(title, `each value must be in the domain [${domain.join(", ")}]`, outside);
  }
  return makeFigure(options, {
    notes: highlighted === undefined ? [] : [`red labels: ${highlighted.means}`],
    ...colourLegend({ valueTitle, colours, domain, height: 160 }),
    draw: (frame) => drawClustered(clustered, { options, domain, frame }),
  });
}

/** Options for {@linkcode clusteredHeatmap}. */
export interface ClusteredHeatmapOptions extends FigureOptions, ColourOptions {
  /** Names whose labels are red, and their meaning for the note. */
  readonly highlighted?: { readonly values: readonly string[]; readonly means: string };
  /** The title of the heights of the tree, with its unit; short. */
  readonly heightTitle: string;
}

/** Items, their similarity matrix, and the tree of their clusters. */
export interface Clustered {
  /** Their names; no two equal. */
  readonly names: readonly string[];
  /** The similarity of each pair, rows and columns in the order of the names. */
  readonly matrix: readonly (readonly number[])[];
  /** Their tree, whose members are indices of names. */
  readonly tree: ClusterNode;
}

function checkClustered({ names, matrix, tree }: Clustered, title: string): void {
  const count = names.length;
  if (new Set(names).size < count) throw cannotDraw(title, "names must be unique", names.join(", "));
  if (matrix.length !== count || tree.members.length !== count) {
    const found = `${matrix.length} rows and ${tree.members.length} leaves`;
    throw cannotDraw(title, `matrix and tree must be of the ${count} names`, found);
  }
  for (const row of matrix) {
    if (row.length !== count) throw cannotDraw(title, `each row must have ${count} values`, row.length);
    const wrong = row.find((value) => !Number.isFinite(value));
    if (wrong !== undefined) throw cannotDraw(title, "each value must be a finite number", wrong);
  }
}

/** The height of the tree, as a share of the height of the cells. */
const TREE_SHARE = 0.24;
/** The maximum cell size, in pixels. */
const MAX_CELL = 24;

function drawClustered(
  { names, matrix, tree }: Clustered,
  { options, domain, frame }: {
    readonly options: ClusteredHeatmapOptions;
    readonly domain: Domain;
    readonly frame: FigureFrame;
  },
): Drawing {
  const { colours = "viridis", valueTitle, heightTitle, highlighted } = options;
  const order = tree.members;
  const count = order.length;
  const labels = order.map((member) => plainText(names[member]!));
  const { extent, left, width } = divideFrame(frame, [...labels, heightTitle], false);
  const cell = Math.min(MAX_CELL, Math.floor(width / count));
  const treeCells = Math.max(2, count * TREE_SHARE);
  const red = order.flatMap((member, at) => highlighted?.values.includes(names[member]!) ? [at + 0.5] : []);
  const scale = { nice: false, zero: false };
  const quantitative = { type: "quantitative" };
  const x = {
    ...quantitative,
    scale: { ...scale, domain: [0, count] },
    axis: { ...axisOf(labels, red, cell), orient: "bottom", ...angledLabels(-90) },
  };
  const y = {
    ...quantitative,
    scale: { ...scale, domain: [-treeCells, count], reverse: true },
    axis: { ...axisOf(labels, red, cell), orient: "left", ...fixedExtent(extent) },
  };
  const values = order.flatMap((row, down) =>
    order.map((column, across) => ({
      x: across,
      x2: across + 1,
      y: down,
      y2: down + 1,
      value: matrix[row]![column]!,
      rowText: labels[down]!,
      columnText: labels[across]!,
      valueText: numberText(matrix[row]![column]!),
      about: `${labels[down]}, ${labels[across]}: ${numberText(matrix[row]![column]!)}`,
    }))
  );
  const box = { x: { field: "x", ...x }, x2: { field: "x2" }, y: { field: "y", ...y }, y2: { field: "y2" } };
  const cells = {
    data: { values },
    mark: { type: "rect", stroke: "white", strokeWidth: 0.5 },
    encoding: {
      ...box,
      color: { field: "value", type: "quantitative", scale: colourScale(colours, domain), legend: frame.legend },
      tooltip: tips({ rowText: "Row", columnText: "Column", valueText: valueTitle }),
      description: { field: "about", type: "nominal" },
    },
  };
  const size = { width: cell * count, height: Math.round(cell * (count + treeCells)) };
  return {
    left,
    body: { ...size, layer: [cells, ...dendrogramLayers(tree, { cells: treeCells, heightTitle, box })] },
  };
}

function axisOf(labels: readonly string[], red: readonly number[], cell: number): Spec {
  const middles = labels.map((_, at) => at + 0.5);
  const test = `indexof(${JSON.stringify(red)}, datum.value) >= 0`;
  return {
    title: null,
    values: middles,
    ...labelled(middles, (middle) => labels[middle - 0.5]!),
    labelOverlap: false,
    labelLimit: 190,
    labelFontSize: Math.min(LABEL_SIZE, Math.max(7, cell - 1)),
    grid: false,
    domain: false,
    ticks: false,
    labelColor: { condition: { test, value: RED }, value: SOFT_INK },
    labelFontWeight: { condition: { test, value: "bold" }, value: "normal" },
  };
}

/** Returns the layers of a tree over the columns of its leaves, and of a scale of its heights. */
function dendrogramLayers(
  root: ClusterNode,
  { cells, heightTitle, box }: {
    readonly cells: number;
    readonly heightTitle: string;
    readonly box: Readonly<Record<"x" | "x2" | "y" | "y2", Spec>>;
  },
): Spec[] {
  const top = topOf(root);
  // A gap between tree and cells, so that the 0 of the scale does not overlap the label of the first row.
  const gap = 0.4;
  const levelOf = (height: number): number => -gap - (top === 0 ? 0 : (height / top) * (cells - gap - 0.3));
  const position = new Map(root.members.map((member, at) => [member, at + 0.5]));
  const strokes = strokesOf(root, { levelOf, position }).strokes;
  const tooltip = [{ field: "heightText", type: "nominal", title: heightTitle }];
  const textLayer = (values: readonly Spec[], color: string): Spec => ({
    data: { values },
    mark: { type: "text", align: "right", baseline: "middle", fontSize: LABEL_SIZE, color, tooltip: null },
    encoding: { x: box.x, y: box.y, text: { field: "text", type: "nominal" } },
  });
  const scale = [0, top].map((height) => ({
    x: -0.3,
    y: levelOf(height),
    text: numberText(Number(height.toFixed(2))),
  }));
  return [
    {
      data: { values: strokes },
      mark: { type: "rule", color: INK, strokeWidth: 1, strokeCap: "square" },
      encoding: { ...box, tooltip, description: { field: "heightText", type: "nominal" } },
    },
    textLayer(scale, SOFT_INK),
    textLayer([{ x: -0.3, y: levelOf(top / 2), text: heightTitle }], INK),
  ];
}

function topOf({ height, parts }: ClusterNode): number {
  return Math.max(height, ...(parts ?? []).map(topOf));
}

interface Stroke {
  readonly x: number;
  readonly x2: number;
  readonly y: number;
  readonly y2: number;
  readonly heightText: string;
}

/** Returns the lines of a tree, and the x at which its parent joins it. */
function strokesOf(
  { height, parts, members }: ClusterNode,
  options: { readonly levelOf: (height: number) => number; readonly position: ReadonlyMap<number, number> },
): { readonly strokes: readonly Stroke[]; readonly middle: number } {
  const { levelOf, position } = options;
  if (parts === null) return { strokes: [], middle: position.get(members[0]!)! };
  const strokesFrom = (part: ClusterNode) => ({ ...strokesOf(part, options), from: levelOf(part.height) });
  const [left, right] = [strokesFrom(parts[0]), strokesFrom(parts[1])];
  const level = levelOf(height);
  const heightText = numberText(height);
  const strokes = [
    ...[left, right].map(({ middle, from }) => ({ x: middle, x2: middle, y: from, y2: level, heightText })),
    { x: left.middle, x2: right.middle, y: level, y2: level, heightText },
  ];
  return { strokes: [...left.strokes, ...right.strokes, ...strokes], middle: (left.middle + right.middle) / 2 };
}
