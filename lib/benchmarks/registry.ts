import { MICHELANGELO } from "./michelangelo/michelangelo.ts";
import { NOLIMA } from "./nolima/nolima.ts";
import { LONGPROC } from "./longproc/longproc.ts";
import type { Benchmark, Regrader } from "./benchmark.ts";
import { BABILONG } from "./babilong/babilong.ts";
import { CDME } from "./cdme/needles.ts";
import { COUNTING_STARS } from "./counting_stars/stars.ts";
import { GRAPHWALKS } from "./graphwalks/graphwalks.ts";
import { MRCR } from "./mrcr/mrcr.ts";
import { NEEDLE_THREADING } from "./needle_threading/threading.ts";
import { PROMPT_DEPENDENCE } from "./prompt_dependence/prompt_dependence.ts";
import { REPEATED_WORDS_BENCHMARK } from "./repeated_words/repeated_words.ts";
import { RULER } from "./ruler/tasks.ts";
import type { Family, TaskChoice } from "@/lib/generators/mod.ts";
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
];

/** Returns the families of benchmarks, by default of those that come with Fathom. */
export function listFamilies(benchmarks: readonly Benchmark[] = BENCHMARKS): readonly Family[] {
  return benchmarks.flatMap(({ families }) => families);
}

/**
 * Returns the family with a name or with a task of that name; `undefined` if there is none.
 */
export function findFamily(task: string, benchmarks: readonly Benchmark[] = BENCHMARKS): Family | undefined {
  return listFamilies(benchmarks).find(({ name, tasks }) => name === task || tasks.includes(task));
}

/**
 * Returns the tasks of a name: the default tasks of the first benchmark for `all`, those of a benchmark for its name, otherwise
 * the name itself. A name that a family and a benchmark share, such as `cdme`, is the benchmark's; a family's task with a name
 * of its own is the family's.
 */
export function namedTasks(name: string, benchmarks: readonly Benchmark[] = BENCHMARKS): readonly string[] {
  if (findFamily(name, benchmarks)?.tasks.includes(name)) return [name];
  const benchmark = name === "all" ? benchmarks[0] : benchmarks.find((candidate) => candidate.name === name);
  return benchmark?.tasks ?? [name];
}

/**
 * Returns the tasks of a study's choice, each with its knobs: its task alone if the choice has a name, otherwise those of
 * {@linkcode namedTasks}. Of tasks that the knobs make equal, such as the Chinese and the English one in one language, only the
 * one with the fewest changes is kept.
 */
export function chosenTasks(
  choice: TaskChoice,
  benchmarks: readonly Benchmark[] = BENCHMARKS,
): readonly TaskChoice[] {
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
