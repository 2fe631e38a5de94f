import { drawnFrom } from "./native_lengths.ts";
import { depthMap, depthTable, type Figure, type Table, thirdsTable } from "@/lib/figures/mod.ts";
import { modelName, type ScoredReply, type ScoredRun, targetDepth } from "@/lib/records/mod.ts";
import { compareThirds, type DepthCell, depthCells, type ThirdsCompared } from "@/lib/statistics/mod.ts";
import { type OpenedOptions, type OpenStudy, openStudy, remakeSample } from "@/lib/studies/mod.ts";

/**
 * Returns scores by depth of the target: heatmaps of lengths and depths, and a test of the thirds of the context.
 *
 * @throws {RangeError} If the run's study or one of its files has changed, or `stretches` is outside its range.
 */
export async function depthFigure(run: ScoredRun, options: OpenedOptions & {
  /** Number of depth bins. Range: 1 to 100. Default: 5. */
  readonly stretches?: number;
} = {}): Promise<
  PlacedReplies & {
    /** Heatmap of lengths and depths for each task with one target; `null` if none has a score. */
    readonly figure: Figure | null;
    /** The cells of the heatmap, with n and interval. */
    readonly table: Table | null;
    readonly thirdsTable: Table;
    readonly thirds: ThirdsCompared;
    readonly rows: readonly DepthCell[];
  }
> {
  const { stretches = 5, ...placing } = options;
  const drawn = drawnFrom(run);
  const { replies, skipped, notes } = await placeReplies(run, placing);
  const rows = depthCells(replies, { stretches });
  const thirds = compareThirds(replies);
  const isShown = rows.some(({ score }) => score !== null);
  const title = `${modelName(run.manifest)}: score by the depth of the target`;
  return {
    figure: isShown ? depthMap(rows, { title: thirds.finding, ...drawn }) : null,
    table: isShown ? depthTable(rows, { title, ...drawn }) : null,
    thirdsTable: thirdsTable(thirds, drawn),
    thirds,
    rows,
    replies,
    skipped,
    notes: [...notes, ...skipped.map(({ task, why }) => `${task} is left out as ${why}`)],
  };
}

/** A reply with the depth of its only target. */
export interface PlacedReply extends ScoredReply {
  /** Share of the context's tokens before the target, in [0, 1]. */
  readonly depth: number;
}

/** The replies of a run by depth of their only target. */
export interface PlacedReplies {
  /** Those with a depth in their order, failed calls included. */
  readonly replies: readonly PlacedReply[];
  /** Tasks whose targets have no depth, with the reason, such as `it asks for 5 facts`. */
  readonly skipped: readonly Readonly<Record<"task" | "why", string>>[];
  /** Samples that could not be rebuilt, with the reason; of a figure also the skipped tasks. */
  readonly notes: readonly string[];
}

/**
 * Finds the depth of the target of each reply; rebuilds the samples of older records for it.
 *
 * Skips tasks with several targets, or with a target in no single place (counted words), as their scores have no depth. Replies whose
 * rebuilt sample is not the recorded text are skipped with a note.
 *
 * @throws {RangeError} If the run's study or one of its files has changed.
 */
export async function placeReplies(run: ScoredRun, options: OpenedOptions = {}): Promise<PlacedReplies> {
  const { depthOf, skipped, notes } = openPlacer(run, options.opened ?? await openStudy(run.manifest.study, run));
  const replies = run.replies.flatMap((reply): PlacedReply[] => {
    const depth = depthOf(reply);
    return depth === null ? [] : [{ ...reply, depth }];
  });
  return { replies, skipped: skipped(), notes: notes() };
}

/** Finds the depths of targets one reply at a time, as {@linkcode placeReplies} does. */
export interface Placer {
  /** Returns the share of the context's tokens before the target, in [0, 1]; `null` if it has no single place. */
  depthOf(reply: ScoredReply): number | null;
  /** Returns the tasks skipped so far. */
  skipped(): PlacedReplies["skipped"];
  /** Returns the samples that could not be rebuilt so far, with the reason. */
  notes(): readonly string[];
}

/** Returns a {@linkcode Placer} for a run whose study is open. */
export function openPlacer(
  { manifest: { template } }: ScoredRun,
  { tasks, materials }: Pick<OpenStudy, "tasks" | "materials">,
): Placer {
  const skipped = new Map<string, string>();
  const changed = new Map<string, number>();
  return {
    depthOf({ task, record }): number | null {
      if (record.targetDepth !== undefined) return record.targetDepth;
      if (skipped.has(task)) return null;
      const { sample, isSame, why } = remakeSample(record, { tasks, materials, template });
      if (!isSame) {
        changed.set(why, (changed.get(why) ?? 0) + 1);
        return null;
      }
      const depth = targetDepth(sample);
      if (typeof depth === "number") return depth;
      skipped.set(task, depth);
      return null;
    },
    skipped: () => Array.from(skipped, ([task, why]) => ({ task, why })),
    notes: () => Array.from(changed, ([why, count]) => `${count} replies have no depth as ${why}`),
  };
}
