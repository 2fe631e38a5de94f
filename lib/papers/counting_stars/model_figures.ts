import { type StarFigureOptions, starMatrices } from "./figures.ts";
import { type RunStarPanel, type StarAnswer, starPanels } from "./star_replies.ts";
import { panelDifference, type StarChangeRow } from "./star_changes.ts";
import type { Figure } from "@/lib/figures/mod.ts";
import { plural } from "@/lib/text/mod.ts";

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
    ...{ columns, width: Math.min(REPORT_WIDTH, columns * MATRIX_WIDTH) },
  });
}

/**
 * Compares the effect of changes of the test on each model, at the lengths that both matrices have. A row has no difference if
 * they share fewer than two lengths.
 *
 * @param changes Such as `temperature 0 less 1`, with the matrices on both sides in the order of the models.
 */
export function modelStarChanges(
  models: readonly string[],
  changes: readonly {
    readonly change: string;
    readonly first: readonly RunStarPanel[];
    readonly second: readonly RunStarPanel[];
  }[],
  options: { readonly seed: string },
): StarChangeRow[] {
  return changes.flatMap(({ change, first, second }) =>
    models.map((model, at): StarChangeRow => {
      const [before, after] = [first[at]?.columns ?? [], second[at]?.columns ?? []];
      const lengths = before.filter(({ length }) => after.some((column) => column.length === length)).length;
      return lengths < 2
        ? { change, model, lengths, difference: null, low: null, high: null, p: null }
        : { change, model, ...panelDifference(first[at]!, second[at]!, options) };
    })
  );
}
