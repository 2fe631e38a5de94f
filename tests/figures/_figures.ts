import { barChart, type Figure, heatmap, lineChart, panels } from "@/lib/figures/mod.ts";

/** One small figure of each kind, with a gap in each. */
export const SCORES = Object.freeze([
  { model: "A", length: 4096, score: 96.64, low: 94, high: 98.5, depth: 0 },
  { model: "A", length: 8192, score: null, low: null, high: null, depth: 50 },
  { model: "A", length: 16384, score: 81.2, low: 77.1, high: 84.9, depth: 100 },
  { model: "B", length: 4096, score: 70, low: 65, high: 75, depth: 0 },
  { model: "B", length: 8192, score: 60.5, low: 55, high: 66, depth: 50 },
  { model: "B", length: 16384, score: 0, low: 0, high: 3, depth: 100 },
].map((row) => Object.freeze(row)));

const said = { caption: "How to read it.", n: "n = 25 samples a point", origin: "simulated" } as const;

export function smallLines(): Figure {
  return lineChart(SCORES, {
    ...said,
    title: "B forgets sooner",
    interval: "95% interval",
    x: "length",
    y: "score",
    series: "model",
    seriesTitle: "Reader",
    low: "low",
    high: "high",
    xTitle: "Context length (tokens)",
    yTitle: "Score (%)",
    yDomain: [0, 100],
    thresholds: [{ y: 85.6, label: "to reach: 85.6" }],
  });
}

export function smallHeatmap(): Figure {
  return heatmap(SCORES.filter(({ model }) => model === "A"), {
    ...said,
    title: "One cell of nine",
    x: "length",
    y: "depth",
    value: "score",
    xTitle: "Context length (tokens)",
    yTitle: "Depth (%)",
    valueTitle: "Score (%)",
    domain: [0, 100],
    columnMeans: true,
    showValues: true,
  });
}

export function smallBars(): Figure {
  return barChart(SCORES, {
    ...said,
    title: "B is lower at each length",
    interval: "95% interval",
    category: "length",
    value: "score",
    series: "model",
    low: "low",
    high: "high",
    categoryTitle: "Context length (tokens)",
    valueTitle: "Score (%)",
  });
}

export function smallPanels(): Figure {
  return panels([smallLines(), smallBars()], {
    title: "Two ways to see it",
    caption: "Left lines, right bars.",
    width: 700,
  });
}

export const FIGURES: readonly (readonly [string, () => Figure])[] = [
  ["lineChart", smallLines],
  ["heatmap", smallHeatmap],
  ["barChart", smallBars],
  ["panels", smallPanels],
];

/** The snapshots of a test file, which Deno would look for beside the file that it was started with. */
export function keptIn(file: string): Deno.TestSnapshotOptions {
  return { path: new URL(`__snapshots__/${file}`, import.meta.url).pathname };
}
