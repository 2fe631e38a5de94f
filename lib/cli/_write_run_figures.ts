import { fileURLToPath } from "node:url";
import { type Origin, RULER_GROUPS, type ScoreRow } from "@/lib/analysis/mod.ts";
import { type Figure, heatmap, lengthLabel, saveFigure, scoreCurves } from "@/lib/charts/mod.ts";
import { depthFigures } from "./_depth_figures.ts";
import { reportRows, type ScoredRun } from "./_print_report.ts";

const FIGURES = new URL("../../results/figures/", import.meta.url);

/**
 * Draws a run's scores by length, by task and length, and by length and depth, into results/figures/RUN/.
 *
 * @returns The paths of the files.
 */
export async function writeRunFigures(run: ScoredRun): Promise<string[]> {
  const { name, model, origin } = run.manifest;
  const scored = reportRows(run).filter(({ score }) => score !== null);
  if (scored.length === 0) return [];
  const folder = fileURLToPath(new URL(`${name}/`, FIGURES));
  await Deno.mkdir(folder, { recursive: true });
  const figures = {
    "score-by-length": drawCurves(scored, { model, origin }),
    "score-by-task": drawCells(scored, { model, origin }),
    ...Object.fromEntries(depthFigures(run).map(({ name, figure }) => [name, figure])),
  };
  const paths: string[] = [];
  for (const [file, figure] of Object.entries(figures)) {
    paths.push(`${folder}${file}.svg`);
    await saveFigure(figure, paths.at(-1)!);
  }
  return paths;
}

interface Labels {
  readonly model: string;
  readonly origin: Origin;
}

const isGroup = ({ task }: ScoreRow): boolean => RULER_GROUPS.some(({ name }) => name === task);

/** Draws RULER's categories where all their tasks were asked, and single tasks otherwise. */
function drawCurves(rows: readonly ScoreRow[], { model, origin }: Labels): Figure {
  const groups = rows.filter(isGroup);
  return scoreCurves(groups.length > 0 ? groups : rows, {
    title: `${model}: score by context length`,
    seriesTitle: groups.length > 0 ? "Mean of" : "Task",
    n: countText(rows),
    origin,
  });
}

function drawCells(rows: readonly ScoreRow[], { model, origin }: Labels): Figure {
  return heatmap(rows.filter((row) => !isGroup(row)), {
    x: "length",
    y: "task",
    value: "score",
    xTitle: "Context length (tokens)",
    yTitle: "Task",
    valueTitle: "Score (%)",
    domain: [0, 100],
    xLabel: (length) => lengthLabel(Number(length)),
    title: `${model}: score by task and context length`,
    caption: "Means over the samples of a task and length.",
    n: countText(rows),
    origin,
  });
}

function countText(rows: readonly ScoreRow[]): string {
  const counts = rows.filter((row) => !isGroup(row)).map(({ n }) => n);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return `n = ${least === most ? least : `${least} to ${most}`} samples a task and length`;
}
