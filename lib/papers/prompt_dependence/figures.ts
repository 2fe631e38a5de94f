import { rangeText, sum } from "@/lib/base/mod.ts";
import type { PublishedRecall } from "./published.ts";
import { recallScorer } from "@/lib/benchmarks/prompt_dependence/recall_keywords.ts";
import { barChart, coloursOf, depthMap, type Figure, panels, type Titled } from "@/lib/figures/mod.ts";
import { type ChatTemplate, type Materials, type Task, userText } from "@/lib/generators/mod.ts";
import { scoredAnswer, type ScoredReply } from "@/lib/records/mod.ts";
import {
  type ModelTaskScore,
  modelTaskScores,
  type Origin,
  type RunEvidence,
  type RunReply,
} from "@/lib/statistics/mod.ts";
import { splitSentences } from "@/lib/text/mod.ts";

/** The paper's tests in the order of Table 5, with their tasks. */
const TEST_TASKS = [
  { test: "Thornfield Hollow", task: "recall_thornfield" },
  { test: "San Francisco", task: "recall_san_francisco" },
  { test: "PistachioAI", task: "recall_pistachio" },
] as const;

/** The part of a run that comparisons of models read. */
export interface RecallReplies {
  readonly manifest: { readonly model: string; readonly origin: Origin };
  readonly replies: readonly ScoredReply[];
}

/**
 * Returns the recall of each model on the paper's three tests, in percent with its interval. Tests without a grade are left out,
 * and a repeated prompt counts once. The lowest grade is 1 of 5, so a model that finds nothing has 20.
 */
export function modelRecalls(runs: readonly RecallReplies[]): readonly ModelTaskScore[] {
  return modelTaskScores(runs.map(({ manifest: { model }, replies }) => ({
    name: model,
    records: TEST_TASKS.flatMap(({ test, task }) =>
      replies.filter((reply) => reply.task === task).map((reply) => ({ ...reply, task: test }))
    ),
  })));
}

/** Returns Table 5 in the same form; it has no intervals. */
export function publishedModelRecalls(recalls: readonly PublishedRecall[]): readonly ModelTaskScore[] {
  return recalls.map(({ model, test, cells, recall }) => (
    { model, task: test, n: cells, score: recall, low: null, high: null }
  ));
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
 * Reads comparisons such as `parameters: small, large; fine-tuning: base, chat`. An empty text compares all models.
 *
 * @param models The models that may be named.
 * @throws {RangeError} If a comparison names fewer than two of these models, or another one.
 */
export function readComparisons(text: string, models: readonly string[]): readonly RecallComparison[] {
  if (text.trim() === "") return [{ differ: "all models", models }];
  return text.split(";").filter((part) => part.trim() !== "").map((part) => {
    // Names of simulated readers contain a colon too.
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

/**
 * Draws the recall of models on the three tests, one panel per comparison.
 *
 * @param rows From {@linkcode modelRecalls} or {@linkcode publishedModelRecalls}.
 * @throws {RangeError} If a comparison has no model of the rows.
 */
export function recallComparisonFigure(
  rows: readonly ModelTaskScore[],
  options: Titled & { readonly comparisons: readonly RecallComparison[] },
): Figure {
  const { comparisons, title, origin, warning } = options;
  const palette = coloursOf(comparisons.flatMap(({ models }) => models));
  const bars = comparisons.map(({ differ, models }) => {
    const shown = models.flatMap((model) => rows.filter((row) => row.model === model));
    const hasIntervals = shown.some(({ low }) => low !== null);
    return barChart(shown, {
      title: differ,
      caption: CAPTION,
      origin: ofModels(origin, models),
      warning,
      n: `${rangeText(shown.map(({ n }) => n ?? 0), String)} prompts a bar`,
      category: "task" as const,
      value: "score" as const,
      series: "model" as const,
      horizontal: true,
      valueDomain: [0, 100] as const,
      categoryTitle: "",
      valueTitle: "Recall (%)",
      seriesTitle: "",
      palette,
      ...(hasIntervals ? { low: "low", high: "high", interval: "95% interval" } as const : { showValues: true }),
    });
  });
  return panels(bars, { title, caption: CAPTION });
}

/** Returns the origins of some models, if each has its own. */
function ofModels(origin: Titled["origin"], models: readonly string[]): Titled["origin"] {
  if (typeof origin === "string") return origin;
  return Object.fromEntries(Object.entries(origin).filter(([model]) => models.includes(model)));
}

const CAPTION = "Recall of each test: the sum of grades over five times the prompts. 20 is the least there can be.";

/**
 * Draws grades by length and depth for each model and test, a row of panels per model: the paper's Figures 1 to 3 and Appendix D.
 * The grades of a cell are averaged, and its tooltip shows a reply.
 *
 * @throws {RangeError} If no model has a grade on any of the three tests.
 */
export function recallMaps(runs: readonly RecallReplies[], options: Omit<Titled, "origin">): Figure {
  const maps = runs.flatMap(({ manifest: { model, origin }, replies }) =>
    TEST_TASKS.flatMap(({ test, task }): Figure[] => {
      const cells = gradeCells(replies.filter((reply) => reply.task === task && reply.value !== null));
      if (cells.length === 0) return [];
      const counts = cells.map(({ n }) => n);
      return [depthMap(cells, {
        title: `${model}: ${test}`,
        origin,
        warning: options.warning,
        domain: [1, 5],
        n: `${rangeText(counts, String)} ${Math.max(...counts) === 1 ? "reply" : "replies"} a cell`,
        xTitle: "Length (tokens)",
        valueTitle: "Grade",
        height: 190,
        tooltips: { Reply: "reply", Why: "why" },
      })];
    })
  );
  const caption =
    "A column is a length, a row the depth of the needle, a cell the mean grade, from 1 (dark) to 5 (yellow); hover to see a reply.";
  return panels(maps, { ...options, caption, columns: TEST_TASKS.length });
}

/** Averages the grades of each length and depth. */
function gradeCells(
  replies: readonly ScoredReply[],
): readonly Readonly<{ length: number; depth: number; score: number; n: number; reply: string; why: string }>[] {
  const places = Map.groupBy(
    replies.filter(({ record }) => record.depth !== undefined),
    ({ length, record }) => JSON.stringify([length, record.depth]),
  );
  return [...places.values()].map((same) => {
    const [{ length, record, score }] = same as [ScoredReply, ...ScoredReply[]];
    return {
      length,
      depth: Math.round(1000 * record.depth!) / 10,
      score: 5 * sum(same, ({ value }) => value!) / same.length,
      n: same.length,
      reply: scoredAnswer(same[0]!),
      why: score?.why ?? "",
    };
  });
}

/**
 * Lists replies once for each part of their prompts that varies, with the part and its value as their task, such as
 * `wording: distant`. Averaged by task they show how much recall depends on needle, wording, system message, template and position,
 * if every combination was asked. In the paper the three tests differ in needle and question at once.
 *
 * @param tasks The tasks of the run with their knobs.
 */
export function promptParts(replies: readonly RunReply[], tasks: RunEvidence["tasks"]): readonly RunReply[] {
  const parts = replies.map(({ task, record: { depth = 0 } }) => {
    const { test, needle = test, wording, question, system, template } = tasks[task]?.options ?? {};
    const position = `${Math.round(1000 * depth) / 10}%`;
    return { needle, "wording": wording ?? question, "system message": system, template, position };
  });
  const names = ["needle", "wording", "system message", "template", "position"] as const;
  const varied = names.filter((name) => new Set(parts.map((part) => part[name])).size > 1);
  return varied.flatMap((name) => replies.map((reply, at) => ({ ...reply, task: `${name}: ${parts[at]![name]}` })));
}

/** A graded reply with the sentences around its needle; both are empty at the end of the text. */
export interface RecallCell extends Pick<ScoredReply, "task" | "length" | "value">, Record<"before" | "after", string> {
  /** The number of the sample. */
  readonly index: number;
  /** The requested depth of the needle, in percent of the context, to one decimal. */
  readonly depth: number;
  /** The grade, from 1 to 5; `null` if the call failed. */
  readonly grade: number | null;
  /** The reason for the grade, or the error of the call. */
  readonly why: string;
  /** The graded part of the reply; empty if the call failed. */
  readonly reply: string;
}

/** Characters on each side of a needle that are searched for the neighbouring sentence. */
const CONTEXT = 1000;

/**
 * Lists graded replies, each with the sentences around its needle, which can change the needle's meaning (section 5). Each sample
 * is rebuilt; replies to other tasks are left out.
 */
export function recallCells({ replies, plan: { cells, materials, template } }: {
  readonly replies: readonly ScoredReply[];
  readonly plan: {
    readonly cells: readonly { readonly task: Task }[];
    readonly materials: Materials;
    readonly template: ChatTemplate;
  };
}): RecallCell[] {
  const tasks = new Map(cells.map(({ task }) => [task.name, task]));
  return replies.filter(({ record }) => record.scoring === recallScorer.name).map((graded) => {
    const { record, value, score } = graded;
    const { task, length, index, seed, depth = 0, reply } = record;
    const user = userText(tasks.get(task)!.sample({ length, seed, index, materials, template }).prompt);
    const needle = record.references[0]!;
    const at = user.indexOf(needle);
    return {
      task,
      length,
      index,
      value,
      depth: Math.round(1000 * depth) / 10,
      grade: value === null ? null : Math.round(5 * value),
      why: score?.why ?? (reply.kind === "failure" ? reply.message : ""),
      reply: scoredAnswer(graded),
      before: splitSentences(user.slice(Math.max(0, at - CONTEXT), at).split("\n").at(-1)!).at(-1)?.trim() ?? "",
      after: splitSentences(user.slice(at + needle.length).slice(0, CONTEXT).split("\n")[0]!)[0]?.trim() ?? "",
    };
  });
}
