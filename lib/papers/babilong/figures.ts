import { lengthName, storyMeans } from "./claims.ts";
import { BABILONG } from "@/lib/benchmarks/babilong/babilong.ts";
import { type Figure, lineChart, type Titled } from "@/lib/figures/mod.ts";
import { INTERVALS } from "@/lib/papers/evidence/evidence.ts";
import type { Evidence } from "@/lib/statistics/mod.ts";

/** Draws the accuracy of a model's recorded replies by length: a line for each task and one for their mean, with 95% intervals. */
export function recordedCurves(
  rows: readonly Evidence[],
  { model, title }: Pick<Titled, "title"> & Pick<Evidence, "model">,
): Figure {
  const ofModel = rows.filter((row) => row.model === model);
  const { score, source } = BABILONG.threshold!;
  const sizes = ofModel.map(({ n }) => n!);
  return lineChart([...ofModel, ...storyMeans(ofModel)], {
    title,
    origin: "published",
    n: `${Math.min(...sizes)} to ${Math.max(...sizes)} replies a task and length`,
    caption:
      `The authors' recorded replies of ${model}. 0K is the story without a text. The level line is ${score}, ${source}.`,
    x: "length",
    y: "score",
    series: "task",
    seriesTitle: "Task",
    ...INTERVALS,
    xTitle: "Context length (tokens)",
    yTitle: "Right answers (%)",
    yDomain: [0, 100],
    xSpacing: "steps",
    xLabel: lengthName,
    thresholds: [{ y: score, label: String(score) }],
  });
}
