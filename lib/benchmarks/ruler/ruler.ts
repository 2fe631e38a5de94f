import { type CweOptions, cweTask } from "./common_words.ts";
import { type FweOptions, fweTask } from "./frequent_words.ts";
import { type NiahOptions, niahTask } from "./niah.ts";
import { type QaOptions, qaTask } from "./qa.ts";
import { type VtOptions, vtTask } from "./variable_tracking.ts";
import type { Category, Task } from "@/lib/generators/mod.ts";
import type { TaskGroup } from "@/lib/statistics/mod.ts";

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
 * The eighteen tasks of RULER's correlation study (appendix C): the thirteen, and the five that were dropped after it because
 * others tell the same.
 */
export const RULER_STUDY_TASK_NAMES = [
  ...RULER_TASK_NAMES,
  "niah_single_words",
  "niah_multivalue_2",
  "niah_multiquery_2",
  "vt_2_chains",
  "fwe_alpha_3_5",
] as const;

/** The name of one of RULER's tasks, or of its study's. */
export type RulerTaskName = typeof RULER_STUDY_TASK_NAMES[number];

/** Knobs to change in a task of RULER; a task takes those of its own family. */
export type RulerOptions = Omit<NiahOptions & VtOptions & CweOptions & FweOptions & Omit<QaOptions, "hops">, "name">;

/**
 * Makes one of RULER's tasks with the knobs that RULER gives it (table 5 and synthetic.yaml).
 *
 * In the variant `paper`, the values of `niah_single_3` are words, as Table 7 prints them; in the code they are UUIDs.
 *
 * @param name One of {@linkcode RULER_STUDY_TASK_NAMES}.
 * @param options Knobs that are to be other than RULER's.
 * @returns The task; it is called `name`.
 * @throws {RangeError} If there is no such task, the task has no such knob, or a knob is outside its range.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(rulerTask("niah_multikey_1").options["keys"], 4);
 * equal(rulerTask("vt", { hops: 6 }).options["hops"], 6);
 * ```
 */
export function rulerTask(name: RulerTaskName, options: RulerOptions = {}): Task {
  if (!Object.hasOwn(CONFIGURATIONS, name)) {
    throw new RangeError(
      `Cannot make the task as its name must be one of ${
        RULER_STUDY_TASK_NAMES.join(", ")
      }: current value is "${name}"`,
    );
  }
  const [family, knobs] = CONFIGURATIONS[name];
  const unknown = Object.keys(options).find((knob) => !family.knobs.includes(knob));
  if (unknown !== undefined) {
    throw new RangeError(
      `Cannot make task ${name} as its knobs must be of ${family.knobs.join(", ")}: current value is "${unknown}"`,
    );
  }
  const printed = name === "niah_single_3" && options.variant === "paper" ? { valueType: "words" } as const : {};
  return family.make({ name, ...knobs, ...printed, ...options });
}

/** A maker of tasks with the names of its knobs. */
interface Family {
  readonly make: (options: RulerOptions & { readonly name: string }) => Task;
  readonly knobs: readonly string[];
}

const NIAH: Family = {
  make: niahTask,
  knobs: ["variant", "haystack", "keyType", "valueType", "keys", "values", "queries", "depth"],
};
const VT: Family = { make: vtTask, knobs: ["variant", "chains", "hops"] };
const CWE: Family = {
  make: cweTask,
  knobs: ["variant", "common", "asked", "commonFrequency", "uncommonFrequency"],
};
const FWE: Family = { make: fweTask, knobs: ["variant", "alpha", "vocabulary", "wordLength"] };
const QA: Family = {
  // The number of hops is checked there.
  make: (options) => qaTask(options as QaOptions),
  knobs: ["variant", "hops", "documents"],
};

const CONFIGURATIONS: Readonly<Record<RulerTaskName, readonly [Family, RulerOptions]>> = {
  "niah_single_1": [NIAH, { haystack: "noise" }],
  "niah_single_2": [NIAH, { haystack: "essay" }],
  "niah_single_3": [NIAH, { haystack: "essay", valueType: "uuids" }],
  "niah_multikey_1": [NIAH, { haystack: "essay", keys: 4 }],
  "niah_multikey_2": [NIAH, { haystack: "needle" }],
  "niah_multikey_3": [NIAH, { haystack: "needle", keyType: "uuids", valueType: "uuids" }],
  "niah_multivalue": [NIAH, { haystack: "essay", values: 4 }],
  "niah_multiquery": [NIAH, { haystack: "essay", queries: 4 }],
  "vt": [VT, { chains: 1, hops: 4 }],
  "cwe": [CWE, { common: 10 }],
  "fwe": [FWE, { alpha: 2 }],
  "qa_1": [QA, { hops: 1 }],
  "qa_2": [QA, { hops: 2 }],
  "niah_single_words": [NIAH, { haystack: "essay", valueType: "words" }],
  "niah_multivalue_2": [NIAH, { haystack: "essay", values: 2 }],
  "niah_multiquery_2": [NIAH, { haystack: "essay", queries: 2 }],
  "vt_2_chains": [VT, { chains: 2, hops: 2 }],
  "fwe_alpha_3_5": [FWE, { alpha: 3.5 }],
};

/**
 * Whose wording a RULER prompt follows, to the byte.
 *
 * - `2026`: NVIDIA/RULER at c3f5e3b, the present code; the answer prefix is a field of its own.
 * - `2024`: hsiehjackson/RULER at e40fae1, the code closest to the paper.
 * - `paper`: what the paper prints in Tables 7 to 9 (arXiv 2404.06654).
 */
export type Variant = "2026" | "2024" | "paper";

/** The variants, the default first. */
export const VARIANTS: readonly Variant[] = ["2026", "2024", "paper"];

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

/** The name of the mean over RULER's 13 tasks. */
export const RULER_OVERALL = "all 13 tasks";

/**
 * The four categories of the RULER paper (section 3, Table 5), and the mean over all 13 tasks that its Table 3 prints.
 */
export const RULER_GROUPS: readonly TaskGroup[] = [
  { name: RULER_OVERALL, tasks: CATEGORIES.flatMap((category) => RULER_TASKS[category]) },
  ...CATEGORIES.map((category) => ({ name: category, tasks: RULER_TASKS[category] })),
];
