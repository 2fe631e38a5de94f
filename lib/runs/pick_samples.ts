import type { Cell, Plan } from "./plan.ts";

/** Names one sample of a plan. */
export interface SampleName {
  /** The task's name. */
  readonly task: string;
  /** The token budget. */
  readonly length: number;
  /** The number of the sample in its task and length. */
  readonly index: number;
}

/**
 * Makes a plan of some of another's samples.
 *
 * @param plan The plan.
 * @param names Which of its samples, in the order in which they are to be asked.
 * @returns A plan that asks these alone.
 * @throws {RangeError} If the plan has no such sample.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { niahTask } from "@/lib/generators/mod.ts";
 * import { listSamples, openMaterials, planRun } from "@/lib/runs/mod.ts";
 *
 * const tasks = [niahTask({ haystack: "noise" })];
 * const plan = planRun({ tasks, lengths: [512], samples: 100, seed: "42" }, await openMaterials());
 * const picked = pickSamples(plan, [{ task: "niah", length: 512, index: 17 }]);
 * deepEqual([...listSamples(picked)].map(({ index }) => index), [17]);
 * ```
 */
export function pickSamples(plan: Plan, names: readonly SampleName[]): Plan {
  const cells = new Map<string, Cell>(plan.cells.map((cell) => [cellName(cell.task.name, cell.length), cell]));
  const picked = names.map(({ task, length, index }) => {
    const cell = cells.get(cellName(task, length));
    if (cell === undefined || index < plan.first || index >= plan.first + plan.samples) {
      throw new RangeError(
        `Cannot pick the sample as it must be one of the plan: current value is ${task}, ${length} tokens, number ${index}`,
      );
    }
    return { task: cell.task, length, index };
  });
  return { ...plan, picked, questions: picked.length };
}

function cellName(task: string, length: number): string {
  return `${length} ${task}`;
}
