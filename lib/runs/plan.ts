import { BASE_FRAME, type Frame, type Materials, type Task } from "@/lib/generators/mod.ts";

/** Options for {@linkcode planRun}. */
export interface PlanOptions {
  /** The tasks, at least one; no two of one name. */
  readonly tasks: readonly Task[];
  /** Context lengths in tokens, at least one. Range: 1 to 2,000,000. */
  readonly lengths: readonly number[];
  /** Samples of each task at each length. Range: 1 to 1,000,000. */
  readonly samples: number;
  /**
   * The number of the first sample, so that a set can be shared out or gone on with.
   *
   * @default {0}
   */
  readonly first?: number;
  /** Any text; the same seed gives the same samples. */
  readonly seed: string;
  /**
   * What the model puts round a prompt.
   *
   * @default {BASE_FRAME}
   */
  readonly frame?: Frame;
}

/** A task at a length. */
export interface Cell {
  /** The task. */
  readonly task: Task;
  /** The token budget. */
  readonly length: number;
  /** The least length of the task, in tokens. */
  readonly least: number;
}

/** One sample to be made and asked. */
export interface PlannedSample {
  /** The task that makes it. */
  readonly task: Task;
  /** The token budget. */
  readonly length: number;
  /** Its number in its task and length, from 0. */
  readonly index: number;
}

/** What is to be asked; samples are made from it one by one. */
export interface Plan {
  /** The tasks at the lengths they fit, in the order they are asked: the shortest first. */
  readonly cells: readonly Cell[];
  /** The tasks at the lengths that are too short for them; these are not asked. */
  readonly tooShort: readonly Cell[];
  /** Samples of each cell. */
  readonly samples: number;
  /** The number of the first sample of each cell. */
  readonly first: number;
  /** The seed of every sample. */
  readonly seed: string;
  /** What the model puts round a prompt. */
  readonly frame: Frame;
  /** What the samples are made of. */
  readonly materials: Materials;
  /** How many samples there are to ask. */
  readonly questions: number;
  /** The samples that are asked, where not every one of the cells is; made by {@linkcode pickSamples}. */
  readonly picked?: readonly PlannedSample[];
}

/** The shortest and the longest context that can be planned, in tokens. */
const LENGTHS = { least: 1, most: 2_000_000 };
const MOST_SAMPLES = 1_000_000;

/**
 * Plans a run: every task at every length it fits, as many samples of each.
 *
 * The order is the lengths from the shortest, in each the tasks as given, in each the samples: mistakes show before the
 * expensive calls, and samples of one task, which begin with the same words, follow each other for the sake of the
 * server's prefix cache.
 *
 * @param options What to ask.
 * @param materials What the samples are made of.
 * @returns The plan. No sample is made for it.
 * @throws {RangeError} If an option is outside its range, a task name stands twice, or no task fits any length.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { niahTask } from "@/lib/generators/mod.ts";
 * import { openMaterials } from "@/lib/runs/mod.ts";
 *
 * const tasks = [niahTask({ haystack: "noise" })];
 * const plan = planRun({ tasks, lengths: [1024, 512], samples: 3, seed: "42" }, await openMaterials());
 * equal(plan.questions, 6);
 * equal(plan.cells[0]?.length, 512);
 * ```
 */
export function planRun(options: PlanOptions, materials: Materials): Plan {
  const { tasks, samples, first = 0, seed, frame = BASE_FRAME } = options;
  const lengths = [...new Set(options.lengths)].sort((left, right) => left - right);
  checkNames(tasks);
  checkLengths(lengths);
  checkCount("samples", samples, { least: 1, most: MOST_SAMPLES });
  checkCount("first", first, { least: 0, most: MOST_SAMPLES });
  const leasts = tasks.map((task) => task.leastLength(materials, frame));
  const all = lengths.flatMap((length) => tasks.map((task, index): Cell => ({ task, length, least: leasts[index]! })));
  const cells = all.filter(({ length, least }) => length >= least);
  if (cells.length === 0) {
    const least = Math.min(...leasts);
    throw new RangeError(
      `Cannot plan the run as a length must be at least ${least} tokens, the least of ${
        tasks[leasts.indexOf(least)]!.name
      }: current value is ${lengths.join(", ")}`,
    );
  }
  const tooShort = all.filter(({ length, least }) => length < least);
  return { cells, tooShort, samples, first, seed, frame, materials, questions: cells.length * samples };
}

/**
 * Lists the samples of a plan in the order they are asked, one at a time.
 *
 * @param plan The plan.
 * @returns The samples to be made; nothing is made yet.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { niahTask } from "@/lib/generators/mod.ts";
 * import { openMaterials } from "@/lib/runs/mod.ts";
 *
 * const tasks = [niahTask({ haystack: "noise" })];
 * const plan = planRun({ tasks, lengths: [512], samples: 2, first: 5, seed: "42" }, await openMaterials());
 * deepEqual([...listSamples(plan)].map(({ index }) => index), [5, 6]);
 * ```
 */
export function* listSamples(plan: Plan): Generator<PlannedSample> {
  if (plan.picked) return yield* plan.picked;
  for (const { task, length } of plan.cells) {
    for (let index = plan.first; index < plan.first + plan.samples; index++) yield { task, length, index };
  }
}

function checkNames(tasks: readonly Task[]): void {
  if (tasks.length === 0) throw new RangeError("Cannot plan the run as tasks must be at least one: current value is 0");
  const names = new Set<string>();
  for (const { name } of tasks) {
    if (names.has(name)) {
      throw new RangeError(
        `Cannot plan the run as each task must have a name of its own: current value is "${name}" twice`,
      );
    }
    names.add(name);
  }
}

function checkLengths(lengths: readonly number[]): void {
  if (lengths.length === 0) {
    throw new RangeError("Cannot plan the run as lengths must be at least one: current value is 0");
  }
  for (const length of lengths) checkCount("each length", length, LENGTHS);
}

function checkCount(name: string, value: number, range: { readonly least: number; readonly most: number }): void {
  if (!Number.isInteger(value) || value < range.least || value > range.most) {
    throw new RangeError(
      `Cannot plan the run as ${name} must be a whole number from ${range.least} to ${range.most}: current value is ${value}`,
    );
  }
}
