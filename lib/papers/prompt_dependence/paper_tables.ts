import { RECALL_GRADES, RECALL_TESTS } from "@/lib/benchmarks/prompt_dependence/mod.ts";
import type { RecallModel } from "./published.ts";
import { type FigureOptions, type Table, table } from "@/lib/figures/mod.ts";

/**
 * Tabulates Table 1: the models and their context windows, your own among them if you like.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openRecallPublished } from "@/lib/papers/prompt_dependence/mod.ts";
 *
 * const { models } = await openRecallPublished();
 * match(recallModelTable(models, { title: "Nine models" }).text, /GPT-4 Turbo 0125 +128,000/);
 * ```
 */
export function recallModelTable(models: readonly RecallModel[], { title }: Pick<FigureOptions, "title">): Table {
  return table(models, {
    title,
    caption: "Table 1 of the paper: the models, and their context windows as printed.",
    origin: "published",
    n: `${models.length} models`,
    columns: [
      { field: "model", label: "Model" },
      { field: "window", label: "Context window (tokens)", write: (value) => Number(value).toLocaleString("en") },
    ],
  });
}

/** Tabulates Table 2: the needle and the question of each test, with the task that asks it. */
export function recallTestTable({ title }: Pick<FigureOptions, "title">): Table {
  const rows = Object.entries(RECALL_TESTS).map(([name, { needle, questions: [question] }]) => ({
    task: `recall_${name}`,
    needle,
    question,
  }));
  return table(rows, {
    title,
    caption: "Table 2 of the paper: what is hidden and what is asked; all else of the prompts is the same.",
    origin: "published",
    n: `${rows.length} tests`,
    columns: [
      { field: "task", label: "Task" },
      { field: "needle", label: "Needle" },
      { field: "question", label: "Question" },
    ],
  });
}

/**
 * Tabulates Table 4: what each grade means, as the judge is told and as the rubric follows.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * match(recallGradeTable({ title: "From 1 to 5" }).text, /5 +The answer is completely accurate/);
 * ```
 */
export function recallGradeTable({ title }: Pick<FigureOptions, "title">): Table {
  const rows = RECALL_GRADES.map((meaning, at) => ({ grade: at + 1, meaning })).toReversed();
  return table(rows, {
    title,
    caption: "Table 4 of the paper: the scale of grades. Recall is the sum of grades over 5 for each reply.",
    origin: "published",
    n: `${rows.length} grades`,
    columns: [{ field: "grade", label: "Grade" }, { field: "meaning", label: "Meaning" }],
  });
}
