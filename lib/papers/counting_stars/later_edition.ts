import type { StarFigureOptions } from "./published.ts";
import { type Figure, heatmap, panels } from "@/lib/figures/mod.ts";
import { inTable } from "@/lib/papers/evidence/pairs.ts";
import type { Evidence } from "@/lib/statistics/mod.ts";

/** The name of the mean in Table 3. */
export const MEAN_OF_FOUR = "mean of the four";

/** The columns of Table 3 in words. */
const WORDS: Readonly<Record<string, string>> = {
  "counting_stars_shuffled_zh": "Acquisition, Chinese",
  "counting_stars_shuffled_en": "Acquisition, English",
  "counting_stars_reasoning_zh": "Reasoning, Chinese",
  "counting_stars_reasoning_en": "Reasoning, English",
  [MEAN_OF_FOUR]: "Mean of the four",
};

/**
 * Returns Table 3 of the later edition: a row for each model and task, and for the mean of the four tasks of models that were asked
 * all; the highest mean first, models without one last.
 */
export function starLeaders(rows: readonly Evidence[]): readonly Evidence[] {
  const table = inTable(rows, "Table 3");
  const means = new Map(table.filter(({ task }) => task === MEAN_OF_FOUR).map(({ model, score }) => [model, score]));
  return table.toSorted((left, right) => (means.get(right.model) ?? -1) - (means.get(left.model) ?? -1))
    .map((row) => ({ ...row, model: `${row.model}, ${row.knobs["claimed"]} claimed`, task: WORDS[row.task]! }));
}

/** Draws Table 4 or 5 of the later edition: scores by model and length, one panel per task. */
export function starBucketMap(rows: readonly Evidence[], { title, ...drawn }: StarFigureOptions): Figure {
  const caption =
    "A row is a model, a column a context length or a range of them; a cell is the mean score of all stars.";
  const cells = inTable(rows, title).map((row) => ({ ...row, lengths: row.knobs["lengths"] }));
  const maps = [...Map.groupBy(cells, ({ task }) => task)].map(([task, ofTask]) =>
    heatmap(ofTask, {
      ...drawn,
      caption,
      title: WORDS[task]!,
      x: "lengths",
      y: "model",
      value: "score",
      xTitle: "Context length (tokens)",
      yTitle: "Model",
      valueTitle: "Stars found (%)",
      domain: [0, 100],
      showValues: true,
      yOrder: [...new Set(ofTask.map(({ model }) => model))],
    })
  );
  return panels(maps, { title, caption });
}
