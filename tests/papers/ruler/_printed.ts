import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { column, openRows } from "@/lib/statistics/mod.ts";

// Numbers and words that RULER printed and that only tests compare.

/** Table 4 of the first edition, a model or a series of models per row. */
export const models = await openRows("ruler_table4_models.csv", {
  // Such as `Yi` or `LWM series`.
  model: column.text("model"),
  // As printed; a series has several, separated by `/`, and `-` is unknown.
  size: column.text("size"),
  contextLength: column.text("context_length_as_printed"),
});

/** Yi-34B, task by task: the 12 tasks that figures show, and common words, derived. */
export const yiTasks = (await openEvidence("ruler")).filter(({ model, task }) =>
  model === "Yi-34B" && RULER_TASK_NAMES.some((name) => name === task)
);

/** The ranks of the first edition with their suffixes, such as `1st`. */
export const ordinals = await openRows("ruler_aggregates.csv", {
  table: column.count("table"),
  model: column.text("model"),
  increasing: column.optional(column.text("ordinal_inc")),
  decreasing: column.optional(column.text("ordinal_dec")),
});
