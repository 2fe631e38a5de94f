import type { Frame, Materials, Sample, Task } from "@/lib/generators/mod.ts";
import type { RunRecord } from "./record.ts";

/** What samples of a run are made of; see {@linkcode openStudy}. */
export interface RemakeOptions {
  /** The run's tasks. */
  readonly tasks: readonly Task[];
  /** The run's materials. */
  readonly materials: Materials;
  /** The frame in the run's manifest. */
  readonly frame: Frame;
}

/** A sample that was made again. */
export interface RemadeSample {
  /** The sample as it is made now. */
  readonly sample: Sample;
  /** Whether it is the text that was asked. */
  readonly isSame: boolean;
  /** Says why it is not, or that it is. */
  readonly why: string;
}

/**
 * Makes the sample of a record again and compares it with what was asked.
 *
 * @param record The record.
 * @param options The tasks and materials of its run.
 * @returns The sample, and whether it is the same text.
 * @throws {RangeError} If its task is not among the tasks.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { BASE_FRAME, niahTask } from "@/lib/generators/mod.ts";
 * import { openMaterials, type RunRecord } from "@/lib/runs/mod.ts";
 *
 * const [task, materials] = [niahTask({ haystack: "noise" }), await openMaterials()];
 * const { sha256 } = task.sample({ length: 512, seed: "42", index: 7, materials });
 * const record = { task: "niah", length: 512, seed: "42", index: 7, sha256 } as RunRecord;
 * equal(remakeSample(record, { tasks: [task], materials, frame: BASE_FRAME }).isSame, true);
 * ```
 */
export function remakeSample(record: RunRecord, options: RemakeOptions): RemadeSample {
  const { tasks, materials, frame } = options;
  const { task: name, suite, length, seed, index } = record;
  const task = tasks.find((candidate) => candidate.name === name);
  if (task === undefined) {
    throw new RangeError(
      `Cannot make the sample again as its task must be one of ${
        tasks.map((candidate) => candidate.name).join(", ")
      }: current value is "${name}"`,
    );
  }
  const sample = task.sample({ length, seed, index, materials, frame });
  if (sample.sha256 === record.sha256) return { sample, isSame: true, why: "the text is the one that was asked" };
  if (task.suite !== suite) {
    return { sample, isSame: false, why: `the suite is ${task.suite} now and was ${suite} when it was asked` };
  }
  const why = sample.id === record.sample
    ? "the recipe is the same and the text is not: its materials, or the code that makes it, have changed"
    : `the recipe is ${sample.id} now and was ${record.sample} when it was asked`;
  return { sample, isSame: false, why };
}
