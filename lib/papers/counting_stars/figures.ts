import { defined, mean, plural } from "@/lib/base/mod.ts";
import { starAccuracy, type StarFigureOptions, type StarPanel } from "./published.ts";
import {
  angledLabels,
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
  viewOf,
} from "@/lib/figures/mod.ts";
import { type ScoredRecord, simpleStatistics } from "@/lib/statistics/mod.ts";

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
 * @throws {RangeError} If there is no matrix.
 */
export function starMatrices(
  matrices: readonly StarPanel[],
  options: StarFigureOptions & Partial<PanelsOptions>,
): Figure {
  const { n, origin, warning, runs, caption = CAPTION, ...rest } = options;
  const stated = { n, origin, warning, ...defined({ runs }) };
  return panels(matrices.map((panel) => starMatrix(panel, stated)), { caption, ...rest });
}

function starMatrix(panel: StarPanel, options: Omit<StarFigureOptions, "title">): Figure {
  const { model, columns } = panel;
  const stars = columns[0]!.cells.length;
  const title = `(${stars}-${columns.length}): ${model} (Acc: ${starAccuracy(panel).toFixed(3)})`;
  const legend = { valueTitle: "Score of a star (0 to 1)", colours: COLOURS, domain: [0, 1] as const };
  return makeFigure({ ...options, title, caption: CAPTION }, {
    ...colourLegend({ ...legend, height: heightOf(stars) }),
    draw: (frame) => drawStars(panel, frame, options),
  });
}

function heightOf(stars: number): number {
  return Math.min(Math.max(stars * 6, 130), 260);
}

function drawStars(panel: StarPanel, frame: FigureFrame, options: Pick<StarFigureOptions, "runs">): Drawing {
  const { columns } = panel;
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
    data: {
      values: patches.map((patch) => {
        const place = { ...panel, length: patch.to === patch.from + 1 ? columns[patch.from]!.length : null };
        return { ...patch, about: nameOf(patch, names), ...viewOf(place, options) };
      }),
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
  return { left, body: { width, height: heightOf(stars), layer: [layer] } };
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
type Patch = Readonly<Record<"from" | "to" | "star" | "next" | "score", number>>;

/**
 * Merges cells of equal score into rectangles, in drawing order: the whole matrix in its most frequent score, then the cells that
 * differ. This keeps the files of large matrices small.
 */
function mergeCells(columns: readonly (readonly number[])[]): readonly Patch[] {
  const stars = columns[0]!.length;
  const ground = simpleStatistics.mode(columns.flat());
  const runs = columns[0]!.flatMap((_, star) => {
    const row = columns.map((cells) => cells[star]!);
    const starts = row.flatMap((score, at) => at === 0 || score !== row[at - 1] ? [at] : []);
    return starts.map((from, run): Patch => (
      { from, to: starts[run + 1] ?? row.length, star, next: star + 1, score: row[from]! }
    ));
  });
  const patches: Patch[] = [];
  for (const run of runs.filter(({ score }) => score !== ground)) {
    const above = patches.findIndex(({ from, to, next, score }) =>
      from === run.from && to === run.to && next === run.star && score === run.score
    );
    if (above < 0) patches.push(run);
    else patches[above] = { ...patches[above]!, next: run.next };
  }
  return [{ from: 0, to: columns.length, star: 0, next: stars, score: ground }, ...patches];
}

function nameOf({ from, to, star, next, score }: Patch, names: readonly string[]): string {
  const range = (first: string, last: string): string => first === last ? first : `${first} to ${last}`;
  const stars = range(String(star + 1), String(next));
  return `${stars} at ${range(names[from]!, names[to - 1]!)}: ${Number(score.toFixed(2))}`;
}

/** Writes lengths in thousands if all are whole thousands, as Counting-Stars does: its 128K is 128,000. */
function nameLength(length: number, columns: StarPanel["columns"]): string {
  return columns.every((column) => column.length % 1000 === 0) ? `${length / 1000}K` : lengthLabel(length);
}

export interface RunStarPanel extends StarPanel {
  readonly task: string;
  /** The model, which the title has with a label of the task. */
  readonly by: string;
  /** The lowest number of replies behind a column. */
  readonly samples: number;
}

/**
 * Makes one matrix per task and model, the models of a task next to each other: a cell is a star's mean score over the samples of a
 * length. Other benchmarks and failed calls are left out.
 *
 * @param options `label`: returns the text after a model's name, for a task; the task's name by default.
 */
export function modelStarPanels(
  models: readonly { readonly model: string; readonly replies: readonly ScoredRecord[] }[],
  { label = (task) => task }: { readonly label?: (task: string) => string } = {},
): readonly RunStarPanel[] {
  const panels = models.flatMap(({ model, replies }) => {
    const listed = replies.filter(({ failed, score }) => !failed && (score?.cells ?? []).length > 0);
    return Array.from(Map.groupBy(listed, ({ task }) => task), ([task, ofTask]): RunStarPanel => {
      const lengths = [...Map.groupBy(ofTask, ({ length }) => length)].sort(([left], [right]) => left - right);
      const columns = lengths.map(([length, same]) => {
        const lists = same.map(({ score }) => score!.cells!);
        return { length, cells: lists[0]!.map((_, star) => mean(lists.map((cells) => cells[star]!))) };
      });
      const name = [model, label(task)].filter((part) => part !== "").join(", ");
      return { task, by: model, model: name, samples: Math.min(...lengths.map(([, same]) => same.length)), columns };
    });
  });
  return [...Map.groupBy(panels, ({ task }) => task).values()].flat();
}

const MEANS = "A row is a star, a column a context length; a cell is a mean over prompts, dark where the star is lost.";

/**
 * Draws matrices of {@linkcode modelStarPanels}, at least one, as Counting-Stars does: a row per task, the models next to each other.
 *
 * @param options `models` is the number of models; two to four matrices are in a row.
 */
export function modelStarMatrices(
  panels: readonly RunStarPanel[],
  { models, ...drawn }: Omit<StarFigureOptions, "n"> & { readonly models: number },
): Figure {
  const columns = Math.max(2, Math.min(4, models));
  const samples = Math.min(...panels.map((panel) => panel.samples));
  return starMatrices(panels, {
    ...drawn,
    n: `${samples} ${plural(samples, "prompt")} a column`,
    caption: samples > 1 ? MEANS : CAPTION,
    columns,
    width: Math.min(900, columns * 350),
  });
}
