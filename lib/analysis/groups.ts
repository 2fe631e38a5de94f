import type { Category } from "@/lib/generators/mod.ts";

/** Tasks whose scores are averaged, each weighing the same. */
export interface TaskGroup {
  /** What the mean is called. */
  readonly name: string;
  /** The names of the tasks. */
  readonly tasks: readonly string[];
}

const CATEGORIES: Readonly<Record<Category, readonly string[]>> = {
  "retrieval": [
    "niah_single_1",
    "niah_single_2",
    "niah_single_3",
    "niah_multikey_1",
    "niah_multikey_2",
    "niah_multikey_3",
    "niah_multivalue",
    "niah_multiquery",
  ],
  "multi-hop tracing": ["vt"],
  "aggregation": ["cwe", "fwe"],
  "question answering": ["qa_1", "qa_2"],
};

/** The name of the mean over RULER's 13 tasks. */
export const RULER_OVERALL = "all 13 tasks";

/**
 * The four categories of the RULER paper (section 3, Table 5), and the mean over all 13 tasks that its Table 3 prints.
 */
export const RULER_GROUPS: readonly TaskGroup[] = [
  { name: RULER_OVERALL, tasks: Object.values(CATEGORIES).flat() },
  ...Object.entries(CATEGORIES).map(([name, tasks]) => ({ name, tasks })),
];
