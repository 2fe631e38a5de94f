import {
  compareThirds,
  type DepthRow,
  depthRows,
  type PlacedReply,
  placeReplies,
  type PlaceRepliesOptions,
  type ScoredRun,
  type ThirdsCompared,
} from "@/lib/analysis/mod.ts";
import { depthPanels, depthTable, type Figure, type Table, thirdsTable } from "@/lib/charts/mod.ts";

/** Options for {@linkcode depthFigure}. */
export interface DepthFigureOptions extends PlaceRepliesOptions {
  /**
   * How many equal stretches the context is cut into. Range: 1 to 100.
   *
   * @default {5}
   */
  readonly stretches?: number;
}

/** Where the targets of a run are lost, for a notebook to show part by part. */
export interface DepthFigure {
  /** A heatmap of lengths and depths for each task with one target; `null` where there is none with a score. */
  readonly figure: Figure | null;
  /** The same with n and interval; `null` as well. */
  readonly table: Table | null;
  /** The comparison of the thirds as a table. */
  readonly thirdsTable: Table;
  /** The comparison itself. */
  readonly thirds: ThirdsCompared;
  /** The numbers behind figure and table. */
  readonly rows: readonly DepthRow[];
  /** The replies with the depths of their targets. */
  readonly replies: readonly PlacedReply[];
  /** Which tasks are left out and why, and which samples could not be made again. */
  readonly notes: readonly string[];
}

/**
 * Shows where in the context a model loses what it is asked for: heatmaps of lengths and depths, and a test of the thirds.
 *
 * @param run The run, from `exploreRun` or `askModel`.
 * @param options What it was made of, where that is open already, and how finely depths are cut.
 * @returns Figure and tables; each is shown by naming it at the end of a cell.
 * @throws {RangeError} If the run's study is not what it should be, or `stretches` is outside its range.
 *
 * @example
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/models/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1", "vt"], lengths: [1024], samples: 3 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("ideal"), folder });
 * const { figure, thirds, notes } = await depthFigure(run);
 * equal(figure?.title, "No difference between the thirds of the context is shown");
 * equal(thirds.lost, null);
 * deepEqual(notes, ["vt is left out as it asks for 5 facts"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function depthFigure(run: ScoredRun, options: DepthFigureOptions = {}): Promise<DepthFigure> {
  const { stretches = 5, ...placing } = options;
  const { origin } = run.manifest;
  const { replies, left, notes } = await placeReplies(run, placing);
  const rows = depthRows(replies, { stretches });
  const thirds = compareThirds(replies);
  const isShown = rows.some(({ score }) => score !== null);
  return {
    figure: isShown ? depthPanels(rows, { title: thirds.finding, origin }) : null,
    table: isShown ? depthTable(rows, { origin }) : null,
    thirdsTable: thirdsTable(thirds, { origin }),
    ...{ thirds, rows, replies },
    notes: [...left.map(({ task, why }) => `${task} is left out as ${why}`), ...notes],
  };
}
