import type { TaskChoice } from "@/lib/runs/mod.ts";
import {
  chainChoice,
  frequencyChoice,
  keyChoice,
  needleChoice,
  queryChoice,
  valueChoice,
} from "./_ablation_choices.ts";

/** A task whose knobs are turned, with the values that the paper turns them to where no others are given. */
export interface AblationKnobs {
  /** Types of needle, each `passkey` or key and value, such as `words-uuids`. */
  readonly needleTypes?: readonly string[];
  /** Numbers of keys in the context, or `full` and `full-uuids` for a context of nothing but needles. */
  readonly keys?: readonly (number | string)[];
  /** Numbers of values of one key. */
  readonly values?: readonly number[];
  /** Numbers of keys asked for. */
  readonly queries?: readonly number[];
  /** Numbers of chains and of hops of each, pair by pair; those of one chain are a panel of their own. */
  readonly chains?: readonly (readonly number[])[];
  /** Exponents of the frequencies of coded words. */
  readonly alphas?: readonly number[];
}

/** A line of a panel: a task with one setting of its knob. */
export interface AblationSeries {
  /** Its name in the legend, as the paper writes it. */
  readonly series: string;
  /** What it is called in a run. */
  readonly task: string;
  /** What to ask. */
  readonly choice: TaskChoice;
}

/** A panel of Figures 2 and 3: one knob. */
export interface AblationPanel {
  /** The knob. */
  readonly panel: AblationPanelName;
  /** What is asked, as a title. */
  readonly title: string;
  /** The lines, in the order of the knob. */
  readonly series: readonly AblationSeries[];
}

/** The panels of the paper's Figures 2 (the first four) and 3. */
export type AblationPanelName = "needle type" | "keys" | "values" | "queries" | "hops" | "chains" | "alpha" | "qa";

/**
 * Lists the panels of RULER's section 5 (Figures 2 and 3): which task each line asks, with which knobs.
 *
 * A setting that RULER has among its own tasks is asked as that task, with its samples; what several panels share is one
 * task. Other settings are tasks of the family, named after the knob.
 *
 * @param knobs Values of the knobs that are to be other than the paper's; an empty list leaves the panel out.
 * @returns The panels, in the paper's order.
 * @throws {RangeError} If a needle type, or a number of keys that is no number, is unknown, or chains come without hops.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const keys = rulerAblations({ keys: [1, 8, "full"] }).find(({ panel }) => panel === "keys");
 * deepEqual(keys?.series.map(({ task }) => task), ["niah_single_2", "niah_keys_8", "niah_multikey_2"]);
 * ```
 */
export function rulerAblations(knobs: AblationKnobs = {}): readonly AblationPanel[] {
  const {
    needleTypes = ["passkey", "words-numbers", "words-words", "words-uuids", "uuids-uuids"],
    keys = [1, 4, 8, "full", "full-uuids"],
    values = [1, 2, 4, 8],
    queries = [1, 2, 4, 8],
    chains = [[1, 4], [1, 6], [1, 10], [2, 2], [3, 2], [4, 2]],
    alphas = [3.5, 2, 1.5, 1.3, 1.2],
  } = knobs;
  const [one, several] = [chains.filter(([count]) => count === 1), chains.filter(([count]) => count !== 1)];
  const panels: readonly AblationPanel[] = [
    { panel: "needle type", title: "Types of needle", series: needleTypes.map(needleChoice) },
    { panel: "keys", title: "Distractor keys", series: keys.map(keyChoice) },
    { panel: "values", title: "Values of one key", series: values.map(valueChoice) },
    { panel: "queries", title: "Keys asked for", series: queries.map(queryChoice) },
    { panel: "hops", title: "Hops of one chain", series: one.map(chainChoice) },
    { panel: "chains", title: "Several chains", series: several.map(chainChoice) },
    { panel: "alpha", title: "Frequent words by exponent", series: alphas.map(frequencyChoice) },
    {
      panel: "qa",
      title: "Question answering",
      series: [
        { series: "SQuAD", task: "qa_1", choice: { task: "qa_1" } },
        { series: "HotpotQA", task: "qa_2", choice: { task: "qa_2" } },
      ],
    },
  ];
  return panels.filter(({ series }) => series.length > 0);
}

/**
 * Lists what to ask for some panels, each task once.
 *
 * @param panels The panels.
 * @returns The tasks, in order of first appearance.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { rulerAblations } from "@/lib/analysis/mod.ts";
 *
 * equal(ablationTasks(rulerAblations()).length, 28);
 * ```
 */
export function ablationTasks(panels: readonly AblationPanel[]): readonly TaskChoice[] {
  const series = panels.flatMap((panel) => panel.series);
  return [...new Map(series.map(({ task, choice }) => [task, choice])).values()];
}

/**
 * What to ask for the baseline of the question-answering panel: the same questions without any document. They are asked
 * at one length, which changes nothing about them.
 */
export const NO_CONTEXT_TASKS: readonly AblationSeries[] = [
  {
    series: "SQuAD w/o context",
    task: "qa_1_no_context",
    choice: { task: "qa", name: "qa_1_no_context", knobs: { hops: 1, documents: 0 } },
  },
  {
    series: "HotpotQA w/o context",
    task: "qa_2_no_context",
    choice: { task: "qa", name: "qa_2_no_context", knobs: { hops: 2, documents: 0 } },
  },
];
