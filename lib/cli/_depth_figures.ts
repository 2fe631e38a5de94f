import { depthCells } from "@/lib/analysis/mod.ts";
import { depthHeatmap, type Figure } from "@/lib/charts/mod.ts";
import type { ScoredRun } from "./_print_report.ts";

/** A heatmap with the name of its file, without an ending. */
export interface NamedFigure {
  readonly name: string;
  readonly figure: Figure;
}

/** A heatmap's size in pixels: OpenCompass's 15.5 × 8 inches. */
export const DEPTH_FIGURE_SIZE = { width: 1116, height: 400 } as const;

/** Draws a heatmap of lengths and depths for each task of a run that goes through depths. */
export function depthFigures(run: ScoredRun, datasetLength?: string): NamedFigure[] {
  const { model, origin } = run.manifest;
  const asked = run.replies.filter(({ record }) => record.depth !== undefined);
  return [...Map.groupBy(asked, ({ task }) => task)].flatMap(([task, replies]) => {
    const cells = depthCells(replies);
    if (cells.every(({ score }) => score === null)) return [];
    const longest = Math.max(...cells.map(({ length }) => length));
    const figure = depthHeatmap(cells, {
      model: `${model} on ${task}`,
      origin,
      datasetLength: datasetLength ?? `${Math.round(longest / 1000)}K`,
      ...DEPTH_FIGURE_SIZE,
    });
    return [{ name: `depth-${task}`, figure }];
  });
}
