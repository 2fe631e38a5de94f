import { workOf } from "./_work.ts";
import { listSamples, type Plan, type PlannedSample } from "./plan.ts";
import type { RunRecord } from "./record.ts";

/** Prices per million tokens, in any one currency. */
export interface Prices {
  /** The price of a million prompt tokens. */
  readonly input: number;
  /** The price of a million tokens written, thinking included. */
  readonly output: number;
}

/** Options for {@linkcode estimateRun}. */
export interface EstimateOptions {
  /** Tells which samples need not be asked any more; none unless given. */
  readonly isAnswered?: (sample: PlannedSample) => boolean;
  /** What the provider asks for; no price is told without it. */
  readonly prices?: Prices;
  /**
   * Tokens that a thinking model may use beside each answer.
   *
   * @default {0}
   */
  readonly thinkingTokens?: number;
  /** Records of earlier calls to the same model, to tell the time from; no time is told without an answer among them. */
  readonly measured?: readonly RunRecord[];
  /**
   * Calls under way at a time.
   *
   * @default {1}
   */
  readonly concurrency?: number;
  /**
   * The most tokens that are counted by making every sample; a larger plan is reckoned by its lengths.
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
 * import { niahTask } from "@/lib/generators/mod.ts";
 * import { openMaterials, planRun } from "@/lib/runs/mod.ts";
 *
 * const tasks = [niahTask({ haystack: "noise" })];
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

function countPrompt(plan: Plan, { task, length, index }: PlannedSample): number {
  const { seed, frame, materials } = plan;
  return task.sample({ length, index, seed, frame, materials }).promptTokens;
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
        `Cannot reckon the price as the ${name} price must be a number of at least 0 per million tokens: current value is ${price}`,
      );
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
