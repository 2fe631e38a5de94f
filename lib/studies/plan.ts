import { defined } from "@/lib/base/mod.ts";
import type { Shard } from "./manifest.ts";
import type { OpenStudy } from "./open_study.ts";
import { samplesOf, type Study } from "./study.ts";
import { SERVER_TOKENIZER } from "./tokenizers.ts";
import { answerRoomAt, type ChatTemplate, type Materials, type Task } from "@/lib/generators/mod.ts";
import type { Model } from "@/lib/models/mod.ts";

/** A task at a length, the token budget. */
export interface Cell {
  readonly task: Task;
  readonly length: number;
  readonly least: number;
}

/** One sample to make and ask. */
export interface PlannedSample {
  readonly task: Task;
  readonly length: number;
  readonly index: number;
  readonly repeat?: number;
}

/** The samples to ask; they are made from it one by one. */
export interface Plan extends Pick<Study, "samples" | "samplesAt" | "first" | "repeats" | "seed" | "measure"> {
  readonly cells: readonly Cell[];
  /** The tasks at lengths that are too short for them; these are not asked. */
  readonly tooShort: readonly Cell[];
  readonly template: ChatTemplate;
  readonly materials: Materials;
  /** Whether lengths are in tokens of the model's own server; samples are then fitted when they are asked. */
  readonly fitsServer: boolean;
  readonly questions: number;
  readonly picked?: readonly PlannedSample[];
  readonly shard?: Shard;
}

/**
 * Plans a study for a model: every task at every length it fits. No sample is made yet.
 *
 * Lengths come from the shortest, in each the tasks as given, in each the samples: mistakes show before the expensive
 * calls, and samples of one task, which begin with the same words, follow each other, which suits the server's prefix cache.
 *
 * @throws {RangeError} If two tasks have one name, a length is above the model's window, or no task fits any length.
 */
export function planStudy(
  { study, tasks, materials }: OpenStudy,
  { template, window }: Pick<Model, "template" | "window">,
): Plan {
  const { samples, first, repeats = 1, seed, measure } = study;
  const lengths = [...new Set(study.lengths)].sort((left, right) => left - right);
  const longest = lengths.at(-1) ?? 0;
  if (window !== undefined && longest > window) {
    throw new RangeError(
      `Cannot plan the run as each length must be at most ${window} tokens, the model's window without what it may think: current value is ${longest}`,
    );
  }
  if (tasks.length === 0) throw new RangeError("Cannot plan the run as tasks must be at least one: current value is 0");
  const twice = tasks.find(({ name }, at) => tasks.findIndex((task) => task.name === name) !== at);
  if (twice !== undefined) {
    throw new RangeError(
      `Cannot plan the run as each task must have a name of its own: current value is "${twice.name}" twice`,
    );
  }
  const leasts = tasks.map((task) => task.leastLength(materials, template));
  const all = lengths.flatMap((length) => tasks.map((task, index): Cell => ({ task, length, least: leasts[index]! })));
  const cells = all.filter(({ task, length, least }) => length >= least && (task.held?.has(length) ?? true));
  if (cells.length === 0) {
    const least = Math.min(...leasts);
    throw new RangeError(
      `Cannot plan the run as a length must be at least ${least} tokens, the least of ${
        tasks[leasts.indexOf(least)]!.name
      }: current value is ${lengths.join(", ")}`,
    );
  }
  const tooShort = all.filter(({ length, least }) => length < least);
  const isHeld = tasks.some(({ held }) => held !== undefined);
  // Samples that exist already are of the length that they have.
  const fitsServer = study.tokenizer === SERVER_TOKENIZER && !isHeld;
  const questions = cells.length * samples * repeats;
  const plan = {
    cells,
    tooShort,
    samples,
    first,
    repeats,
    seed,
    template,
    materials,
    fitsServer,
    questions,
    ...defined({ measure }),
  };
  if (!isHeld && study.samplesAt === undefined) return plan;
  const picked = [...listSamples(plan)].filter(({ task, length, index }) =>
    index < (task.held?.get(length) ?? Infinity) && index - first < samplesOf(study, length)
  );
  return { ...plan, ...defined({ samplesAt: study.samplesAt }), picked, questions: picked.length };
}

/**
 * Warns if repeats can hardly differ: at temperature 0 a model gives the same reply to the same prompt, unless its server
 * is not deterministic.
 */
export function repeatNotes(
  { repeats = 1 }: Pick<Plan, "repeats">,
  { origin, settings }: Pick<Model, "origin" | "settings">,
): readonly string[] {
  if (repeats === 1) return [];
  const asked = `each sample is asked ${repeats} times`;
  if (origin === "simulated") return [`${asked}, and the simulated reader gives the same reply each time`];
  return settings["temperature"] === 0
    ? [`${asked} at temperature 0: repeats differ only where the server is not deterministic`]
    : [];
}

/**
 * Warns how far prompt and answer together can exceed a length, if the output budget is above the room that
 * samples leave for the answer.
 */
export function budgetNotes({ cells }: Pick<Plan, "cells">, settings: Model["settings"]): readonly string[] {
  const { maxTokens } = settings;
  if (typeof maxTokens !== "number") return [];
  const rooms = cells.map(({ task, length }) => answerRoomAt(task, length)).filter((room) => room < maxTokens);
  if (rooms.length === 0) return [];
  const least = Math.min(...rooms);
  return [
    `an answer may have ${maxTokens} tokens and samples leave as few as ${least} for it: prompt and answer together can be up to ${
      maxTokens - least
    } tokens above a length`,
  ];
}

/**
 * Lists the samples of a plan in the order they are asked, one at a time. The repeats of a sample follow each other, so that a
 * server can keep its prompt.
 */
export function* listSamples(plan: Plan): Generator<PlannedSample> {
  if (plan.picked) return yield* plan.picked;
  for (const { task, length } of plan.cells) {
    for (let index = plan.first; index < plan.first + plan.samples; index++) {
      for (let repeat = 0; repeat < (plan.repeats ?? 1); repeat++) yield { task, length, index, repeat };
    }
  }
}

const MAX_SHARDS = 1000;

/** Reads the shard of a run from text such as `2/4`; refuses other texts. */
export function readShard(text: string): Shard {
  const [index = 0, of = 0] = /^\d+\/\d+$/.test(text) ? text.split("/").map(Number) : [];
  if (index >= 1 && index <= of && of <= MAX_SHARDS) return { index, of };
  throw new RangeError(
    `Cannot run a part as the shard must be i/n, such as 2/4, with i from 1 to n and n at most ${MAX_SHARDS}: current value is "${text}"`,
  );
}

/**
 * Deals the samples of a plan to its shards in turn: each shard gets about the same number of every task and length. The repeats of a
 * sample and the questions about a context stay together. The result depends only on the plan.
 */
export function* dealSamples(plan: Plan, of: number): Generator<PlannedSample & { readonly shard: number }> {
  let dealt = -1;
  let last = "";
  for (const planned of listSamples(plan)) {
    const { task, length, index } = planned;
    const context = `${length}/${Math.floor(index / Number(task.options["questions"] ?? 1))}/${task.name}`;
    if (context !== last) dealt++;
    last = context;
    yield { ...planned, shard: dealt % of + 1 };
  }
}

/** Returns the part of a plan that one shard asks; refuses more shards than samples. */
export function planShard(plan: Plan, { index, of }: Shard): Plan {
  const picked = [...dealSamples(plan, of)].filter(({ shard }) => shard === index)
    .map(({ shard: _, ...planned }): PlannedSample => planned);
  if (picked.length > 0) return { ...plan, picked, shard: { index, of }, questions: picked.length };
  throw new RangeError(
    `Cannot run shard ${index}/${of} as the number of shards must be at most that of samples: current value is ${of} shards of ${plan.questions} questions`,
  );
}
