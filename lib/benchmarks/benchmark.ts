import type { Family, Task, TaskReader } from "@/lib/generators/mod.ts";
import type { Claim, ClaimSet, RunEvidence, TaskGroup } from "@/lib/statistics/mod.ts";

/** A published suite: all that is particular to it, in one object. */
export interface Benchmark {
  /** Its name, such as `ruler`; in a study it stands for its `tasks`. */
  readonly name: string;
  /** Its name as its authors write it. */
  readonly title: string;
  /** The paper and the code that it follows. */
  readonly source: string;
  /** Its families of tasks. */
  readonly families: readonly Family[];
  /** The tasks that it is made up of, where nobody asks for others. */
  readonly tasks: readonly string[];
  /** Groups of tasks whose mean is reported beside them. */
  readonly groups?: readonly TaskGroup[];
  /** What the paper says, a set for each of its studies, with what the published numbers give. */
  readonly claims?: readonly ClaimSet[];
  /** What a run of one model can be asked. */
  readonly runClaims?: readonly Claim<RunEvidence>[];
  /** How the simulated reader does what a second model is asked for, such as grading replies. */
  readonly readers?: readonly TaskReader[];
}

/**
 * Makes one of a benchmark's tasks.
 *
 * @param benchmark The benchmark.
 * @param name The name of one of its families' tasks.
 * @param given Knobs that are to be other than the task's own.
 * @returns The task; it is called `name`.
 * @throws {RangeError} If the benchmark has no such task, the task has no such knob, or a value is not what its knob takes.
 */
export function benchmarkTask(
  { title, families }: Pick<Benchmark, "title" | "families">,
  name: string,
  given: Readonly<Record<string, string | number>> = {},
): Task {
  const family = families.find(({ tasks }) => tasks.includes(name));
  if (family !== undefined) return family.task(name, given);
  throw new RangeError(
    `Cannot make the task as its name must be one of ${title}'s (${
      families.flatMap(({ tasks }) => tasks).join(", ")
    }): current value is "${name}"`,
  );
}
