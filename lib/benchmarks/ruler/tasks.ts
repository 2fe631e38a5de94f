import { COMMON_WORDS } from "./common_words.ts";
import { FREQUENT_WORDS } from "./frequent_words.ts";
import { NIAH } from "./niah.ts";
import { QUESTION_ANSWERING } from "./qa.ts";
import { RULER2_NIAH, RULER2_QUESTIONS } from "./ruler2.ts";
import { VARIABLE_TRACKING } from "./variable_tracking.ts";
import { type Benchmark, benchmarkTask } from "@/lib/benchmarks/benchmark.ts";
import type { Category, Task } from "@/lib/generators/mod.ts";
import type { TaskGroup } from "@/lib/statistics/mod.ts";

export const RULER_FAMILIES = [NIAH, VARIABLE_TRACKING, COMMON_WORDS, FREQUENT_WORDS, QUESTION_ANSWERING] as const;

export type RulerTaskName = typeof RULER_FAMILIES[number]["tasks"][number];

/** The families of RULER v2, which is another suite of the same authors; none of its tasks is a default. */
const RULER2_FAMILIES = [RULER2_NIAH, RULER2_QUESTIONS] as const;

/** The thirteen tasks of RULER, in its order. */
export const RULER_TASK_NAMES = [
  "niah_single_1",
  "niah_single_2",
  "niah_single_3",
  "niah_multikey_1",
  "niah_multikey_2",
  "niah_multikey_3",
  "niah_multivalue",
  "niah_multiquery",
  "vt",
  "cwe",
  "fwe",
  "qa_1",
  "qa_2",
] as const;

/**
 * The eighteen tasks of RULER's correlation study (appendix C): the thirteen, and the five that it dropped because others measure
 * the same.
 */
export const RULER_STUDY_TASK_NAMES = [
  ...RULER_TASK_NAMES,
  "niah_single_words",
  "niah_multivalue_2",
  "niah_multiquery_2",
  "vt_2_chains",
  "fwe_alpha_3_5",
] as const;

export type RulerStudyTaskName = typeof RULER_STUDY_TASK_NAMES[number];

/**
 * Returns one of RULER's tasks with RULER's own knobs (table 5 and synthetic.yaml).
 *
 * @param given Knobs to change.
 * @throws {RangeError} If there is no such task, the task has no such knob, or a knob is outside its range.
 */
export function rulerTask(name: RulerTaskName, given: Readonly<Record<string, string | number>> = {}): Task {
  return benchmarkTask({ title: "RULER", families: RULER_FAMILIES }, name, given);
}

/** RULER's families by the names of its tasks and of its code; its files can be of settings that are no task here. */
const FAMILY_NAMES: Readonly<Record<string, RegExp>> = {
  niah: /^niah(_|$)/,
  vt: /^(vt|variable_tracking)(_|$)/,
  cwe: /^(cwe|common_words_extraction)(_|$)/,
  fwe: /^(fwe|freq_words_extraction)(_|$)/,
  qa: /^qa(_|$)/,
};

/** Returns the family that a RULER task is named after; `undefined` for other tasks. */
export function rulerFamilyOf(task: string): string | undefined {
  return Object.entries(FAMILY_NAMES).find(([, pattern]) => pattern.test(task))?.[0];
}

/** The four categories, in the order of the paper. */
export const CATEGORIES: readonly Category[] = ["retrieval", "multi-hop tracing", "aggregation", "question answering"];

export const RULER_TASKS: Readonly<Record<Category, readonly string[]>> = Object.fromEntries(
  CATEGORIES.map((category) => [category, RULER_TASK_NAMES.filter((name) => rulerTask(name).category === category)]),
) as unknown as Record<Category, readonly string[]>;

/** The name of the mean over RULER's 13 tasks. */
export const RULER_OVERALL = "all 13 tasks";

/** The mean over all 13 tasks (Table 3), and the four categories (section 3, Table 5). */
export const RULER_GROUPS: readonly TaskGroup[] = [
  { name: RULER_OVERALL, tasks: RULER_TASK_NAMES },
  ...CATEGORIES.map((category) => ({ name: category, tasks: RULER_TASKS[category] })),
];

/** RULER: needles, chains, counted words and questions among documents, at any length. */
export const RULER: Benchmark = {
  name: "ruler",
  title: "RULER",
  source: "Hsieh et al. 2024, arXiv 2404.06654; NVIDIA/RULER at c3f5e3b",
  families: [...RULER_FAMILIES, ...RULER2_FAMILIES],
  tasks: RULER_TASK_NAMES,
  groups: RULER_GROUPS,
  threshold: { score: 85.6, source: "Llama2-7B's at 4K in the RULER paper" },
  paper: async () => (await import("@/lib/papers/ruler/paper.ts")).RULER_PAPER,
};
