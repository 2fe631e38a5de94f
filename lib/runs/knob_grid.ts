import type { TaskChoice } from "./study.ts";

/**
 * Lists the tasks of a family at every combination of some knobs' values, for studies of what makes a task hard.
 *
 * @param base The family, with the knobs that stay as they are; its name, or the family's, begins the name of each task.
 * @param knobs The values of each knob that is turned; the last knob is turned fastest.
 * @returns A task for each combination, named by it, such as `threads steps=5 direction=backward`.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const grid = knobGrid({ task: "vt", name: "hops", knobs: { chains: 1 } }, { hops: [2, 4] });
 * deepEqual(grid.map(({ name }) => name), ["hops hops=2", "hops hops=4"]);
 * deepEqual(grid[1]?.knobs, { chains: 1, hops: 4 });
 * ```
 */
export function knobGrid(
  base: TaskChoice,
  knobs: Readonly<Record<string, readonly (string | number)[]>>,
): readonly TaskChoice[] {
  let grid: readonly TaskChoice[] = [{ ...base, name: base.name ?? base.task }];
  for (const [knob, values] of Object.entries(knobs)) {
    grid = grid.flatMap((choice) =>
      values.map((value): TaskChoice => ({
        task: choice.task,
        name: `${choice.name} ${knob}=${value}`,
        knobs: { ...choice.knobs, [knob]: value },
      }))
    );
  }
  return grid;
}
