import { type Command, Option } from "commander";
import { join } from "node:path";
import { addBenchmarkFlag, type Flags, openBenchmarks } from "./flags.ts";
import type { Output } from "./output.ts";
import { type Figure, saveFigure } from "@/lib/figures/mod.ts";
import { readScoredRun, type RecordedScores, type ScoredRun } from "@/lib/records/mod.ts";
import { drawnFrom } from "@/lib/reports/mod.ts";
import { depthCells, statedInterval } from "@/lib/statistics/mod.ts";

/** Adds the flags of commands that read and score recorded runs. */
export function addReadingFlags(command: Command): Command {
  return addBenchmarkFlag(command).addOption(
    new Option("--scored <part>", "score whole replies, as RULER does, or first answers (default for base models)")
      .choices(["whole", "first"]),
  );
}

/** A recorded run with the name that it was opened by: its own, or the path of its folder. */
export interface NamedRun extends RecordedScores {
  readonly name: string;
}

/** Reads and scores runs, and prints what they note. */
export async function readRuns(names: readonly string[], flags: Flags, output: Output): Promise<readonly NamedRun[]> {
  const options = { benchmarks: await openBenchmarks(flags), scored: flags.scored, measure: flags.measure };
  const runs = await Promise.all(names.map(async (name) => ({ ...await readScoredRun(name, options), name })));
  for (const { manifest, notes } of runs) {
    for (const note of notes) output.note(runs.length === 1 ? note : `${manifest.name}: ${note}`);
  }
  return runs;
}

/** Formats results as JSON; those of few units have no interval, as in tables ({@linkcode statedInterval}). */
export function jsonOf(results: unknown): string {
  return JSON.stringify(
    results,
    (_, value) => typeof value?.low === "number" ? { ...value, ...statedInterval(value) } : value,
  );
}

export interface NamedFigure {
  readonly name: string;
  readonly figure: Figure;
}

export async function saveFigures(figures: readonly NamedFigure[], folder: string, output: Output): Promise<void> {
  for (const { name, figure } of figures) {
    const path = join(folder, `${name}.svg`);
    await saveFigure(figure, path);
    output.note(path);
  }
}

/** Size of OpenCompass's heatmaps in pixels: 15.5 × 8 inches. */
export const DEPTH_FIGURE_SIZE = { width: 1116, height: 400 } as const;

/**
 * Draws a heatmap for each task of a run whose samples vary the depth.
 *
 * @param datasetLength Length in the title; by default the longest, such as `200K`.
 */
export async function depthFigures(
  run: ScoredRun,
  datasetLength?: string,
  size: Partial<typeof DEPTH_FIGURE_SIZE> = DEPTH_FIGURE_SIZE,
): Promise<NamedFigure[]> {
  const { opencompassMap } = await import("@/lib/papers/cdme/opencompass.ts");
  const { model, abbr = model } = run.manifest;
  const asked = run.replies.filter(({ record }) => record.depth !== undefined);
  return [...Map.groupBy(asked, ({ task }) => task)].flatMap(([task, replies]) => {
    const cells = depthCells(replies);
    if (cells.every(({ score }) => score === null)) return [];
    const longest = Math.max(...cells.map(({ length }) => length));
    const figure = opencompassMap(cells, {
      model: `${abbr} on ${task}`,
      ...drawnFrom(run),
      datasetLength: datasetLength ?? `${Math.round(longest / 1000)}K`,
      ...size,
    });
    return [{ name: `depth-${task}`, figure }];
  });
}
