import type { Benchmark, Regrader } from "./benchmark.ts";
import { BABILONG } from "./babilong/babilong.ts";
import { CDME } from "./cdme/needles.ts";
import { COUNTING_STARS } from "./counting_stars/stars.ts";
import { GRAPHWALKS } from "./graphwalks/graphwalks.ts";
import { HELMET } from "./helmet/helmet.ts";
import { LONGBENCH_V2 } from "./longbench_v2/longbench_v2.ts";
import { LONGPROC } from "./longproc/longproc.ts";
import { MICHELANGELO } from "./michelangelo/michelangelo.ts";
import { MRCR } from "./mrcr/mrcr.ts";
import { NEEDLE_THREADING } from "./needle_threading/threading.ts";
import { NOLIMA } from "./nolima/nolima.ts";
import { PROMPT_DEPENDENCE } from "./prompt_dependence/prompt_dependence.ts";
import { REPEATED_WORDS_BENCHMARK } from "./repeated_words/repeated_words.ts";
import { RULER, rulerFamilyOf } from "./ruler/tasks.ts";
import type { Family, Task, TaskChoice } from "@/lib/generators/mod.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";

/** The benchmarks that come with Fathom. */
export const BENCHMARKS: readonly Benchmark[] = [
  RULER,
  COUNTING_STARS,
  NEEDLE_THREADING,
  CDME,
  PROMPT_DEPENDENCE,
  REPEATED_WORDS_BENCHMARK,
  BABILONG,
  GRAPHWALKS,
  MRCR,
  MICHELANGELO,
  NOLIMA,
  LONGPROC,
  LONGBENCH_V2,
  HELMET,
];

/** Returns the families of benchmarks, by default of those that come with Fathom. */
export function listFamilies(benchmarks: readonly Benchmark[] = BENCHMARKS): readonly Family[] {
  return benchmarks.flatMap(({ families }) => families);
}

/** Returns the family with a name or with a task of that name, which begins with its own if all its samples are rows of files. */
export function findFamily(task: string, benchmarks: readonly Benchmark[] = BENCHMARKS): Family | undefined {
  const families = listFamilies(benchmarks);
  return families.find(({ name, tasks }) => name === task || tasks.includes(task)) ??
    families.find(({ name, tasks }) => tasks.length === 0 && task.startsWith(`${name}_`));
}

/** Returns the family of a task, or the one that it is named after, as `niah_mine` is; `undefined` if its replies have no scorer. */
export function namesakeFamily(name: string, benchmarks: readonly Benchmark[]): Family | undefined {
  return findFamily(name, benchmarks) ?? findFamily(rulerFamilyOf(name) ?? "", benchmarks) ??
    listFamilies(benchmarks).find((family) => name.startsWith(`${family.name}_`));
}

/**
 * Returns how replies to the samples of a file are scored, and the room for them: as those of the benchmark's task of that name, or
 * of the family that it is called after. Only a family of rows has knobs for them.
 */
export function scoredTask({ task, name = task, knobs }: TaskChoice, benchmarks: readonly Benchmark[]): Task {
  const family = namesakeFamily(task, benchmarks);
  if (family?.tasks.length === 0) return family.make({ ...knobs, name });
  if (family !== undefined && knobs === undefined) {
    return { ...family.tasks.includes(task) ? family.task(task) : family.make(), name, options: {} };
  }
  const [wanted, value] = family === undefined
    ? ["each file must be called after a task that can be scored, or after a family, such as niah_mine", task]
    : [`--samples-file must be used without knobs of ${task}`, Object.keys(knobs ?? {}).join(", ")];
  throw new RangeError(`Cannot ask the samples as ${wanted}: current value is "${value}"`);
}

/**
 * Returns the tasks of a name: the default tasks of the first benchmark for `all`, those of a benchmark for its name, otherwise
 * the name itself. A name that a family and a benchmark share, such as `cdme`, is the benchmark's; a family's task with a name
 * of its own is the family's.
 */
export function namedTasks(name: string, benchmarks: readonly Benchmark[] = BENCHMARKS): readonly string[] {
  if (findFamily(name, benchmarks)?.tasks.includes(name)) return [name];
  const benchmark = name === "all" ? benchmarks[0] : benchmarks.find((candidate) => candidate.name === name);
  return benchmark?.tasks.length ? benchmark.tasks : [name];
}

/**
 * Returns the tasks of a study's choice, each with its knobs: its task alone if the choice has a name, otherwise those of
 * {@linkcode namedTasks}. Of tasks that the knobs make equal, such as the Chinese and the English one in one language, only the
 * one with the fewest changes is kept.
 */
export function chosenTasks(choice: TaskChoice, benchmarks: readonly Benchmark[] = BENCHMARKS): readonly TaskChoice[] {
  if (choice.name !== undefined) return [choice];
  const choices = namedTasks(choice.task, benchmarks).map((task): TaskChoice => ({ ...choice, task }));
  return choices.length === 1 || choice.knobs === undefined ? choices : withoutTwins(choices, benchmarks);
}

/** Keeps one of several tasks that their knobs make equal: the one with the fewest changes. */
export function withoutTwins<Choice extends { readonly task: string; readonly knobs?: object }>(
  choices: readonly Choice[],
  benchmarks: readonly Benchmark[] = BENCHMARKS,
): readonly Choice[] {
  const made = choices.map((choice) => {
    const family = findFamily(choice.task, benchmarks)!;
    const [own, options] = [{}, choice.knobs ?? {}].map((given) => family.task(choice.task, given).options);
    const changes = Object.keys(options!).filter((knob) => options![knob] !== own![knob]).length;
    return { choice, changes, kind: JSON.stringify([family.name, options]) };
  });
  const twins = Map.groupBy(made, ({ kind }) => kind).values();
  return Array.from(twins, (choices) => choices.toSorted((one, other) => one.changes - other.changes)[0]!.choice);
}

/** Returns a scorer by its name in records, such as `all`; an unknown name is refused. */
export function findScorer(name: string, benchmarks: readonly Benchmark[] = BENCHMARKS): Scorer {
  const scorers = listFamilies(benchmarks).flatMap(({ scorers }) => scorers);
  const scorer = scorers.find((candidate) => candidate.name === name);
  if (scorer !== undefined) return scorer;
  const names = [...new Set(scorers.map((candidate) => candidate.name))].join(", ");
  throw new RangeError(`Cannot score the record as its scoring must be one of ${names}: current value is "${name}"`);
}

/** Returns the regrader with a name for replies of a scorer; `undefined` if there is none. */
export function findRegrader(
  by: Regrader["name"],
  scoring: string,
  benchmarks: readonly Benchmark[] = BENCHMARKS,
): Regrader | undefined {
  return benchmarks.flatMap(({ regraders = [] }) => regraders)
    .find(({ name, scorers }) => name === by && scorers.some((scorer) => scorer.name === scoring));
}
