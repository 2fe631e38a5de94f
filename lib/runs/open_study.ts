import type { RunHeader } from "./manifest.ts";
import { type OpenMaterials, openMaterials } from "./materials.ts";
import { type Plan, planRun } from "./plan.ts";
import type { Study } from "./study.ts";
import { makeTasks } from "./tasks.ts";
import { type Benchmark, BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import {
  type ChatTemplate,
  type Materials,
  PLAIN_TEMPLATE,
  type Sample,
  type SampleRequest,
  type Task,
} from "@/lib/generators/mod.ts";
import type { Model, RunRecord } from "@/lib/models/mod.ts";

/** A study with its tasks made and its materials opened. */
export interface OpenStudy {
  /** What was opened. */
  readonly study: Study;
  /** The tasks, in the study's order. */
  readonly tasks: readonly Task[];
  /** What the samples are made of. */
  readonly materials: OpenMaterials;
  /** Whose tasks there are. */
  readonly benchmarks: readonly Benchmark[];
}

/** Whose tasks and ways of scoring there are. */
export interface BenchmarkOptions {
  /**
   * The benchmarks; `all` stands for the tasks of the first.
   *
   * @default {BENCHMARKS}
   */
  readonly benchmarks?: readonly Benchmark[] | undefined;
}

/**
 * Opens a study: makes its tasks and opens its materials, so that whatever is wrong shows before anything is asked.
 *
 * @param study The study.
 * @param options Whose tasks there are, such as `{ benchmarks: [await openBenchmark("mine.ts"), ...BENCHMARKS] }`.
 * @returns Its tasks and materials.
 * @throws {RangeError} If a task, a knob, a tokenizer or a file is not what it should be.
 * @throws {SyntaxError} If a file holds something else.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy } from "@/lib/runs/mod.ts";
 *
 * const { tasks, materials } = await openStudy(checkStudy({ tasks: ["vt"] }));
 * equal(tasks[0]?.name, "vt");
 * equal(materials.tokenizer.name, "cl100k_base");
 * ```
 */
export async function openStudy(study: Study, options: BenchmarkOptions = {}): Promise<OpenStudy> {
  const { benchmarks = BENCHMARKS } = options;
  const tasks = makeTasks(study, benchmarks);
  return { study, tasks, materials: await openMaterials(study), benchmarks };
}

/**
 * Plans a study for a model.
 *
 * @param opened The opened study.
 * @param model Who will be asked; samples are fitted to what it puts round a prompt.
 * @returns The plan.
 * @throws {RangeError} If a length, a count or a task name is not what it should be, a length is above the model's window, or no
 *   task fits any length.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
 * import { checkStudy } from "@/lib/runs/mod.ts";
 *
 * const opened = await openStudy(checkStudy({ tasks: ["vt"], lengths: [1024, 4096], samples: 5 }));
 * equal(planStudy(opened, { template: PLAIN_TEMPLATE }).questions, 10);
 * ```
 */
export function planStudy({ study, tasks, materials }: OpenStudy, model: Pick<Model, "template" | "window">): Plan {
  const { lengths, samples, first, seed } = study;
  const longest = Math.max(...lengths);
  if (model.window !== undefined && longest > model.window) {
    throw new RangeError(
      `Cannot plan the run as each length must be at most ${model.window} tokens, the model's window without what it may think: current value is ${longest}`,
    );
  }
  return planRun({ tasks, lengths, samples, first, seed, template: model.template }, materials);
}

/**
 * Gathers what decides the samples and answers of a run.
 *
 * @param opened The opened study.
 * @param model Who is asked.
 * @returns The header of the run's manifest.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/runs/mod.ts";
 * import { checkStudy } from "@/lib/runs/mod.ts";
 *
 * const header = describeRun(await openStudy(checkStudy({ tasks: ["vt"] })), simulatedModel("ideal"));
 * equal(header.model, "sim:ideal");
 * equal(header.tasks["vt"]?.options["hops"], 4);
 * ```
 */
export function describeRun({ study, tasks, materials, benchmarks }: OpenStudy, model: Model): RunHeader {
  const { name, origin, settings, template } = model;
  const suites = new Set(tasks.map(({ suite }) => suite));
  const own = benchmarks.flatMap(({ name, file, families }): [string, string][] =>
    file !== undefined && families.some(({ suite }) => suites.has(suite)) ? [[name, file]] : []
  );
  return {
    study,
    tasks: Object.fromEntries(
      tasks.map(({ name: task, suite, scorer, options }) => [task, { suite, scoring: scorer.name, options }]),
    ),
    materials: materials.names,
    ...(own.length === 0 ? {} : { benchmarks: Object.fromEntries(own) }),
    model: name,
    origin,
    settings,
    template,
  };
}

/** Options for {@linkcode rememberSamples}. */
export interface RememberOptions {
  /**
   * How many characters of prompts are kept. Range: 0 up.
   *
   * @default {100_000_000}
   */
  readonly mostCharacters?: number;
}

/**
 * Makes each sample of an opened study once, so that several models can be asked the same samples, or a reply be explained,
 * at the price of making them once. Samples that no longer fit are made again each time.
 *
 * @param opened The opened study.
 * @param options How much to keep.
 * @returns The same study; its tasks give the same samples, those that were made before at once.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy, openStudy } from "@/lib/runs/mod.ts";
 *
 * const { tasks: [task], materials } = rememberSamples(await openStudy(checkStudy({ tasks: ["niah_single_1"] })));
 * const request = { length: 512, seed: "42", index: 0, materials };
 * equal(task?.sample(request), task?.sample(request));
 * ```
 */
export function rememberSamples(opened: OpenStudy, options: RememberOptions = {}): OpenStudy {
  const kept = new Map<string, Sample>();
  let room = options.mostCharacters ?? 100_000_000;
  const remember = (task: Task): Task => ({
    ...task,
    sample(request: SampleRequest): Sample {
      // With other materials it would be another sample.
      if (request.materials !== opened.materials) return task.sample(request);
      const { length, seed, index, template = PLAIN_TEMPLATE } = request;
      const key = JSON.stringify([task.name, length, seed, index, template]);
      const sample = kept.get(key) ?? task.sample(request);
      if (!kept.has(key) && sample.prompt.user.length <= room) {
        kept.set(key, sample);
        room -= sample.prompt.user.length;
      }
      return sample;
    },
  });
  return { ...opened, tasks: opened.tasks.map(remember) };
}

/** What samples of a run are made of; see {@linkcode openStudy}. */
interface RemakeOptions {
  /** The run's tasks. */
  readonly tasks: readonly Task[];
  /** The run's materials. */
  readonly materials: Materials;
  /** The template in the run's manifest. */
  readonly template: ChatTemplate;
}

/** A sample that was made again. */
interface RemadeSample {
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
 * import { NIAH } from "@/lib/benchmarks/ruler/mod.ts";
 * import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
 * import type { RunRecord } from "@/lib/models/mod.ts";
 * import { openMaterials } from "@/lib/runs/mod.ts";
 *
 * const [task, materials] = [NIAH.make({ haystack: "noise" }), await openMaterials()];
 * const { sha256 } = task.sample({ length: 512, seed: "42", index: 7, materials });
 * const record = { task: "niah", length: 512, seed: "42", index: 7, sha256 } as RunRecord;
 * equal(remakeSample(record, { tasks: [task], materials, template: PLAIN_TEMPLATE }).isSame, true);
 * ```
 */
export function remakeSample(record: RunRecord, options: RemakeOptions): RemadeSample {
  const { tasks, materials, template } = options;
  const { task: name, suite, length, seed, index } = record;
  const task = tasks.find((candidate) => candidate.name === name);
  if (task === undefined) {
    throw new RangeError(
      `Cannot make the sample again as its task must be one of ${
        tasks.map((candidate) => candidate.name).join(", ")
      }: current value is "${name}"`,
    );
  }
  const sample = task.sample({ length, seed, index, materials, template });
  if (sample.sha256 === record.sha256) return { sample, isSame: true, why: "the text is the one that was asked" };
  if (task.suite !== suite) {
    return { sample, isSame: false, why: `the suite is ${task.suite} now and was ${suite} when it was asked` };
  }
  const why = sample.id === record.sample
    ? "the recipe is the same and the text is not: its materials, or the code that makes it, have changed"
    : `the recipe is ${sample.id} now and was ${record.sample} when it was asked`;
  return { sample, isSame: false, why };
}
