import { CATEGORIES, RULER_TASKS } from "@/lib/models/mod.ts";

/** Tasks whose scores are averaged, each weighing the same. */
export interface TaskGroup {
  /** What the mean is called. */
  readonly name: string;
  /** The names of the tasks. */
  readonly tasks: readonly string[];
}

/** The name of the mean over RULER's 13 tasks. */
export const RULER_OVERALL = "all 13 tasks";

/**
 * The four categories of the RULER paper (section 3, Table 5), and the mean over all 13 tasks that its Table 3 prints.
 */
export const RULER_GROUPS: readonly TaskGroup[] = [
  { name: RULER_OVERALL, tasks: CATEGORIES.flatMap((category) => RULER_TASKS[category]) },
  ...CATEGORIES.map((category) => ({ name: category, tasks: RULER_TASKS[category] })),
];
