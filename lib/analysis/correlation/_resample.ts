import { type Draw, integer } from "@/lib/random/mod.ts";
import type { SampleScore } from "./sample_scores.ts";
import type { TaskVectors } from "./task_vectors.ts";

/**
 * What is drawn again:
 * - *samples*: the samples of each task and length, the same for all models; how sure the scores are
 * - *columns*: models at lengths, each for itself
 * - *models*: models with all their lengths; how much hangs on which models were asked
 */
export type Resampling = "samples" | "columns" | "models";

/** Makes the function that draws data again, once it is sure that there is enough to draw from. */
export function resampler(
  samples: readonly SampleScore[],
  { vectors, resample }: { readonly vectors: TaskVectors; readonly resample: Resampling },
): (draw: Draw) => TaskVectors {
  const models = new Set(vectors.columns.map(({ model }) => model)).size;
  if (resample === "models" && models < 3) {
    throw new RangeError(`Cannot resample models as there must be at least 3: current value is ${models}`);
  }
  if (resample !== "samples") return (draw) => resampleColumns(vectors, { draw, whole: resample === "models" });
  const grid = sampleGrid(samples.filter(({ task }) => vectors.tasks.includes(task)), vectors);
  const fewest = Math.min(...grid.cells.map(({ values }) => values[0]!.length));
  if (fewest < 2) {
    throw new RangeError(
      `Cannot resample samples as each task and length must have at least 2: current value is ${fewest}`,
    );
  }
  return (draw) => resampleSamples(grid, draw);
}

/** Samples as they are drawn again: task by task, length by length. */
interface SampleGrid extends Pick<TaskVectors, "tasks" | "columns"> {
  /** The samples of each task at each length, all models' together. */
  readonly cells: readonly SampleCell[];
}

interface SampleCell {
  readonly task: number;
  /** The columns of that length. */
  readonly columns: readonly number[];
  /** A row a column, a value a sample that any model was asked. */
  readonly values: readonly (readonly (number | null)[])[];
}

/** Sorts samples into their cells. */
function sampleGrid(samples: readonly SampleScore[], vectors: TaskVectors): SampleGrid {
  const { tasks, columns } = vectors;
  const ofCell = Map.groupBy(samples, ({ task, length }) => JSON.stringify([task, length]));
  const cells = [...ofCell.values()].map((ofOne): SampleCell => {
    const { task, length } = ofOne[0]!;
    const indexes = [...new Set(ofOne.map(({ index }) => index))];
    const places = columns.flatMap((column, at) => column.length === length ? [at] : []);
    const valueOf = new Map(ofOne.map(({ model, index, value }) => [JSON.stringify([model, index]), value]));
    const values = places.map((at) =>
      indexes.map((index) => valueOf.get(JSON.stringify([columns[at]!.model, index])) ?? null)
    );
    return { task: tasks.indexOf(task), columns: places, values };
  });
  return { tasks, columns, cells };
}

/**
 * Draws the samples of each cell again with replacement, and averages them. All models get the same draws: they were
 * asked the same samples, some of which are harder than others.
 */
function resampleSamples({ tasks, columns, cells }: SampleGrid, draw: Draw): TaskVectors {
  const values = tasks.map((): (number | null)[] => columns.map(() => null));
  for (const cell of cells) {
    const count = cell.values[0]!.length;
    const drawn = Array.from({ length: count }, () => integer(draw, { low: 0, high: count - 1 }));
    cell.columns.forEach((column, at) => {
      values[cell.task]![column] = meanOf(drawn.map((sample) => cell.values[at]![sample]!));
    });
  }
  return { tasks, columns, values };
}

/** Draws columns again with replacement: each model at each length for itself, or whole models with all their lengths. */
function resampleColumns(
  vectors: TaskVectors,
  { draw, whole }: { readonly draw: Draw; readonly whole: boolean },
): TaskVectors {
  const { tasks, columns, values } = vectors;
  const units = whole
    ? [...Map.groupBy(columns.keys(), (at) => columns[at]!.model).values()]
    : columns.map((_, at) => [at]);
  const drawn = units.flatMap(() => units[integer(draw, { low: 0, high: units.length - 1 })]!);
  return {
    tasks,
    columns: drawn.map((at) => columns[at]!),
    values: values.map((row) => drawn.map((at) => row[at]!)),
  };
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
