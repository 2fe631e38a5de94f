import { fileURLToPath } from "node:url";
import { compareThirds, depthRows, placeReplies } from "@/lib/analysis/mod.ts";
import { depthPanels, depthTable, saveFigure, thirdsTable } from "@/lib/charts/mod.ts";
import type { Output } from "./_guard.ts";
import type { ScoredRun } from "./_print_report.ts";

const FIGURES = new URL("../../results/figures/", import.meta.url);

/** How depths are to be printed. */
export interface PrintDepthsOptions {
  readonly output: Output;
  /** Whether to print one JSON object. */
  readonly json: boolean;
  /** Whether to draw the heatmaps. */
  readonly figures: boolean;
  /** The run's name. */
  readonly name: string;
}

/** Prints the scores of a run by the depth of the target, and whether a third of the context is lost; draws the heatmaps. */
export async function printDepths(run: ScoredRun, options: PrintDepthsOptions): Promise<void> {
  const { output, json, figures, name } = options;
  const { replies, left, notes } = await placeReplies(run);
  for (const note of notes) output.tell(note);
  for (const { task, why } of left) output.tell(`${task} is left out as ${why}`);
  const rows = depthRows(replies);
  if (rows.every(({ score }) => score === null)) {
    throw new RangeError(
      `Cannot tell scores by depth as the run must have a scored task with one target: current value is "${name}"`,
    );
  }
  const { model, origin, samples } = run.manifest;
  const thirds = compareThirds(replies);
  if (json) return await output.write(`${JSON.stringify({ run: name, model, origin, samples, rows, left, thirds })}\n`);
  const title = `${model}: score by the depth of the target`;
  await output.write(`${depthTable(rows, { title, origin }).text}\n${thirdsTable(thirds, { origin }).text}`);
  if (!figures) return;
  const folder = fileURLToPath(new URL(`${name}/`, FIGURES));
  await Deno.mkdir(folder, { recursive: true });
  await saveFigure(depthPanels(rows, { title: `${model}: ${lowered(thirds.finding)}`, origin }), `${folder}depths.svg`);
  output.tell(`${folder}depths.svg`);
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
