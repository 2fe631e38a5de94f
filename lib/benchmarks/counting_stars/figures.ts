import type { LengthStability } from "./length_stability.ts";
import { starAccuracy, type StarPanel } from "./published.ts";
import type { ErrorPlaces } from "./star_replies.ts";
import {
  angledLabels,
  barChart,
  cannotDraw,
  colourLegend,
  colourScale,
  divideFrame,
  type Drawing,
  type Figure,
  type FigureFrame,
  type FigureOptions,
  fittingAngle,
  fixedExtent,
  lengthLabel,
  makeFigure,
  panels,
  type PanelsOptions,
  type Spec,
  type Table,
  table,
} from "@/lib/figures/mod.ts";

/** Options for {@linkcode starMatrix}. */
interface StarMatrixOptions extends Pick<FigureOptions, "n" | "origin" | "width"> {
  /** The finding; the benchmark's own form `(32-32): model (Acc: 0.968)` if left out. */
  readonly title?: string;
  /** How to read the figure; said in general if left out. */
  readonly caption?: string;
}

/** The colours of Counting-Stars' own figures, from a lost star to a found one. */
const COLOURS = [
  "#184E77",
  "#1E6091",
  "#1A759F",
  "#168AAD",
  "#34A0A4",
  "#52B69A",
  "#76C893",
  "#99D98C",
  "#B5E48C",
  "#D9ED92",
];

const CAPTION =
  "A row is a star in the order of the text, a column a context length; dark cells are lost stars. One column is one prompt.";

/**
 * Draws the stars of one model by context length, as Counting-Stars does: found stars light, lost ones dark.
 *
 * The most frequent score is the ground, and patches of other scores are drawn as one each, so that large matrices stay
 * small files.
 *
 * @param panel The matrix; at least one column and one star.
 * @param options Where it comes from, and what to say of it.
 * @returns The figure; its title tells stars, lengths, model and accuracy.
 * @throws {RangeError} If the matrix has no cell, or columns of unequal stars.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const panel = { model: "GPT-4", columns: [{ length: 4000, cells: [1, 1] }, { length: 8000, cells: [1, 0] }] };
 * match(await starMatrix(panel, { origin: "measured", n: 1 }).svg(), /\(2-2\): GPT-4 \(Acc: 0\.750\)/);
 * ```
 */
export function starMatrix(panel: StarPanel, options: StarMatrixOptions): Figure {
  const { model, columns } = panel;
  const stars = columns[0]?.cells.length ?? 0;
  const short = columns.find(({ cells }) => cells.length !== stars);
  if (stars === 0 || short !== undefined) {
    throw cannotDraw(
      `the stars of ${model}`,
      "all columns must have as many stars, at least one",
      short?.cells.length ?? 0,
    );
  }
  const { caption = CAPTION } = options;
  const title = options.title ?? `(${stars}-${columns.length}): ${model} (Acc: ${starAccuracy(panel).toFixed(3)})`;
  const height = Math.min(Math.max(stars * 6, 130), 260);
  return makeFigure({ ...options, title, caption }, {
    ...colourLegend({ valueTitle: "Score of a star (0 to 1)", colours: COLOURS, domain: [0, 1], height }),
    draw: (frame) => drawStars(panel, { frame, height }),
  });
}

/**
 * Draws several matrices side by side, each under its stars, lengths, model and accuracy.
 *
 * @param matrices At least one, in reading order.
 * @param options What to say of them, and where they come from.
 * @returns The figure.
 * @throws {RangeError} If there is no matrix, or one has no cell.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const panel = { model: "GPT-4", columns: [{ length: 4000, cells: [1] }] };
 * const title = "Both find the star";
 * match(await starMatrices([panel, panel], { title, origin: "published", n: 1 }).svg(), /Both find the star/);
 * ```
 */
export function starMatrices(
  matrices: readonly StarPanel[],
  options: Pick<FigureOptions, "n" | "origin"> & Partial<PanelsOptions> & Pick<PanelsOptions, "title">,
): Figure {
  const { n, origin, caption = CAPTION, ...rest } = options;
  return panels(matrices.map((panel) => starMatrix(panel, { n, origin })), { caption, ...rest });
}

function drawStars(
  { columns }: StarPanel,
  { frame, height }: { readonly frame: FigureFrame; readonly height: number },
): Drawing {
  const stars = columns[0]!.cells.length;
  const names = columns.map(({ length }) => nameLength(length, columns));
  const { extent, left, width } = divideFrame(frame, [String(stars)]);
  const every = Math.ceil(names.length * 18 / width);
  const shown = names.map((name, at) => (names.length - 1 - at) % every === 0 ? name : "");
  const angle = fittingAngle(shown.filter((name) => name !== ""), width);
  const x = axisOf(shown, { title: "Context length (tokens)", ...angledLabels(angle) });
  const marked = Array.from({ length: stars }, (_, at) => (at + 1) % Math.ceil(stars / 8) === 0 ? String(at + 1) : "");
  const y = axisOf(marked, { title: "Star", ...fixedExtent(extent) });
  const layer = {
    data: {
      values: mergeCells(columns.map(({ cells }) => cells)).map((patch) => ({ ...patch, about: nameOf(patch, names) })),
    },
    mark: { type: "rect" },
    encoding: {
      x: { field: "from", ...x },
      x2: { field: "to" },
      y: { field: "star", ...y, scale: { ...y["scale"] as Spec, reverse: true } },
      y2: { field: "next" },
      color: { field: "score", type: "quantitative", scale: colourScale(COLOURS, [0, 1]), legend: frame.legend },
      tooltip: [{ field: "about", type: "nominal", title: "Star" }],
      description: { field: "about", type: "nominal" },
    },
  };
  return { left, body: { width, height, layer: [layer] } };
}

/** An axis of numbers whose cells, one wide each, are named in their middle. */
function axisOf(names: readonly string[], axis: Spec): Spec {
  const values = names.flatMap((name, at) => name === "" ? [] : [at + 0.5]);
  return {
    type: "quantitative",
    scale: { domain: [0, names.length], nice: false, zero: false },
    axis: {
      grid: false,
      ticks: false,
      domain: false,
      values,
      labelExpr: `${JSON.stringify(names)}[floor(datum.value)]`,
      labelOverlap: false,
      ...axis,
    },
  };
}

/** A rectangle of cells of one score. */
interface Patch {
  /** Its first column. */
  readonly from: number;
  /** The column after its last. */
  readonly to: number;
  /** Its first row. */
  readonly star: number;
  /** The row after its last. */
  readonly next: number;
  readonly score: number;
}

/**
 * Joins cells of one score, given by column, to rectangles, in the order to be drawn: the whole matrix in its most
 * frequent score, then what differs.
 */
function mergeCells(columns: readonly (readonly number[])[]): Patch[] {
  const stars = columns[0]!.length;
  const ground = mostFrequent(columns.flat());
  const patches: Patch[] = [{ from: 0, to: columns.length, star: 0, next: stars, score: ground }];
  let above: Patch[] = [];
  for (let star = 0; star < stars; star++) {
    const runs = findRuns(columns.map((cells) => cells[star]!)).filter(({ score }) => score !== ground);
    above = runs.map(({ from, to, score }) => {
      const twin = above.find((patch) => patch.from === from && patch.to === to && patch.score === score);
      if (twin) patches.splice(patches.indexOf(twin), 1);
      const patch = { from, to, star: twin?.star ?? star, next: star + 1, score };
      patches.push(patch);
      return patch;
    });
  }
  return patches;
}

function findRuns(row: readonly number[]): { readonly from: number; readonly to: number; readonly score: number }[] {
  const starts = row.flatMap((score, at) => at === 0 || score !== row[at - 1] ? [at] : []);
  return starts.map((from, run) => ({ from, to: starts[run + 1] ?? row.length, score: row[from]! }));
}

function mostFrequent(scores: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const score of scores) counts.set(score, (counts.get(score) ?? 0) + 1);
  return [...counts].reduce((best, next) => next[1] > best[1] ? next : best)[0];
}

/** Says which stars at which lengths a patch is, and their score. */
function nameOf({ from, to, star, next, score }: Patch, names: readonly string[]): string {
  const range = (first: string, last: string): string => first === last ? first : `${first} to ${last}`;
  const stars = range(String(star + 1), String(next));
  return `${stars} at ${range(names[from]!, names[to - 1]!)}: ${Number(score.toFixed(2))}`;
}

/** Names lengths in thousands, as Counting-Stars does, where all are whole thousands: its 128K are 128,000. */
function nameLength(length: number, columns: StarPanel["columns"]): string {
  return columns.every((column) => column.length % 1000 === 0) ? `${length / 1000}K` : lengthLabel(length);
}

const THIRDS = ["first", "middle", "last"] as const;

/**
 * Draws where in the text stars are lost: a bar for each matrix, its parts the shares of its errors in the first, middle and
 * last third of the stars.
 *
 * @param places Of at least one matrix with an error; those without any are left out. Each is named by its `model`.
 * @param options Title, n and origin.
 * @returns The figure.
 * @throws {RangeError} If none has an error.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { errorPlaces } from "@/lib/benchmarks/counting_stars/mod.ts";
 *
 * const places = errorPlaces({ model: "Kimi", columns: [{ length: 4000, cells: [1, 1, 0] }] });
 * const figure = errorPlacesChart([places], { title: "The tail is lost", origin: "measured", n: 1 });
 * match(await figure.svg(), /last/);
 * ```
 */
export function errorPlacesChart(
  places: readonly ErrorPlaces[],
  options: Pick<FigureOptions, "title" | "n" | "origin">,
): Figure {
  const known = places.filter(({ errors }) => errors > 0);
  const rows = known.flatMap((row) => THIRDS.map((third) => ({ model: row.model, third, percent: 100 * row[third]! })));
  return barChart(rows, {
    ...options,
    caption: "The errors of each matrix by the third of its stars that they fall on, in the order of the text.",
    category: "model",
    value: "percent",
    series: "third",
    stacked: true,
    horizontal: true,
    order: known.map(({ model }) => model),
    valueDomain: [0, 100],
    categoryTitle: "Matrix",
    valueTitle: "Share of its errors (%)",
    seriesTitle: "Third of the text",
    palette: "viridis",
  });
}

/**
 * Draws how often a longer context beats a shorter one beyond chance: a bar for each matrix, with its interval.
 *
 * @param rows One a matrix, each named by its `model`.
 * @param options Title and origin.
 * @returns The figure.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { lengthStability } from "@/lib/benchmarks/counting_stars/mod.ts";
 *
 * const columns = [[1, 1, 1, 1, 1], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]].map((cells, at) => ({ length: at + 1, cells }));
 * const row = lengthStability({ model: "Kimi", columns }, { seed: "a" });
 * match(await lengthStabilityChart([row], { title: "Up again", origin: "measured" }).svg(), /Kimi/);
 * ```
 */
export function lengthStabilityChart(
  rows: readonly LengthStability[],
  options: Pick<FigureOptions, "title" | "origin">,
): Figure {
  const bars = rows.map(({ model, share, low, high }) => ({
    model,
    share: 100 * share,
    low: 100 * Math.min(low, share),
    high: 100 * Math.max(high, share),
  }));
  return barChart(bars, {
    ...options,
    caption: "Pairs of lengths in which the longer context finds more stars, beyond chance by a sign test at 5%.",
    n: pairsText(rows),
    interval: "95% interval over stars",
    category: "model",
    value: "share",
    low: "low",
    high: "high",
    horizontal: true,
    order: rows.map(({ model }) => model),
    categoryTitle: "Matrix",
    valueTitle: "Pairs won by the longer context (%)",
  });
}

/**
 * Sets the same as a table, beside what chance alone would give.
 *
 * @param rows One a matrix, each named by its `model`.
 * @param options Title and origin.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { lengthStability } from "@/lib/benchmarks/counting_stars/mod.ts";
 *
 * const columns = [1, 2].map((length) => ({ length, cells: [1, 1] }));
 * const row = lengthStability({ model: "GPT-4", columns }, { seed: "a" });
 * match(lengthStabilityTable([row], { title: "Level", origin: "measured" }).text, /GPT-4/);
 * ```
 */
export function lengthStabilityTable(
  rows: readonly LengthStability[],
  options: Pick<FigureOptions, "title" | "origin">,
): Table {
  const inPercent = rows.map((row) => ({
    ...row,
    share: 100 * row.share,
    expected: 100 * row.expected,
    trend: row.trend === null ? null : 100 * row.trend,
  }));
  return table(inPercent, {
    ...options,
    caption:
      "Won: pairs in which the longer context is better beyond chance; by chance: the same where length means nothing, and p " +
      "how often that gives as many. Longer better: of the pairs that differ at all; p of falling: how often lengths in any " +
      "order give as little.",
    n: pairsText(rows),
    columns: [
      { field: "model", label: "Matrix" },
      { field: "share", label: "Won (%)", digits: 1 },
      { field: "expected", label: "By chance (%)", digits: 1 },
      { field: "p", label: "p", digits: 3 },
      { field: "trend", label: "Longer better (%)", digits: 0 },
      { field: "fallP", label: "p of falling", digits: 3 },
    ],
  });
}

function pairsText(rows: readonly LengthStability[]): string {
  const counts = [...new Set(rows.map(({ pairs }) => pairs))].sort((left, right) => left - right);
  return `${counts.join(" or ")} pairs of lengths`;
}
