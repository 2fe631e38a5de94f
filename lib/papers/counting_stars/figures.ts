import type { LengthStability } from "./length_stability.ts";
import { starAccuracy, type StarPanel, THIRDS } from "./published.ts";
import type { StarChangeRow } from "./star_changes.ts";
import type { StarThird } from "./run_claims.ts";
import type { ErrorPlaces, StarErrors } from "./star_replies.ts";
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

/** Title, n and origin of a figure or table. */
export type StarFigureOptions = Pick<FigureOptions, "title" | "n" | "origin" | "warning">;

/** The colours of Counting-Stars' own figures, from lost to found. */
const COLOURS = [
  ...["#184E77", "#1E6091", "#1A759F", "#168AAD", "#34A0A4"],
  ...["#52B69A", "#76C893", "#99D98C", "#B5E48C", "#D9ED92"],
];

const CAPTION =
  "A row is a star in the order of the text, a column a context length; dark cells are lost stars. One column is one prompt.";

/**
 * Draws matrices side by side as Counting-Stars does: found stars light, lost ones dark, each matrix titled with its numbers of
 * stars and lengths, its model and its accuracy.
 *
 * @throws {RangeError} If there is no matrix, or one has no cell or columns of unequal length.
 */
export function starMatrices(
  matrices: readonly StarPanel[],
  options: StarFigureOptions & Partial<PanelsOptions>,
): Figure {
  const { n, origin, warning, caption = CAPTION, ...rest } = options;
  return panels(matrices.map((panel) => starMatrix(panel, { n, origin, warning })), { caption, ...rest });
}

function starMatrix(panel: StarPanel, options: Omit<StarFigureOptions, "title">): Figure {
  const { model, columns } = panel;
  const stars = columns[0]?.cells.length ?? 0;
  const short = columns.find(({ cells }) => cells.length !== stars);
  if (stars === 0 || short !== undefined) {
    throw cannotDraw(
      `the stars of ${model}`,
      "all columns must have the same number of stars, at least one",
      short?.cells.length ?? 0,
    );
  }
  const title = `(${stars}-${columns.length}): ${model} (Acc: ${starAccuracy(panel).toFixed(3)})`;
  const height = Math.min(Math.max(stars * 6, 130), 260);
  return makeFigure({ ...options, title, caption: CAPTION }, {
    ...colourLegend({ valueTitle: "Score of a star (0 to 1)", colours: COLOURS, domain: [0, 1], height }),
    draw: (frame) => drawStars(panel, frame, height),
  });
}

function drawStars({ columns }: StarPanel, frame: FigureFrame, height: number): Drawing {
  const stars = columns[0]!.cells.length;
  const names = columns.map(({ length }) => nameLength(length, columns));
  const { extent, left, width } = divideFrame(frame, [String(stars)]);
  const every = Math.ceil(names.length * 18 / width);
  const shown = names.map((name, at) => (names.length - 1 - at) % every === 0 ? name : "");
  const angle = fittingAngle(shown.filter((name) => name !== ""), width);
  const x = axisOf(shown, { title: "Context length (tokens)", ...angledLabels(angle) });
  const marked = Array.from({ length: stars }, (_, at) => (at + 1) % Math.ceil(stars / 8) === 0 ? String(at + 1) : "");
  const y = axisOf(marked, { title: "Star", ...fixedExtent(extent) });
  const patches = mergeCells(columns.map(({ cells }) => cells));
  const layer = {
    data: { values: patches.map((patch) => ({ ...patch, about: nameOf(patch, names) })) },
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

/** Returns a numeric axis with unit-wide cells, labelled in their middle. */
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

/** A rectangle of cells of one score: columns `from` to before `to`, rows `star` to before `next`. */
interface Patch {
  readonly from: number;
  readonly to: number;
  readonly star: number;
  readonly next: number;
  readonly score: number;
}

/**
 * Merges cells of equal score into rectangles, in drawing order: the whole matrix in its most frequent score, then the cells that
 * differ. This keeps the files of large matrices small.
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

/** Describes a patch: its stars, lengths and score. */
function nameOf({ from, to, star, next, score }: Patch, names: readonly string[]): string {
  const range = (first: string, last: string): string => first === last ? first : `${first} to ${last}`;
  const stars = range(String(star + 1), String(next));
  return `${stars} at ${range(names[from]!, names[to - 1]!)}: ${Number(score.toFixed(2))}`;
}

/** Writes lengths in thousands if all are whole thousands, as Counting-Stars does: its 128K is 128,000. */
function nameLength(length: number, columns: StarPanel["columns"]): string {
  return columns.every((column) => column.length % 1000 === 0) ? `${length / 1000}K` : lengthLabel(length);
}

/**
 * Draws the shares of each matrix's errors in the first, middle and last third of the text.
 *
 * @param places One per matrix; those without errors are left out.
 * @throws {RangeError} If no matrix has an error.
 */
export function errorPlacesChart(places: readonly ErrorPlaces[], options: StarFigureOptions): Figure {
  const known = places.filter(({ errors }) => errors > 0);
  const rows = known.flatMap((row) => THIRDS.map((third) => ({ model: row.model, third, percent: 100 * row[third]! })));
  return barChart(rows, {
    ...options,
    caption: "The errors of each matrix by the third of its stars that they fall on, in the order of the text.",
    ...{ category: "model", value: "percent", series: "third", stacked: true, horizontal: true } as const,
    ...{ order: known.map(({ model }) => model), valueDomain: [0, 100], palette: "viridis" } as const,
    ...{ categoryTitle: "Matrix", valueTitle: "Share of its errors (%)", seriesTitle: "Third of the text" },
  });
}

function percentOf(share: number | null): number | null {
  return share === null ? null : 100 * share;
}

/** Returns the errors of matrices by third of the text, with the star that is lost most often. */
export function errorPlacesTable(places: readonly ErrorPlaces[], options: StarFigureOptions): Table {
  const rows = places.map((row) => ({
    ...row,
    ...{ first: percentOf(row.first), middle: percentOf(row.middle), last: percentOf(row.last) },
    worstShare: percentOf(row.worstShare),
  }));
  return table(rows, {
    ...options,
    caption:
      "Errors in stars, their shares by third of the text, and the star that is lost most with its share of them.",
    columns: [
      { field: "model", label: "Matrix" },
      { field: "errors", label: "Errors" },
      { field: "first", label: "First third (%)", digits: 0 },
      { field: "middle", label: "Middle (%)", digits: 0 },
      { field: "last", label: "Last (%)", digits: 0 },
      { field: "worstStar", label: "Worst star" },
      { field: "worstShare", label: "its share (%)", digits: 0 },
    ],
  });
}

/** Returns the share of stars found in each third of the text, from `starThirds`. */
export function starThirdTable(thirds: readonly StarThird[], options: Omit<StarFigureOptions, "n">): Table {
  const samples = thirds.filter(({ third }) => third === "first").reduce((sum, { n }) => sum + n, 0);
  return table(thirds, {
    ...options,
    caption: "Stars in percent of those in that third of the text; prompts of fewer than three stars are left out.",
    ...{ n: `${samples} samples`, interval: "95% interval over samples in brackets" },
    columns: [
      { field: "task", label: "Task" },
      { field: "third", label: "Third of the text" },
      { field: "n", label: "Replies" },
      { field: "score", label: "Stars found (%)", digits: 1, low: "low", high: "high" },
    ],
  });
}

/** Draws how often a longer context beats a shorter one beyond chance, with intervals; one bar per matrix. */
export function lengthStabilityChart(
  rows: readonly LengthStability[],
  options: Omit<StarFigureOptions, "n">,
): Figure {
  const bars = rows.map(({ model, share, low, high }) => ({
    ...{ model, share: 100 * share, low: 100 * Math.min(low, share), high: 100 * Math.max(high, share) },
  }));
  return barChart(bars, {
    ...options,
    caption: "Pairs of lengths in which the longer context finds more stars, beyond chance by a sign test at 5%.",
    ...{ n: pairsText(rows), interval: "95% interval over stars", order: rows.map(({ model }) => model) },
    ...{ category: "model", value: "share", low: "low", high: "high", horizontal: true } as const,
    ...{ categoryTitle: "Matrix", valueTitle: "Pairs won by the longer context (%)" },
  });
}

/** Returns the same as a table, with the shares expected by chance. */
export function lengthStabilityTable(
  rows: readonly LengthStability[],
  options: Omit<StarFigureOptions, "n">,
): Table {
  const inPercent = rows.map((row) => ({
    ...row,
    ...{ share: 100 * row.share, expected: 100 * row.expected, trend: percentOf(row.trend) },
  }));
  return table(inPercent, {
    ...options,
    caption:
      "Won: pairs in which the longer context is better beyond chance. By chance: the same with each star's scores shuffled " +
      "over the lengths; p: how often that gives as many. Longer better: of the pairs that differ at all; p of falling: how " +
      "often lengths in random order give as little.",
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

/** Returns the effects of changes of the test on each model. */
export function starChangeTable(changes: readonly StarChangeRow[], options: StarFigureOptions): Table {
  return table(changes, {
    ...options,
    caption: "Accuracy of the first less that of the second; p swaps the two columns of a length at random.",
    interval: "95% interval over lengths",
    columns: [
      { field: "change", label: "Change" },
      { field: "model", label: "Model" },
      { field: "lengths", label: "Lengths" },
      { field: "difference", label: "Difference", digits: 3, low: "low", high: "high" },
      { field: "p", label: "p", digits: 4 },
    ],
  });
}

/** The columns of {@linkcode starErrorTable}. */
const FAULT_COLUMNS = {
  task: "Task",
  replies: "Replies",
  unreadable: "No list",
  repaired: "List repaired",
  unordered: "Out of order",
  inventing: "Invented",
  running: "Runs",
  tailless: "Tail lost",
  notFound: "Not found",
  notRemembered: "Not listed",
  summedWrongly: "Added wrongly",
  unclear: "Unclear",
} as const;

/** Returns the faults of a run's replies by task. */
export function starErrorTable(errors: readonly StarErrors[], options: StarFigureOptions): Table {
  return table(errors, {
    ...options,
    caption:
      "Replies with each fault. A run is five or more made-up numbers in even steps; a lost tail is a third of the stars or " +
      "more. The last four are about sums: counts not found, found but not listed, or added wrongly; unclear if list and sum " +
      "are both wrong and disagree.",
    columns: Object.entries(FAULT_COLUMNS).map(([field, label]) => ({
      ...{ field: field as keyof typeof FAULT_COLUMNS, label },
    })),
  });
}
