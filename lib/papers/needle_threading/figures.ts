import { turnedRows } from "./knob_rows.ts";
import { modelsOf } from "./published.ts";
import { plural, rangeText } from "@/lib/base/mod.ts";
import { coloursOf, type Figure, intervalOptions, lineChart, modelHeatmap, panels } from "@/lib/figures/mod.ts";
import { inTable } from "@/lib/papers/evidence/pairs.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { drawnFrom, drawnFromAll, runScores } from "@/lib/reports/mod.ts";
import { type Evidence, type LengthEvidence, unitsText } from "@/lib/statistics/mod.ts";

/**
 * Draws one of Tables 1 and 3 to 7: a row for each model, a column for each size. Prompts of one haystack count as one sample; the
 * means of Table 1 have no number of haystacks.
 */
export function scoreHeatmap(published: readonly Evidence[], table: string): Figure {
  const scores = inTable(published, table);
  const haystacks = published.flatMap(({ knobs, units }) => knobs["threads"] === undefined ? units ?? [] : []);
  return modelHeatmap(scores.map(({ length, units = null, ...row }) => ({ ...row, length: length!, n: units })), {
    title: `${table}: ${scores[0]!.task.replace("threading_", "").replace("_", " ")}`,
    origin: "published",
    n: `${rangeText(haystacks)} haystacks a cell`,
    xTitle: "Haystack (tokens of LLaMA 3.1)",
  });
}

const AS_DRAWN = "as drawn in the paper";

/** Draws the paper's figure of thread safety; a run that turns the number of threads is a line beside the published models. */
export function threadSafetyCurves(
  published: readonly Evidence[],
  runs: readonly [ScoredRun] | readonly [] = [],
): Figure {
  const drawn = inTable(published, "thread_safe.png");
  const own = turnedRows(runScores(runs), { kind: "multi_thread", knob: "threads" });
  const points = [...drawn, ...own].map((row) => ({ ...row, threads: Number(row.knobs["threads"]) }));
  return lineChart(points, {
    title: "Several threads at a time, each of three steps, in 20,000 tokens",
    caption: "A point is the mean share of the threads whose end is found. What the paper's bars are is not stated.",
    n: own.length === 0 ? "10 haystacks a point" : `published: 10 haystacks a point; runs: ${lengthsText(own)}`,
    interval: own.length === 0 ? AS_DRAWN : `published: ${AS_DRAWN}; runs: ${unitsText(own, "95% interval")}`,
    ...drawnFromAll(own.length === 0 ? [] : runs, modelsOf(own), modelsOf(drawn)),
    palette: own.length === 0 ? coloursOf(modelsOf(published)) : coloursOf(modelsOf(own), modelsOf(published)),
    x: "threads",
    y: "score",
    low: "low",
    high: "high",
    series: "model",
    xSpacing: "steps",
    yDomain: [0, 100],
    xTitle: "Threads at a time",
    yTitle: "Threads followed to their end (%)",
    seriesTitle: "Model",
  });
}

/** What the panels of a run turn: the kind of task, its knob, and the knob of the lines. */
const TURNED = [
  { kind: "single_thread", knob: "steps", xTitle: "Steps of a thread", series: "direction" },
  { kind: "multi_thread", knob: "threads", xTitle: "Threads at a time", series: "direction" },
  { kind: "multi_needle", knob: "needles", xTitle: "Needles", series: "placement" },
  { kind: "conditional_needle", knob: "needles", xTitle: "Marked needles", series: "placement" },
] as const;

/**
 * Draws what steps, threads, needles, direction and placement cost in a run, one panel a kind of task, at the longest length asked; a
 * kind that does not turn its knob, or is at the floor throughout, has no panel. Returns `null` if none has.
 */
export function knobPanels(run: ScoredRun): Figure | null {
  const rows = runScores([run]);
  const figures = TURNED.flatMap(({ kind, knob, xTitle, series }): Figure[] => {
    const turned = turnedRows(rows, { kind, knob, series });
    if (turned.length === 0) return [];
    const points = turned.map((row) => ({ ...row, at: Number(row.knobs[knob]), line: String(row.knobs[series]) }));
    return [lineChart(points, {
      title: `${xTitle}, by ${series}`,
      caption: "Mean score of the samples.",
      n: lengthsText(turned),
      ...drawnFrom(run),
      ...intervalOptions(turned),
      x: "at",
      y: "score",
      series: "line",
      xSpacing: "steps",
      yDomain: [0, 100],
      xTitle,
      yTitle: "Score (%)",
      seriesTitle: series,
    })];
  });
  return figures.length === 0 ? null : panels(figures, {
    title: `${run.manifest.model}: steps, threads, needles, direction and placement`,
    caption: "A point is the mean of its samples.",
  });
}

function lengthsText(rows: readonly LengthEvidence[]): string {
  const counts = rows.map(({ n }) => n!);
  const samples = `${rangeText(counts)} ${plural(Math.max(...counts), "sample")} a point`;
  return `${samples}, ${rangeText(rows.map(({ length }) => length))} tokens`;
}
