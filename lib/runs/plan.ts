import { type ChatTemplate, type Materials, PLAIN_TEMPLATE, type Task } from "@/lib/generators/mod.ts";
import type { RunRecord } from "@/lib/models/mod.ts";

/** Options for {@linkcode planRun}. */
interface PlanOptions {
  /** The tasks, at least one; no two of one name. */
  readonly tasks: readonly Task[];
  /** Context lengths in tokens, at least one. Range: 1 to 2,000,000. */
  readonly lengths: readonly number[];
  /** Samples of each task at each length. Range: 1 to 1,000,000. */
  readonly samples: number;
  /**
   * The number of the first sample, so that a set can be split or extended.
   *
   * @default {0}
   */
  readonly first?: number;
  /** Any text; the same seed gives the same samples. */
  readonly seed: string;
  /**
   * What the model puts round a prompt.
   *
   * @default {PLAIN_TEMPLATE}
   */
  readonly template?: ChatTemplate;
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
  readonly template: ChatTemplate;
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
 * import { NIAH } from "@/lib/benchmarks/ruler/mod.ts";
 * import { openMaterials } from "@/lib/runs/mod.ts";
 *
 * const tasks = [NIAH.make({ haystack: "noise" })];
 * const plan = planRun({ tasks, lengths: [1024, 512], samples: 3, seed: "42" }, await openMaterials());
 * equal(plan.questions, 6);
 * equal(plan.cells[0]?.length, 512);
 * ```
 */
export function planRun(options: PlanOptions, materials: Materials): Plan {
  const { tasks, samples, first = 0, seed, template = PLAIN_TEMPLATE } = options;
  const lengths = [...new Set(options.lengths)].sort((left, right) => left - right);
  checkNames(tasks);
  checkLengths(lengths);
  checkCount("samples", samples, { least: 1, most: MOST_SAMPLES });
  checkCount("first", first, { least: 0, most: MOST_SAMPLES });
  const leasts = tasks.map((task) => task.leastLength(materials, template));
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
  return { cells, tooShort, samples, first, seed, template, materials, questions: cells.length * samples };
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
 * import { NIAH } from "@/lib/benchmarks/ruler/mod.ts";
 * import { openMaterials } from "@/lib/runs/mod.ts";
 *
 * const tasks = [NIAH.make({ haystack: "noise" })];
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

/** Prices per million tokens, in any one currency. */
export interface Prices {
  /** The price of a million prompt tokens. */
  readonly input: number;
  /** The price of a million prompt tokens that the server had in its cache; that of the others unless given. */
  readonly cachedInput?: number;
  /** The price of a million tokens written, thinking included. */
  readonly output: number;
}

/** Options for {@linkcode estimateRun}. */
export interface EstimateOptions {
  /** Tells which samples need not be asked any more; none unless given. */
  readonly isAnswered?: (sample: PlannedSample) => boolean;
  /** What the provider asks for; no price is estimated without it. */
  readonly prices?: Prices;
  /**
   * Tokens that a thinking model may use beside each answer.
   *
   * @default {0}
   */
  readonly thinkingTokens?: number;
  /** Records of earlier calls to the same model, to estimate the time from; no estimate without an answer among them. */
  readonly measured?: readonly RunRecord[];
  /**
   * Calls in flight at a time.
   *
   * @default {1}
   */
  readonly concurrency?: number;
  /**
   * The most tokens that are counted by making every sample; a larger plan is estimated from its lengths.
   *
   * @default {5_000_000}
   */
  readonly exactUpTo?: number;
}

/** What a plan will cost. */
export interface RunEstimate {
  /** Samples still to be asked. */
  readonly questions: number;
  /** Tokens of all their prompts. */
  readonly promptTokens: number;
  /** Whether `promptTokens` was counted; if not, it is the most it can be, and at most a few per cent too high. */
  readonly isExact: boolean;
  /** The most tokens that can be written, thinking included. */
  readonly answerTokens: number;
  /** The most it can cost, in the currency of the prices; `null` where no prices are given. */
  readonly price: number | null;
  /** The time it will take, in milliseconds; `null` where no call was measured. */
  readonly timeMs: number | null;
}

/**
 * Tells what a plan will cost before the first call: questions, tokens, price, and time.
 *
 * @param plan The plan.
 * @param options What is answered already, prices, and calls measured before.
 * @returns The estimate. Retries are not in it.
 * @throws {RangeError} If a price is negative or no number.
 *
 * @example
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { NIAH } from "@/lib/benchmarks/ruler/mod.ts";
 * import { openMaterials } from "@/lib/runs/mod.ts";
 * import { planRun } from "@/lib/runs/plan.ts";
 *
 * const tasks = [NIAH.make({ haystack: "noise" })];
 * const plan = planRun({ tasks, lengths: [1024], samples: 10, seed: "42" }, await openMaterials());
 * const { promptTokens, answerTokens } = estimateRun(plan);
 * ok(promptTokens + answerTokens <= 10 * 1024);
 * ```
 */
export function estimateRun(plan: Plan, options: EstimateOptions = {}): RunEstimate {
  const { isAnswered = () => false, prices, thinkingTokens = 0, measured = [], concurrency = 1 } = options;
  const { exactUpTo = 5_000_000 } = options;
  if (prices) checkPrices(prices);
  const samples = [...listSamples(plan)].filter((sample) => !isAnswered(sample));
  const answerTokens = sum(samples.map(({ task }) => task.answerRoom + thinkingTokens));
  const most = sum(samples.map(({ task, length }) => length - task.answerRoom));
  const isExact = most <= exactUpTo;
  const promptTokens = isExact ? sum(samples.map((sample) => countPrompt(plan, sample))) : most;
  const pace = measurePace(measured);
  return {
    questions: samples.length,
    promptTokens,
    isExact,
    answerTokens,
    price: prices ? (promptTokens * prices.input + answerTokens * prices.output) / 1e6 : null,
    timeMs: pace === null ? null : pace * sum(samples.map(({ length }) => workOf(length))) / concurrency,
  };
}

/**
 * Tells what recorded answers cost, by the server's own counts, cached prompt tokens at their own price. What a server does not
 * count is counted as the run's tokenizer has it.
 *
 * @param records The records.
 * @param prices What the provider asks for.
 * @returns The cost in the currency of the prices; failed calls and repeated ones are not in it.
 *
 * @example Half of a prompt was cached
 * ```ts
 * import { equal } from "node:assert/strict";
 * import type { RunRecord } from "@/lib/models/mod.ts";
 *
 * const reply = { kind: "answer", promptTokens: 1000, cachedTokens: 500, completionTokens: 10 };
 * equal(priceOfRecords([{ reply } as RunRecord], { input: 4, cachedInput: 2, output: 100 }), 0.004);
 * ```
 */
export function priceOfRecords(records: readonly RunRecord[], prices: Prices): number {
  const { input, cachedInput = input, output } = prices;
  const costs = records.map(({ reply, promptTokens }) => {
    if (reply.kind === "failure") return 0;
    const { promptTokens: sent = promptTokens, cachedTokens = 0, completionTokens = 0 } = reply;
    return (sent - cachedTokens) * input + cachedTokens * cachedInput + completionTokens * output;
  });
  return sum(costs) / 1e6;
}

function countPrompt(plan: Plan, { task, length, index }: PlannedSample): number {
  const { seed, template, materials } = plan;
  return task.sample({ length, index, seed, template, materials }).promptTokens;
}

/** Milliseconds for a unit of work, by the answers so far. */
function measurePace(records: readonly RunRecord[]): number | null {
  const answered = records.filter(({ reply }) => reply.kind === "answer");
  if (answered.length === 0) return null;
  const work = sum(answered.map(({ promptTokens }) => workOf(promptTokens)));
  return sum(answered.map(({ reply }) => reply.latencyMs)) / work;
}

function checkPrices(prices: Prices): void {
  for (const [name, price] of Object.entries(prices)) {
    if (!(price >= 0 && price < Infinity)) {
      throw new RangeError(
        `Cannot estimate the price as the ${name} price must be a number of at least 0 per million tokens: current value is ${price}`,
      );
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The fixed cost of a call, as so many prompt tokens: without it, a few short calls would predict too long a run. */
const TOKENS_OF_A_CALL = 1000;

/** How much work a call is, for estimating the time left: its prompt's tokens, and a call's fixed cost. */
export function workOf(promptTokens: number): number {
  return promptTokens + TOKENS_OF_A_CALL;
}
