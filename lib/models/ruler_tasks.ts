import { type Category, RULER_TASK_NAMES, rulerTask } from "@/lib/generators/mod.ts";

/** The four categories, in the order of the paper. */
export const CATEGORIES: readonly Category[] = [
  "retrieval",
  "multi-hop tracing",
  "aggregation",
  "question answering",
];

/** The thirteen tasks of RULER, by category. */
export const RULER_TASKS: Readonly<Record<Category, readonly string[]>> = Object.fromEntries(
  CATEGORIES.map((category) => [category, RULER_TASK_NAMES.filter((name) => rulerTask(name).category === category)]),
) as unknown as Record<Category, readonly string[]>;
