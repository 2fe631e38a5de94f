import { accuracyRows, type BabilongCounts, lengthName, meanRows } from "./published.ts";
import { BABILONG } from "@/lib/benchmarks/babilong/babilong.ts";
import { type Figure, lineChart, type Titled } from "@/lib/figures/mod.ts";

/** Options for {@linkcode recordedCurves}. */
export interface RecordedCurvesOptions extends Pick<Titled, "title"> {
  readonly model: string;
}

/** Draws the accuracy of a model's recorded replies by length: a line for each task and one for their mean, with 95% intervals. */
export function recordedCurves(counts: readonly BabilongCounts[], options: RecordedCurvesOptions): Figure {
  const rows = accuracyRows(counts, options);
  const { score, source } = BABILONG.threshold!;
  const sizes = rows.map(({ n }) => n);
  return lineChart([...rows, ...meanRows(rows)], {
    title: options.title,
    origin: "published",
    n: `${Math.min(...sizes)} to ${Math.max(...sizes)} replies a task and length`,
    caption:
      `The authors' recorded replies of ${options.model}. 0K is the story without a text. The level line is ${score}, ${source}.`,
    x: "length" as const,
    y: "score" as const,
    series: "task" as const,
    seriesTitle: "Task" as const,
    low: "low" as const,
    high: "high" as const,
    interval: "95% interval" as const,
    xTitle: "Context length (tokens)",
    yTitle: "Right answers (%)",
    yDomain: [0, 100] as const,
    xSpacing: "steps" as const,
    xLabel: lengthName,
    thresholds: [{ y: score, label: String(score) }] as const,
  });
}
