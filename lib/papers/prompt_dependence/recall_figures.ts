import type { PublishedRecall } from "./published.ts";
import { barChart, depthMap, type Figure, type FigureOptions, panels } from "@/lib/figures/mod.ts";
import { scoredAnswer, type ScoredReply } from "@/lib/models/mod.ts";
import { type ModelTaskScore, modelTaskScores, type Origin } from "@/lib/statistics/mod.ts";

/** The paper's tests in the order of Table 5, with the tasks that ask them. */
const TEST_TASKS = [
  { test: "Thornfield Hollow", task: "recall_thornfield" },
  { test: "San Francisco", task: "recall_san_francisco" },
  { test: "PistachioAI", task: "recall_pistachio" },
] as const;

/** What is needed of a run to compare models. */
export interface RecallReplies {
  readonly manifest: { readonly model: string; readonly origin: Origin };
  readonly replies: readonly ScoredReply[];
}

/**
 * Gives the recall of each model on each of the paper's three tests, in percent with its interval; tests without a grade are left
 * out, and a prompt that was repeated counts once. The lowest grade is 1 of 5, so nothing found is 20.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { openMeasured } from "@/lib/records/mod.ts";
 *
 * const [first] = modelRecalls(await openMeasured({ benchmark: "prompt_dependence" }));
 * deepEqual([first?.model, first?.task], ["gemma-3-270m", "Thornfield Hollow"]);
 * ```
 */
export function modelRecalls(runs: readonly RecallReplies[]): readonly ModelTaskScore[] {
  return modelTaskScores(runs.map(({ manifest: { model }, replies }) => ({
    name: model,
    records: TEST_TASKS.flatMap(({ test, task }) =>
      replies.filter((reply) => reply.task === task).map((reply) => ({ ...reply, task: test }))
    ),
  })));
}

/** Table 5 in the same form; it has no intervals. */
export function publishedModelRecalls(recalls: readonly PublishedRecall[]): readonly ModelTaskScore[] {
  return recalls.map(({ model, test, cells, recall }) => (
    { model, task: test, n: cells, score: recall, low: null, high: null }
  ));
}

/** Models that are compared with each other, and what they differ in. */
export interface RecallComparison {
  /** Such as `Parameters`. */
  readonly differ: string;
  /** As the rows name them, in the order of the comparison. */
  readonly models: readonly string[];
}

/** What sections 4.3 to 4.5 of the paper compare. */
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
 * Reads what is to be compared: what differs, a colon and the models, comparisons parted by semicolons, such as
 * `parameters: small, large; fine-tuning: base, chat`. All models are one comparison if the text is empty.
 *
 * @param models The models that there are.
 * @throws {RangeError} If a comparison has fewer than two of these models, or another.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(readComparisons("parameters: a, b", ["a", "b", "c"]), [{ differ: "parameters", models: ["a", "b"] }]);
 * deepEqual(readComparisons("", ["a", "b"]), [{ differ: "all models", models: ["a", "b"] }]);
 * ```
 */
export function readComparisons(text: string, models: readonly string[]): readonly RecallComparison[] {
  if (text.trim() === "") return [{ differ: "all models", models }];
  return text.split(";").filter((part) => part.trim() !== "").map((part) => {
    // Names of simulated readers have a colon of their own, so the first one parts.
    const at = part.indexOf(":");
    const differ = part.slice(0, Math.max(at, 0)).trim();
    const named = part.slice(at + 1).split(",").map((name) => name.trim()).filter((name) => name !== "");
    if (differ !== "" && named.length > 1 && named.every((name) => models.includes(name))) {
      return { differ, models: named };
    }
    throw new RangeError(
      `Cannot compare the models as each comparison must be "what differs: model, model" of the models asked (${
        models.join(", ")
      }): current value is "${part.trim()}"`,
    );
  });
}

/** Options for {@linkcode recallComparisonFigure}. */
export interface RecallComparisonOptions extends Pick<FigureOptions, "title" | "origin" | "warning" | "width"> {
  /** A panel each. */
  readonly comparisons: readonly RecallComparison[];
}

/**
 * Draws the recall of models beside each other on the three tests, a panel for each comparison: what more parameters, another
 * architecture or fine-tuning does.
 *
 * @param rows From {@linkcode modelRecalls} or {@linkcode publishedModelRecalls}.
 * @throws {RangeError} If a comparison has no model of the rows.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openRecallPublished } from "@/lib/papers/prompt_dependence/mod.ts";
 *
 * const rows = publishedModelRecalls((await openRecallPublished()).recalls);
 * const figure = recallComparisonFigure(rows, {
 *   ...{ title: "Larger recalls more", comparisons: RECALL_COMPARISONS.slice(0, 1), origin: "published" } as const,
 * });
 * match(await figure.svg(), /Llama 2 70B/);
 * ```
 */
export function recallComparisonFigure(rows: readonly ModelTaskScore[], options: RecallComparisonOptions): Figure {
  const { comparisons, title, width = 900, origin, warning } = options;
  const bars = comparisons.map(({ differ, models }) => {
    const shown = models.flatMap((model) => rows.filter((row) => row.model === model));
    const hasIntervals = shown.some(({ low }) => low !== null);
    const counts = shown.map(({ n }) => n ?? 0);
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    return barChart(shown, {
      title: differ,
      caption: CAPTION,
      n: `${least === most ? least : `${least} to ${most}`} prompts a bar`,
      origin: ofModels(origin, models),
      warning,
      category: "task",
      value: "score",
      series: "model",
      categoryTitle: "",
      valueTitle: "Recall (%)",
      seriesTitle: "",
      horizontal: true,
      valueDomain: [0, 100],
      ...(hasIntervals ? { low: "low", high: "high", interval: "95% interval" } as const : { showValues: true }),
    });
  });
  return panels(bars, { title, caption: CAPTION, width, columns: Math.min(2, bars.length) });
}

/** The origins of some models, where each has its own. */
function ofModels(origin: FigureOptions["origin"], models: readonly string[]): FigureOptions["origin"] {
  if (typeof origin === "string") return origin;
  return Object.fromEntries(Object.entries(origin).filter(([model]) => models.includes(model)));
}

const CAPTION = "Recall of each test: the sum of grades over five times the prompts. 20 is the least there can be.";

/**
 * Draws grades by length and depth for each model and test, a row of panels a model: the paper's Figures 1 to 3 and Appendix D for
 * models of one's own. Each model has its own lengths and depths; the grades of a cell are averaged, and hovering shows a reply.
 *
 * @throws {RangeError} If no model has a grade on any of the three tests.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openMeasured } from "@/lib/records/mod.ts";
 *
 * const runs = await openMeasured({ benchmark: "prompt_dependence" });
 * match(await recallMaps(runs, { title: "Two small models" }).svg(), /gemma-3-270m: San Francisco/);
 * ```
 */
export function recallMaps(
  runs: readonly RecallReplies[],
  options: Pick<FigureOptions, "title" | "warning" | "width">,
): Figure {
  const maps = runs.flatMap(({ manifest: { model, origin }, replies }) =>
    TEST_TASKS.flatMap(({ test, task }): Figure[] => {
      const cells = gradeCells(replies.filter((reply) => reply.task === task && reply.value !== null));
      if (cells.length === 0) return [];
      const grades = cells.map(({ n }) => n);
      const [least, most] = [Math.min(...grades), Math.max(...grades)];
      return [depthMap(cells, {
        ...{ title: `${model}: ${test}`, origin, warning: options.warning, domain: [1, 5] },
        n: `${least === most ? least : `${least} to ${most}`} ${most === 1 ? "reply" : "replies"} a cell`,
        ...{ xTitle: "Length (tokens)", valueTitle: "Grade", height: 190 },
        tooltips: { Reply: "reply", Why: "why" },
      })];
    })
  );
  const caption =
    "A column is a length, a row the depth of the needle, a cell the mean grade, from 1 (red) to 5 (green); hover to see a reply.";
  return panels(maps, { width: 900, ...options, caption, columns: TEST_TASKS.length });
}

interface GradeCell {
  readonly length: number;
  readonly depth: number;
  readonly score: number;
  readonly n: number;
  readonly reply: string;
  readonly why: string;
}

function gradeCells(replies: readonly ScoredReply[]): readonly GradeCell[] {
  const places = Map.groupBy(
    replies.filter(({ record }) => record.depth !== undefined),
    ({ length, record }) => JSON.stringify([length, record.depth]),
  );
  return [...places.values()].map((same): GradeCell => {
    const [{ length, record, score }] = same as [ScoredReply, ...ScoredReply[]];
    return {
      length,
      depth: Math.round(1000 * record.depth!) / 10,
      score: 5 * same.reduce((sum, { value }) => sum + value!, 0) / same.length,
      n: same.length,
      reply: scoredAnswer(same[0]!),
      why: score?.why ?? "",
    };
  });
}
