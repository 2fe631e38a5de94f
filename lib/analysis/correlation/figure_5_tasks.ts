import type { RulerTaskName } from "@/lib/generators/mod.ts";

/** The tasks of RULER's correlation study, as Figure 5 of the paper writes them. */
export const FIGURE_5_TASKS: Readonly<Record<RulerTaskName, string>> = {
  "niah_single_1": "k=W, v=N, h=repeat (S-NIAH)",
  "niah_single_2": "k=W, v=N, h=essay (S-NIAH)",
  "niah_single_3": "k=W, v=U, h=essay (S-NIAH)",
  "niah_single_words": "k=W, v=W, h=essay (S-NIAH)",
  "niah_multikey_1": "#k=4 (MK-NIAH)",
  "niah_multikey_2": "#k=full (MK-NIAH)",
  "niah_multikey_3": "#k=full, k=U, v=U (MK-NIAH)",
  "niah_multivalue": "#v=4 (MV-NIAH)",
  "niah_multivalue_2": "#v=2 (MV-NIAH)",
  "niah_multiquery": "#q=4 (MQ-NIAH)",
  "niah_multiquery_2": "#q=2 (MQ-NIAH)",
  "vt": "chain=1, hop=4 (VT)",
  "vt_2_chains": "chain=2, hop=2 (VT)",
  "cwe": "CWE",
  "fwe": "a=2.0 (FWE)",
  "fwe_alpha_3_5": "a=3.5 (FWE)",
  "qa_1": "squad (QA)",
  "qa_2": "hotpotqa (QA)",
};

/**
 * Writes a task's name as Figure 5 of the paper does.
 *
 * @param task The name of one of RULER's tasks, or of its correlation study's.
 * @returns The figure's label; the name itself where the figure does not have the task.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(figure5Task("vt"), "chain=1, hop=4 (VT)");
 * equal(figure5Task("vt_9_hops"), "vt_9_hops");
 * ```
 */
export function figure5Task(task: string): string {
  return Object.hasOwn(FIGURE_5_TASKS, task) ? FIGURE_5_TASKS[task as RulerTaskName] : task;
}
