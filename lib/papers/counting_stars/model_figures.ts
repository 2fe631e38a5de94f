import { starMatrices } from "./figures.ts";
import { type RunStarPanel, type StarAnswer, starPanels } from "./star_replies.ts";
import { panelDifference, type PanelDifferenceOptions, type StarChangeRow } from "./star_changes.ts";
import type { Figure, FigureOptions, PanelsOptions } from "@/lib/figures/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** The replies of one model. */
export interface StarModel {
  readonly model: string;
  readonly replies: readonly StarAnswer[];
}

/** Which replies the matrices of several models take, and how they are named. */
export interface StarModelOptions {
  /** What follows the model's name: a task in words, or nothing where stars and lengths tell tasks apart; the task's name unless given. */
  readonly label?: (task: string) => string;
  /**
   * Whether only the first prompt of each length is taken, as the original asks one.
   *
   * @default {false}
   */
  readonly firstOnly?: boolean;
  /** Which time of samples that were asked several times, from 0; all of them, averaged, unless given. */
  readonly repeat?: number;
}

/**
 * Makes one matrix for each task and model, the models of a task beside each other, and names it by model and task.
 *
 * @param models The replies of each, read as far as they are scored; other benchmarks and failed calls are skipped.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { RunRecord } from "@/lib/models/mod.ts";
 *
 * const base = { task: "counting_stars_search_en", length: 4096, scoring: "stars", references: ["3", "5"] };
 * const reply = { kind: "answer", text: '{"little_penguin": [3]}' };
 * const of = (model: string) => ({ model, replies: [{ record: { ...base, model, reply } as unknown as RunRecord }] });
 * deepEqual(modelStarPanels([of("a"), of("b")], { label: () => "" }).map(({ model }) => model), ["a", "b"]);
 * ```
 */
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

/** Width of a matrix and the most of all together, in pixels: a report is about as wide. */
const [MATRIX_WIDTH, MOST_WIDTH] = [350, 900];

/** How to read matrices of several prompts a column. */
const MEANS =
  "A row is a star in the order of the text, a column a context length; a cell is a mean over prompts, dark where the star is lost.";

/** The most matrices side by side. */
const MOST_COLUMNS = 4;

/** Options for {@linkcode modelStarMatrices}. */
export interface ModelStarMatricesOptions
  extends Pick<FigureOptions, "origin" | "warning">, Pick<PanelsOptions, "title"> {
  /** How many models there are: so many matrices stand side by side. */
  readonly models: number;
}

/**
 * Draws the matrices of several models as Counting-Stars does its two: a row a task, the models beside each other, in the same
 * colours; those of a single model two in a row, and four at most.
 *
 * @param panels The matrices, from {@linkcode modelStarPanels}; at least one.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openMeasured } from "@/lib/records/mod.ts";
 *
 * const runs = await openMeasured({ benchmark: "counting_stars" });
 * const models = runs.map(({ manifest, replies }) => ({ model: manifest.model, replies }));
 * const panels = modelStarPanels(models, { label: () => "" });
 * const figure = modelStarMatrices(panels, { models: 2, title: "Two small models", origin: "measured" });
 * match(await figure.svg(), /\(32-2\): gemma-3-270m \(Acc: 0\.\d{3}\)/);
 * ```
 */
export function modelStarMatrices(panels: readonly RunStarPanel[], options: ModelStarMatricesOptions): Figure {
  const { models, ...drawn } = options;
  const columns = Math.max(2, Math.min(MOST_COLUMNS, models));
  const samples = panels.length === 0 ? 0 : Math.min(...panels.map((panel) => panel.samples));
  return starMatrices(panels, {
    ...drawn,
    n: `${samples} ${plural(samples, "prompt")} a column`,
    ...(samples > 1 ? { caption: MEANS } : {}),
    ...{ columns, width: Math.min(MOST_WIDTH, columns * MATRIX_WIDTH) },
  });
}

/** A change of the test: what is compared with what, by the matrices of each model. */
export interface StarModelChange {
  /** Such as `temperature 0 less 1`. */
  readonly change: string;
  /** The matrix of each model before, in the order of the models. */
  readonly first: readonly RunStarPanel[];
  /** The matrix of each model after. */
  readonly second: readonly RunStarPanel[];
}

/**
 * Compares what changes of the test do to each model, at the lengths that both matrices have: rows for `starChangeTable`. Where
 * there are fewer than two such lengths, as in a quick look at short texts, a row has no difference.
 *
 * @param models The names of the models.
 */
export function modelStarChanges(
  models: readonly string[],
  changes: readonly StarModelChange[],
  options: PanelDifferenceOptions,
): StarChangeRow[] {
  return changes.flatMap(({ change, first, second }) =>
    models.map((model, at): StarChangeRow => {
      const [before, after] = [first[at], second[at]];
      const lengths = before === undefined || after === undefined ? 0 : sharedLengths(before, after);
      return lengths < 2
        ? { change, model, lengths, difference: null, low: null, high: null, p: null }
        : { change, model, ...panelDifference(before!, after!, options) };
    })
  );
}

function sharedLengths(one: RunStarPanel, other: RunStarPanel): number {
  const lengths = new Set(other.columns.map(({ length }) => length));
  return one.columns.filter(({ length }) => lengths.has(length)).length;
}
