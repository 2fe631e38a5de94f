import type { Benchmark, Regrader } from "./benchmark.ts";
import { CDME } from "./cdme/mod.ts";
import { COUNTING_STARS } from "./counting_stars/mod.ts";
import { NEEDLE_THREADING } from "./needle_threading/mod.ts";
import { PROMPT_DEPENDENCE } from "./prompt_dependence/mod.ts";
import { RULER } from "./ruler/mod.ts";
import type { Family, TaskReader } from "@/lib/generators/mod.ts";
import { type Profile, readAs, type SimulatedReply } from "@/lib/models/mod.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";

/** The benchmarks that come with Fathom. */
export const BENCHMARKS: readonly Benchmark[] = [RULER, COUNTING_STARS, NEEDLE_THREADING, CDME, PROMPT_DEPENDENCE];

/**
 * Lists the families of benchmarks.
 *
 * @param benchmarks The benchmarks; those that come with Fathom unless given.
 */
export function listFamilies(benchmarks: readonly Benchmark[] = BENCHMARKS): readonly Family[] {
  return benchmarks.flatMap(({ families }) => families);
}

/**
 * Finds a way of scoring by the name that records have.
 *
 * @param name The name, such as `all`.
 * @param benchmarks Where to look; the benchmarks that come with Fathom unless given.
 * @throws {RangeError} If none of them scores so.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(findScorer("all").grade("It is 17.", { references: ["17"] }).score.value, 1);
 * ```
 */
export function findScorer(name: string, benchmarks: readonly Benchmark[] = BENCHMARKS): Scorer {
  const scorers = listFamilies(benchmarks).flatMap(({ scorers }) => scorers);
  const scorer = scorers.find((candidate) => candidate.name === name);
  if (scorer !== undefined) return scorer;
  const names = [...new Set(scorers.map((candidate) => candidate.name))].join(", ");
  throw new RangeError(`Cannot score the record as its scoring must be one of ${names}: current value is "${name}"`);
}

/**
 * Finds how a second model looks at replies that are scored in some way.
 *
 * @param by The regrader's name: `judge` or `extractor`.
 * @param scoring The name of the scorer, as records have it.
 * @param benchmarks Where to look; the benchmarks that come with Fathom unless given.
 * @returns The regrader; `undefined` where none of that name looks at such replies.
 */
export function findRegrader(
  by: Regrader["name"],
  scoring: string,
  benchmarks: readonly Benchmark[] = BENCHMARKS,
): Regrader | undefined {
  return benchmarks.flatMap(({ regraders = [] }) => regraders)
    .find(({ name, scorers }) => name === by && scorers.some((scorer) => scorer.name === scoring));
}

/** Lists how the simulated reader solves benchmarks: what second models are asked for first, as it quotes tasks. */
export function listReaders(benchmarks: readonly Benchmark[] = BENCHMARKS): readonly TaskReader[] {
  return [
    ...benchmarks.flatMap(({ regraders = [] }) => regraders).map(({ reader }) => reader),
    ...listFamilies(benchmarks).flatMap(({ readers }) => readers),
  ];
}

/**
 * Reads a prompt of any benchmark and answers it, forgetting, confusing and copying as a profile does.
 *
 * @param prompt All that a model is sent, as one text: system message, chat template, question and answer prefix.
 * @param profile Who reads, from `openProfile`.
 * @param benchmarks Whose tasks it can read; those that come with Fathom unless given.
 * @returns The reply, and beside it its mistakes.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openProfile } from "@/lib/models/mod.ts";
 *
 * const prompt = "A special magic number is hidden within the following text.\n" +
 *   "One of the special magic numbers for calm-river is: 1234567.\n" +
 *   "What is the special magic number for calm-river mentioned in the provided text?";
 * equal(readSimulated(prompt, openProfile("ideal")).text, "1234567.");
 * equal(readSimulated(prompt, openProfile("mute")).mistakes[0]?.kind, "empty");
 * ```
 */
export function readSimulated(
  prompt: string,
  profile: Profile,
  benchmarks: readonly Benchmark[] = BENCHMARKS,
): SimulatedReply {
  return readAs(prompt, { profile, readers: listReaders(benchmarks) });
}
