import type { StarBucket, StarFigureOptions, StarLeader } from "./published.ts";
import { type Figure, heatmap, panels } from "@/lib/figures/mod.ts";
import type { ModelTaskScore } from "@/lib/statistics/mod.ts";

/** The four tasks of the later edition: the name in Tables 4 and 5, in words, and the column of Table 3. */
export const LATER_TASKS = [
  ["me_acq_zh", "Acquisition, Chinese", "acquisitionZh"],
  ["me_acq_en", "Acquisition, English", "acquisitionEn"],
  ["me_rea_zh", "Reasoning, Chinese", "reasoningZh"],
  ["me_rea_en", "Reasoning, English", "reasoningEn"],
] as const;

/**
 * Returns Table 3 of the later edition in percent: a row for each model and task, and for the mean of the four tasks of models that were
 * asked all; the highest mean first, models without one last.
 */
export function starLeaders(leaders: readonly StarLeader[]): readonly ModelTaskScore[] {
  const ranked = leaders.toSorted((left, right) => (right.average ?? -1) - (left.average ?? -1));
  return ranked.flatMap((leader) => {
    const model = `${leader.model}, ${leader.claimedLength} claimed`;
    const scores = LATER_TASKS.map(([, words, field]) => [words, leader[field]] as const);
    return [...scores, ["Mean of the four", leader.average] as const].flatMap(([task, share]) =>
      share === null ? [] : [{ model, task, score: 100 * share, low: null, high: null, n: null }]
    );
  });
}

/**
 * Draws Tables 4 and 5 of the later edition: accuracies by model and length, one panel per task.
 *
 * @param rows At least one.
 */
export function starBucketMap(rows: readonly StarBucket[], { title, ...drawn }: StarFigureOptions): Figure {
  const words = new Map<string, string>(LATER_TASKS.map(([name, words]) => [name, words]));
  const caption =
    "A row is a model, a column a context length or a range of them; a cell is the accuracy, the mean of all stars.";
  const maps = [...Map.groupBy(rows, ({ task }) => task)].map(([task, ofTask]) => {
    const shown = ofTask.map(({ model, lengths, accuracy }) => (
      { model, lengths, accuracy: Number(accuracy.toFixed(2)) }
    ));
    return heatmap(shown, {
      ...drawn,
      caption,
      title: words.get(task) ?? task,
      x: "lengths",
      y: "model",
      value: "accuracy",
      xTitle: "Context length (tokens)",
      yTitle: "Model",
      valueTitle: "Accuracy",
      domain: [0, 1],
      showValues: true,
      yOrder: [...new Set(ofTask.map(({ model }) => model))],
    });
  });
  return panels(maps, { title, caption });
}
