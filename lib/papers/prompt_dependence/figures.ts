import { rangeText } from "@/lib/base/mod.ts";
import { nameTests, TESTS } from "./recalls.ts";
import { barChart, coloursOf, depthMap, type Figure, panels, RED_TO_GREEN, type Titled } from "@/lib/figures/mod.ts";
import { INTERVALS } from "@/lib/papers/evidence/evidence.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { drawnFromAll, type DrawnRun } from "@/lib/reports/mod.ts";
import {
  depthCells,
  type ModelTaskScore,
  modelTaskScores,
  type RunEvidence,
  type RunReply,
} from "@/lib/statistics/mod.ts";

/** The part of a run that comparisons of models read. */
export type RecallReplies = Pick<DrawnRun, "manifest"> & Pick<ScoredRun, "replies">;

/**
 * Returns the recall of each model on the paper's three tests, in percent with its interval. Tests without a grade are left out,
 * and a repeated prompt counts once. The lowest grade is 1 of 5, so a model that finds nothing has 20.
 */
export function modelRecalls(runs: readonly RecallReplies[]): readonly ModelTaskScore[] {
  return modelTaskScores(runs.map((run) => ({ name: run.manifest.model, records: nameTests(run.replies) })));
}

/** Models that are compared with each other. */
export interface RecallComparison {
  /** What they differ in, such as `Parameters`. */
  readonly differ: string;
  /** In the order of the comparison. */
  readonly models: readonly string[];
}

/** The comparisons of sections 4.3 to 4.5 of the paper. */
export const RECALL_COMPARISONS: readonly RecallComparison[] = [
  { differ: "Parameters (4.3)", models: ["Llama 2 13B Chat", "Llama 2 70B Chat"] },
  {
    differ: "Architecture and training (4.4)",
    models: ["Mistral 7B Instruct v0.1", "Mistral 7B Instruct v0.2", "Mixtral 8x7B Instruct v0.1"],
  },
  { differ: "Fine-tuning (4.5.1)", models: ["Llama 2 70B Chat", "WizardLM-70B-V1.0"] },
  { differ: "Fine-tuning (4.5.2)", models: ["GPT-3.5 Turbo 1106", "GPT-3.5 Turbo 0125"] },
];

/**
 * Draws the recall of models on the three tests, one panel per comparison.
 *
 * @param rows From {@linkcode modelRecalls}, or Table 5 with names of tests.
 * @throws {RangeError} If a comparison has no model of the rows.
 */
export function recallComparisonFigure(
  rows: readonly ModelTaskScore[],
  options: Titled & { readonly comparisons: readonly RecallComparison[] },
): Figure {
  const { comparisons, title, origin, warning } = options;
  const palette = coloursOf(comparisons.flatMap(({ models }) => models));
  const caption = "Recall of each test: the sum of grades over five times the prompts. 20 is the least there can be.";
  const bars = comparisons.map(({ differ, models }) => {
    const shown = models.flatMap((model) => rows.filter((row) => row.model === model));
    const hasIntervals = shown.some(({ low }) => low !== null);
    return barChart(shown, {
      title: differ,
      caption,
      origin: ofModels(origin, models),
      warning,
      n: `${rangeText(shown.map(({ n }) => n ?? 0))} prompts a bar`,
      category: "task" as const,
      value: "score" as const,
      series: "model" as const,
      horizontal: true,
      // Beyond 100 there is room for the printed values.
      valueDomain: [0, 120] as const,
      categoryTitle: "",
      valueTitle: "Recall (%)",
      seriesTitle: "",
      palette,
      ...(hasIntervals ? INTERVALS : { showValues: true, interval: "no interval, as fewer than 5 texts" }),
    });
  });
  return panels(bars, { title, caption });
}

/** Returns the origins of some models, if each has its own. */
function ofModels(origin: Titled["origin"], models: readonly string[]): Titled["origin"] {
  if (typeof origin === "string") return origin;
  return Object.fromEntries(Object.entries(origin).filter(([model]) => models.includes(model)));
}

/**
 * Draws mean recall by length and depth, a panel for each model and test: the paper's Figures 1 to 3 and Appendix D.
 *
 * @throws {RangeError} If no model has a grade on any of the three tests.
 */
export function recallMaps(runs: readonly RecallReplies[], options: Pick<Titled, "title">): Figure {
  const cells = runs.flatMap(({ manifest: { model, name: run }, replies }) =>
    depthCells(nameTests(replies).map((reply) => ({ ...reply, task: `${model}: ${reply.task}` })))
      .map((cell) => ({ ...cell, run }))
  );
  return depthMap(cells, {
    caption:
      "A column is a length, a row the depth of the needle, a cell the mean recall, from 20 (red) to 100 (green); hover for n and interval.",
    domain: [20, 100],
    valueTitle: "Recall (%)",
    colours: RED_TO_GREEN,
    width: 1000,
    height: 190,
    columns: TESTS.size,
    ...drawnFromAll(runs),
    ...options,
  });
}

/**
 * Lists replies once for each part of their prompts that varies, with the part and its value as their task, such as
 * `wording: distant`. Averaged by task they show how much recall depends on needle, wording, system message, template and position,
 * if every combination was asked. In the paper the three tests differ in needle and question at once.
 *
 * @param tasks The tasks of the run with their knobs.
 */
export function promptParts(asked: readonly RunReply[], tasks: RunEvidence["tasks"]): readonly RunReply[] {
  const replies = asked.toSorted((one, other) => (one.record.depth ?? 0) - (other.record.depth ?? 0));
  const parts = replies.map(({ task, record: { depth = 0 } }) => {
    const { test, needle = test, wording, question, system, template } = tasks[task]?.options ?? {};
    const position = `${Math.round(1000 * depth) / 10}%`;
    return { needle, "wording": wording ?? question, "system message": system, template, position };
  });
  const names = ["needle", "wording", "system message", "template", "position"] as const;
  const varied = names.filter((name) => new Set(parts.map((part) => part[name])).size > 1);
  return varied.flatMap((name) => replies.map((reply, at) => ({ ...reply, task: `${name}: ${parts[at]![name]}` })));
}
