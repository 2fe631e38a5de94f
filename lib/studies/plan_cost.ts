import type { AskingPace } from "./asking_pace.ts";
import { listSamples, type Plan, type PlannedSample } from "./plan.ts";
import type { Model } from "@/lib/models/mod.ts";

/** Prices per million tokens, in any one currency. */
export interface Prices {
  /** A million prompt tokens. */
  readonly input: number;
  /** A million prompt tokens from the server's cache; as `input` by default. */
  readonly cachedInput?: number;
  /** A million tokens written, thinking included. */
  readonly output: number;
  /**
   * The price of a request in a batch, as a share of these prices.
   *
   * @default {0.5}
   */
  readonly batch?: number;
}

/** Limits of the tokens of an answer. */
export interface Allowance {
  /**
   * Tokens that a thinking model may use beside each answer.
   *
   * @default {0}
   */
  readonly thinkingTokens?: number;
  /** The output budget of every answer, thinking aside, where it is not the task's answer room. */
  readonly maxTokens?: number;
}

/** Options for {@linkcode estimateRun}. */
export interface EstimateOptions extends Allowance {
  /** Whether a sample need not be asked any more; none by default. */
  readonly isAnswered?: (sample: PlannedSample) => boolean;
  /** The provider's prices; without them no price is estimated. */
  readonly prices?: Prices;
  /**
   * The share of the prompt tokens that come from the server's cache, in [0, 1].
   *
   * @default {0}
   */
  readonly cachedShare?: number;
  /** How fast the server answers; no time is estimated without it. */
  readonly pace?: AskingPace;
  /**
   * The most tokens that are counted by making every sample; a larger plan is estimated from its lengths.
   *
   * @default {5_000_000}
   */
  readonly exactUpTo?: number;
}

/** Tokens, price and time of a part of a plan. */
export interface Effort {
  /** Samples still to be asked. */
  readonly questions: number;
  /** Tokens of all their prompts. */
  readonly promptTokens: number;
  /** Tokens of the longest prompt. */
  readonly longestPrompt: number;
  /** The most tokens that can be written, thinking included. */
  readonly answerTokens: number;
  /** The most it can cost, in the currency of the prices; `null` without prices. */
  readonly price: number | null;
  /** The time it takes, in seconds; `null` without a pace. */
  readonly seconds: number | null;
}

/** Tokens, price and time of a task at a length. */
export interface EffortRow extends Effort {
  readonly task: string;
  /** The token budget. */
  readonly length: number;
}

/** The estimate of a plan. */
export interface RunEstimate extends Effort {
  /** Whether prompt tokens were counted; otherwise they are upper bounds, a few percent too high at most. */
  readonly isExact: boolean;
  /** The same by task and length, in the order of the plan. */
  readonly rows: readonly EffortRow[];
}

/**
 * Estimates questions, tokens, price and time of a plan before the first call. Retries are not included.
 *
 * @throws {RangeError} If a price is negative or not a number, or the cached share is no share.
 *
 * @example
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
 * import { checkStudy, openStudy, planStudy } from "@/lib/studies/mod.ts";
 *
 * const opened = await openStudy(checkStudy({ tasks: ["vt"], lengths: [1024], samples: 10 }));
 * const { promptTokens, answerTokens } = estimateRun(planStudy(opened, { template: PLAIN_TEMPLATE }));
 * ok(promptTokens + answerTokens <= 10 * 1024);
 * ```
 */
export function estimateRun(plan: Plan, options: EstimateOptions = {}): RunEstimate {
  const { isAnswered = () => false, prices, cachedShare = 0, exactUpTo = 5_000_000 } = options;
  if (prices) checkPrices(prices);
  checkShare(cachedShare);
  const samples = [...listSamples(plan)].filter((sample) => !isAnswered(sample));
  const isExact = !plan.fitsServer && sum(samples.map(mostPromptTokens)) <= exactUpTo;
  const count = isExact ? (sample: PlannedSample) => countPrompt(plan, sample) : mostPromptTokens;
  const cells = Map.groupBy(samples, ({ task, length }) => `${task.name}/${length}`);
  const rows = [...cells.values()].map((ofCell): EffortRow => {
    const { task, length } = ofCell[0]!;
    return { task: task.name, length, ...effortOf(ofCell, { ...options, count }) };
  });
  return { ...addEfforts(rows), isExact, rows };
}

/** Adds up parts of a plan. */
export function addEfforts(parts: readonly Effort[]): Effort {
  const total = (field: "price" | "seconds"): number | null =>
    parts.some((part) => part[field] === null) ? null : sum(parts.map((part) => part[field]!));
  return {
    questions: sum(parts.map(({ questions }) => questions)),
    promptTokens: sum(parts.map(({ promptTokens }) => promptTokens)),
    longestPrompt: Math.max(0, ...parts.map(({ longestPrompt }) => longestPrompt)),
    answerTokens: sum(parts.map(({ answerTokens }) => answerTokens)),
    price: total("price"),
    seconds: total("seconds"),
  };
}

interface EffortOptions extends Allowance, Pick<EstimateOptions, "prices" | "cachedShare" | "pace"> {
  /** Counts the tokens of a prompt. */
  readonly count: (sample: PlannedSample) => number;
}

/** Returns tokens, price and time of the samples of one task and length. */
function effortOf(samples: readonly PlannedSample[], options: EffortOptions): Effort {
  const { prices, cachedShare = 0, pace, count } = options;
  const { task, length } = samples[0]!;
  const counts = samples.map(count);
  const [questions, promptTokens] = [samples.length, sum(counts)];
  const answerTokens = questions * answerAllowance(task, options);
  return {
    questions,
    promptTokens,
    longestPrompt: Math.max(...counts),
    answerTokens,
    price: prices === undefined ? null : priceOf({ promptTokens, answerTokens, cachedShare }, prices),
    seconds: pace === undefined ? null : pace.secondsFor({ length, questions, promptTokens, answerTokens }),
  };
}

/** Returns the limit of the tokens of a reply to a task, thinking included. */
export function answerAllowance(
  { answerRoom }: Pick<PlannedSample["task"], "answerRoom">,
  { maxTokens, thinkingTokens = 0 }: Allowance,
): number {
  return (maxTokens ?? answerRoom) + thinkingTokens;
}

/** Returns the limits of the tokens of an answer in a model's settings. */
export function allowanceOf({ settings }: Pick<Model, "settings">): Allowance {
  const { thinkingTokens, maxTokens } = settings;
  return {
    ...(typeof thinkingTokens === "number" ? { thinkingTokens } : {}),
    ...(typeof maxTokens === "number" ? { maxTokens } : {}),
  };
}

/** Returns the price of prompt and answer tokens. */
export function priceOf(
  { promptTokens, answerTokens, cachedShare }: {
    readonly promptTokens: number;
    readonly answerTokens: number;
    readonly cachedShare: number;
  },
  { input, cachedInput = input, output }: Prices,
): number {
  const read = promptTokens * ((1 - cachedShare) * input + cachedShare * cachedInput);
  return (read + answerTokens * output) / 1e6;
}

/** The share of their prices that providers ask for requests in batches. */
const BATCH_SHARE = 0.5;

/** Returns the prices in a batch. */
export function batchPrices({ input, cachedInput = input, output, batch = BATCH_SHARE }: Prices): Prices {
  return { input: batch * input, cachedInput: batch * cachedInput, output: batch * output };
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

function checkShare(share: number): void {
  if (share >= 0 && share <= 1) return;
  throw new RangeError(`Cannot estimate the price as the cached share must be in [0, 1]: current value is ${share}`);
}

/** Returns the limit of the tokens of a prompt. */
function mostPromptTokens({ task, length }: PlannedSample): number {
  return length - task.answerRoom;
}

function countPrompt(plan: Plan, { task, length, index }: PlannedSample): number {
  const { seed, template, materials } = plan;
  return task.sample({ length, index, seed, template, materials }).promptTokens;
}

/** Typical bytes of a record without its reply, and of a token of the reply, from the measured runs. */
const BYTES = { record: 1200, token: 4 };

/** Estimates the disk space of the records of a plan, in bytes. */
export function recordBytes({ questions, answerTokens }: Pick<Effort, "questions" | "answerTokens">): number {
  return questions * BYTES.record + answerTokens * BYTES.token;
}

/**
 * What this process takes at most, about, in bytes: itself with its tokenizer and tasks, what it keeps of each question, and the
 * prompts under way with the forms that they are sent in. Measured with 8 to 64 prompts of 4K to 128K tokens.
 */
const MEMORY = { process: 200e6, question: 1000, token: 70 };

/** Estimates the memory of a run, in bytes. */
export function runMemory(
  { questions, longestPrompt }: Pick<Effort, "questions" | "longestPrompt">,
  { concurrency }: {
    /** Calls in flight at a time. */
    readonly concurrency: number;
  },
): number {
  const underWay = Math.min(questions, concurrency) * longestPrompt;
  return MEMORY.process + questions * MEMORY.question + underWay * MEMORY.token;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
