import { plural } from "@/lib/base/mod.ts";
import { starAccuracy, type StarFigureOptions, type StarPanel } from "./published.ts";
import { type RunStarPanel, type StarAnswer, starPanels } from "./star_replies.ts";
import {
  angledLabels,
  cannotDraw,
  colourLegend,
  colourScale,
  divideFrame,
  type Drawing,
  type Figure,
  type FigureFrame,
  fittingAngle,
  fixedExtent,
  lengthLabel,
  makeFigure,
  panels,
  type PanelsOptions,
  type Spec,
} from "@/lib/figures/mod.ts";

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

/** The replies of one model. */
export interface StarModel {
  readonly model: string;
  readonly replies: readonly StarAnswer[];
}

/** Options for {@linkcode modelStarPanels}. */
export interface StarModelOptions {
  /** Returns the text after a model's name, for a task; the task's name by default. */
  readonly label?: (task: string) => string;
  /**
   * Whether to take only the first prompt of each length, as the original asks one.
   *
   * @default {false}
   */
  readonly firstOnly?: boolean;
  /** The repeat to take, from 0; by default all are averaged. */
  readonly repeat?: number;
}

/** Makes one matrix per task and model, the models of a task next to each other, named by model and task. */
export function modelStarPanels(models: readonly StarModel[], options: StarModelOptions = {}): readonly RunStarPanel[] {
  const { label = (task) => task, firstOnly = false, repeat } = options;
  const isTaken = ({ record }: StarAnswer): boolean =>
    (!firstOnly || record.index === 0) && (repeat === undefined || (record.repeat ?? 0) === repeat);
  const panels = models.flatMap(({ model, replies }) =>
    starPanels(replies.filter(isTaken)).map((panel) => ({ ...panel, model }))
  );
  return [...Map.groupBy(panels, ({ task }) => task).values()].flat().map((panel) => (
    { ...panel, model: [panel.model, label(panel.task)].filter((part) => part !== "").join(", ") }
  ));
}

/** Width of a matrix and of a report, in pixels. */
const [MATRIX_WIDTH, REPORT_WIDTH] = [350, 900];

const MEANS =
  "A row is a star in the order of the text, a column a context length; a cell is a mean over prompts, dark where the star is lost.";

/**
 * Draws the matrices of several models as Counting-Stars does: a row per task, the models next to each other. At least two and at
 * most four matrices are in a row.
 *
 * @param panels From {@linkcode modelStarPanels}; at least one.
 * @param options `models` is the number of models.
 */
export function modelStarMatrices(
  panels: readonly RunStarPanel[],
  { models, ...drawn }: Omit<StarFigureOptions, "n"> & { readonly models: number },
): Figure {
  const columns = Math.max(2, Math.min(4, models));
  const samples = panels.length === 0 ? 0 : Math.min(...panels.map((panel) => panel.samples));
  return starMatrices(panels, {
    ...drawn,
    n: `${samples} ${plural(samples, "prompt")} a column`,
    ...(samples > 1 ? { caption: MEANS } : {}),
    columns,
    width: Math.min(REPORT_WIDTH, columns * MATRIX_WIDTH),
  });
}
