import { modelName, type ScoredRun, targetDepth } from "@/lib/records/mod.ts";
import { type OpenedOptions, type OpenStudy, openStudy, remakeSample } from "@/lib/studies/mod.ts";
import { drawnFrom } from "./native_lengths.ts";
import { depthMap, depthTable, type Figure, type Table, thirdsTable } from "@/lib/figures/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import { compareThirds, type DepthCell, depthCells, type ThirdsCompared } from "@/lib/statistics/mod.ts";

/** Options for {@linkcode depthFigure}. */
export interface DepthFigureOptions extends OpenedOptions {
  /**
   * How many depth bins. Range: 1 to 100.
   *
   * @default {5}
   */
  readonly stretches?: number;
}

/** Where in the context a run loses its targets, as parts that notebook and shell show. */
export interface DepthFigure {
  /** A heatmap of lengths and depths for each task with one target; `null` where none has a score. */
  readonly figure: Figure | null;
  /** The same with n and interval. */
  readonly table: Table | null;
  /** The comparison of the thirds as a table. */
  readonly thirdsTable: Table;
  /** The comparison of the thirds. */
  readonly thirds: ThirdsCompared;
  /** The numbers behind figure and table. */
  readonly rows: readonly DepthCell[];
  /** The replies with the depths of their targets. */
  readonly replies: readonly PlacedReply[];
  /** The tasks without a depth, and why. */
  readonly left: PlacedRun["left"];
  /** Which tasks are left out and why, and which samples could not be rebuilt. */
  readonly notes: readonly string[];
}

/**
 * Shows where in the context a model loses what it is asked for: heatmaps of lengths and depths, and a test of the thirds.
 *
 * @throws {RangeError} If the run's study is not what it should be, or `stretches` is outside its range.
 *
 * @example
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 * import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
 * import { runStudy } from "@/lib/asking/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1", "vt"], lengths: [1024], samples: 3 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("ideal"), folder });
 * const { figure, notes } = await depthFigure(run);
 * equal(figure?.title, "No difference between the thirds of the context is shown");
 * deepEqual(notes, ["vt is left out as it asks for 5 facts"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function depthFigure(run: ScoredRun, options: DepthFigureOptions = {}): Promise<DepthFigure> {
  const { stretches = 5, ...placing } = options;
  const model = modelName(run.manifest);
  const drawn = drawnFrom(run);
  const { replies, left, notes } = await placeReplies(run, placing);
  const rows = depthCells(replies, { stretches });
  const thirds = compareThirds(replies);
  const isShown = rows.some(({ score }) => score !== null);
  return {
    figure: isShown ? depthMap(rows, { title: thirds.finding, ...drawn }) : null,
    table: isShown ? depthTable(rows, { title: `${model}: score by the depth of the target`, ...drawn }) : null,
    thirdsTable: thirdsTable(thirds, drawn),
    ...{ thirds, rows, replies, left },
    notes: [...notes, ...left.map(({ task, why }) => `${task} is left out as ${why}`)],
  };
}

/** A scored reply to a sample with one target, and where that target stood. */
export interface PlacedReply extends ScoredReply {
  /** The share of the context's tokens before the target, in [0, 1]. */
  readonly depth: number;
}

/** The replies of a run whose targets have one place each. */
export interface PlacedRun {
  /** Those replies in their order, failed calls included. */
  readonly replies: readonly PlacedReply[];
  /** The tasks that are left out, each with the reason. */
  readonly left: readonly { readonly task: string; readonly why: string }[];
  /** Which samples could not be made again, and why. */
  readonly notes: readonly string[];
}

/**
 * Finds where the target of each reply stood, in tasks that ask for one fact in one place; samples are made again for it.
 *
 * A task with several targets, or with one that has no place (counted words), is left out: its score has no depth. So is a
 * reply whose sample is no longer the text that was asked, with a note.
 *
 * @throws {RangeError} If a task or a file of the run's study is not what it should be.
 */
export async function placeReplies(run: ScoredRun, options: OpenedOptions = {}): Promise<PlacedRun> {
  const { depthOf, left, notes } = openPlacer(run, options.opened ?? await openStudy(run.manifest.study, run));
  const placed = run.replies.flatMap((reply): PlacedReply[] => {
    const depth = depthOf(reply);
    return depth === null ? [] : [{ ...reply, depth }];
  });
  return { replies: placed, left: left(), notes: notes() };
}

/** Finds where the targets of replies stood one at a time, as {@linkcode placeReplies} does. */
export interface Placer {
  /** The share of the context's tokens before the target, in [0, 1]; `null` where there is no such place. */
  depthOf(reply: ScoredReply): number | null;
  /** The tasks that were left out so far, each with the reason. */
  left(): PlacedRun["left"];
  /** Which samples could not be made again so far, and why. */
  notes(): readonly string[];
}

/** Makes a {@linkcode Placer} of a run, its study being open. */
export function openPlacer(
  { manifest: { template } }: ScoredRun,
  { tasks, materials }: Pick<OpenStudy, "tasks" | "materials">,
): Placer {
  const left = new Map<string, string>();
  const changed = new Map<string, number>();
  return {
    depthOf({ task, record }): number | null {
      if (record.targetDepth !== undefined) return record.targetDepth;
      if (left.has(task)) return null;
      const { sample, isSame, why } = remakeSample(record, { tasks, materials, template });
      if (!isSame) {
        changed.set(why, (changed.get(why) ?? 0) + 1);
        return null;
      }
      const depth = targetDepth(sample);
      if (typeof depth === "number") return depth;
      left.set(task, depth);
      return null;
    },
    left: () => Array.from(left, ([task, why]) => ({ task, why })),
    notes: () => Array.from(changed, ([why, count]) => `${count} replies have no depth as ${why}`),
  };
}
