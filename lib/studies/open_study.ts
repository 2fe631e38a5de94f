import { defined, sum } from "@/lib/base/mod.ts";
import type { RunHeader } from "./manifest.ts";
import { type OpenMaterials, openMaterials } from "./materials.ts";
import { openSampleFiles, UNKNOWN_PROMPT } from "./sample_files.ts";
import type { BenchmarkOptions, Study } from "./study.ts";
import { DEFAULT_TOKENIZER } from "./tokenizers.ts";
import { type Benchmark, BENCHMARKS, chosenTasks, findFamily, listFamilies } from "@/lib/benchmarks/mod.ts";
import {
  type ChatTemplate,
  PLAIN_TEMPLATE,
  type Sample,
  type SampleRequest,
  type Task,
  type TaskChoice,
} from "@/lib/generators/mod.ts";
import type { Model } from "@/lib/models/mod.ts";

/** A study with its tasks made and its materials opened. */
export interface OpenStudy {
  readonly study: Study;
  readonly tasks: readonly Task[];
  readonly materials: OpenMaterials;
  readonly benchmarks: readonly Benchmark[];
}

/**
 * Opens a study: makes its tasks and opens its materials, so that mistakes show before anything is asked.
 *
 * @throws {RangeError} If a task, a knob, a tokenizer or a file is invalid.
 * @throws {SyntaxError} If a file has other content.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy } from "@/lib/studies/mod.ts";
 *
 * const { tasks, materials } = await openStudy(checkStudy({ tasks: ["vt"] }));
 * equal(tasks[0]?.name, "vt");
 * equal(materials.tokenizer.name, "cl100k_base");
 * ```
 */
export async function openStudy(study: Study, options: BenchmarkOptions = {}): Promise<OpenStudy> {
  const { benchmarks = BENCHMARKS } = options;
  const tasks = study.samplesFile === undefined
    ? makeTasks(study, benchmarks)
    : await openSampleFiles(study, benchmarks);
  return { study, tasks, materials: await openMaterials(study), benchmarks };
}

/**
 * Makes the tasks of a study, in its order and none twice.
 *
 * @throws {RangeError} If a task or a knob is unknown, or a knob does not take its value.
 */
export function makeTasks(
  study: Pick<Study, "tasks" | "variant">,
  benchmarks: readonly Benchmark[] = BENCHMARKS,
): Task[] {
  const choices = study.tasks.flatMap((choice) => chosenTasks(choice, benchmarks));
  const tasks = choices.map((choice) => makeTask(choice, study.variant, benchmarks));
  // The same task twice, as in "all, vt", is asked once. A plan refuses two different tasks of one name.
  const identify = ({ name, suite, options }: Task): string => JSON.stringify([name, suite, options]);
  return [...new Map(tasks.map((task) => [identify(task), task])).values()];
}

function makeTask(choice: TaskChoice, variant: Study["variant"], benchmarks: readonly Benchmark[]): Task {
  const { task, name = task, knobs = {} } = choice;
  const family = findFamily(task, benchmarks);
  const families = listFamilies(benchmarks);
  const familyNames = families.map((each) => each.name);
  if (family === undefined) {
    const near = nearestNames(task, [...families.flatMap(({ tasks }) => tasks), ...familyNames]);
    throw new RangeError(
      `Cannot make the tasks as each must be all, a benchmark (${
        benchmarks.map(({ name }) => name).join(", ")
      }), a family (${familyNames.join(", ")}), or a task that \`fathom tasks\` lists${
        near.length === 0 ? "" : ` such as ${near.join(", ")}`
      }: current value is "${task}"`,
    );
  }
  const settings = "variant" in family.knobs ? { variant, ...knobs } : knobs;
  if (!family.tasks.includes(task) || name !== task && family.name === task) return family.make({ name, ...settings });
  if (name === task) return family.task(task, settings);
  throw new RangeError(
    `Cannot make task ${task} as only a family (${
      familyNames.join(", ")
    }) can be given a name: current value is "${name}"`,
  );
}

/** Returns up to four names that share the longest beginning with an unknown one, of at least two characters. */
function nearestNames(name: string, names: readonly string[]): readonly string[] {
  for (let length = name.length; length >= 2; length--) {
    const begin = name.slice(0, length).toLowerCase();
    const near = names.filter((candidate) => candidate.toLowerCase().startsWith(begin));
    if (near.length > 0) return [...new Set(near)].slice(0, 4);
  }
  return [];
}

/** Returns the header of a run's manifest. */
export function describeRun(
  { study, tasks, materials, benchmarks }: OpenStudy,
  { name, origin, settings, template, abbr, claimedWindow }:
    & Pick<Model, "name" | "settings" | "template" | "abbr" | "claimedWindow">
    & Pick<RunHeader, "origin">,
): RunHeader {
  const suites = new Set(tasks.map(({ suite }) => suite));
  const own = benchmarks.flatMap(({ name, file, families }): [string, string][] =>
    file !== undefined && families.some(({ suite }) => suites.has(suite)) ? [[name, file]] : []
  );
  return {
    study: { ...study, tokenizer: study.tokenizer ?? DEFAULT_TOKENIZER },
    tasks: Object.fromEntries(
      tasks.map(({ name: task, suite, scorer, options }) => [task, { suite, scoring: scorer.name, options }]),
    ),
    materials: materials.names,
    ...(own.length === 0 ? {} : { benchmarks: Object.fromEntries(own) }),
    model: name,
    origin,
    settings,
    template,
    ...defined({ abbr, claimedWindow }),
  };
}

/** The run's tasks and materials, if they are open already; opened from its manifest by default. */
export interface OpenedOptions {
  readonly opened?: Pick<OpenStudy, "tasks" | "materials">;
}

/** A sample as it is made now, whether its text equals the one that was asked, and why. */
export interface RemadeSample {
  readonly sample: Sample;
  readonly isSame: boolean;
  readonly why: string;
}

/** The fields of a record from which its sample is made again. */
export interface SampleRecipe extends Pick<Sample, "sha256" | "suite" | "task" | "length" | "index"> {
  readonly sample: string;
  readonly seed: string;
  /** The local length of a sample that was fitted to `length` in the server's tokens. */
  readonly nominal?: number;
}

/** Makes the sample of a record again by its run's tasks and template, and compares its hash with the recorded one. */
export function remakeSample(
  record: SampleRecipe,
  { tasks, materials, template }: Pick<OpenStudy, "tasks" | "materials"> & { readonly template: ChatTemplate },
): RemadeSample {
  const { task: name, suite, length, nominal = length, seed, index } = record;
  const task = tasks.find((candidate) => candidate.name === name);
  if (task === undefined) {
    throw new RangeError(
      `Cannot make the sample again as its task must be one of ${
        tasks.map((candidate) => candidate.name).join(", ")
      }: current value is "${name}"`,
    );
  }
  const sample = task.sample({ length: nominal, seed, index, materials, template });
  const other = (why: string): RemadeSample => ({ sample, isSame: false, why });
  if (record.sha256 === UNKNOWN_PROMPT) return other("the files that it was imported from do not hold the prompt");
  if (sample.sha256 === record.sha256) return { sample, isSame: true, why: "the text is the one that was asked" };
  if (task.suite !== suite) return other(`the suite is ${task.suite} now and was ${suite} when it was asked`);
  if (sample.id !== record.sample) {
    return other(`the recipe is ${sample.id} now and was ${record.sample} when it was asked`);
  }
  return other("the recipe is the same and the text is not: its materials, or the code that makes it, have changed");
}

/** Characters of prompts that are kept; older samples are made again when they are needed. */
const MAX_CACHED_CHARS = 100_000_000;

/** Caches the last sample of a study, and those before as far as there is room, so that models and analyses share them. */
export function rememberSamples<Opened extends Pick<OpenStudy, "tasks" | "materials">>(
  opened: Opened,
  maxChars = MAX_CACHED_CHARS,
): Opened {
  const kept = new Map<string, Sample>();
  let room = maxChars;
  const remember = (task: Task): Task => ({
    ...task,
    sample(request: SampleRequest): Sample {
      // With other materials it would be another sample.
      if (request.materials !== opened.materials) return task.sample(request);
      const { length, seed, index, template = PLAIN_TEMPLATE } = request;
      const key = JSON.stringify([task.name, length, seed, index, template]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const sample = task.sample(request);
      kept.set(key, sample);
      room -= sum(sample.prompt.messages, ({ text }) => text.length);
      for (const [oldest, { prompt }] of kept) {
        if (room >= 0 || oldest === key) break;
        kept.delete(oldest);
        room += sum(prompt.messages, ({ text }) => text.length);
      }
      return sample;
    },
  });
  return { ...opened, tasks: opened.tasks.map(remember) };
}
