import { defined, sum } from "@/lib/base/mod.ts";
import type { AskingPace } from "./pace.ts";
import { listSamples, type Plan, type PlannedSample } from "./plan.ts";
import { answerRoomAt, type Sample, unlessRefused } from "@/lib/generators/mod.ts";
import type { Model } from "@/lib/models/mod.ts";

/** Prices per million tokens, in any one currency. */
export interface Prices {
  readonly input: number;
  /** For tokens from the server's cache; as `input` by default. */
  readonly cachedInput?: number;
  readonly output: number;
  /** The price of a request in a batch, as a share of these prices; 0.5 by default. */
  readonly batch?: number;
}

/** Returns the price of prompt and answer tokens. */
export function priceOf(
  { promptTokens, answerTokens, cachedShare = 0 }: Pick<Effort, "promptTokens" | "answerTokens"> & {
    readonly cachedShare?: number;
  },
  { input, cachedInput = input, output }: Prices,
): number {
  const read = promptTokens * ((1 - cachedShare) * input + cachedShare * cachedInput);
  return (read + answerTokens * output) / 1e6;
}

/** Returns the prices in a batch, by default the half that most providers ask. */
export function batchPrices({ input, cachedInput = input, output, batch = 0.5 }: Prices): Prices {
  return { input: batch * input, cachedInput: batch * cachedInput, output: batch * output };
}

/** Limits of the tokens of an answer. */
export interface Allowance {
  /** Tokens that a thinking model may use beside each answer; 0 by default. */
  readonly thinkingTokens?: number;
  /** The output budget of every answer, thinking aside, if it is not the task's answer room. */
  readonly maxTokens?: number;
}

/** Returns the limits of the tokens of an answer in a model's settings. */
export function allowanceOf({ settings }: Pick<Model, "settings">): Allowance {
  const { thinkingTokens, maxTokens } = settings;
  const numbered = (value: unknown): number | undefined => typeof value === "number" ? value : undefined;
  return defined({ thinkingTokens: numbered(thinkingTokens), maxTokens: numbered(maxTokens) });
}

/** Returns the limit of the tokens of a reply to a task, thinking included. */
export function answerAllowance(
  { answerRoom }: Pick<PlannedSample["task"], "answerRoom">,
  { maxTokens, thinkingTokens = 0 }: Allowance,
): number {
  return (maxTokens ?? answerRoom) + thinkingTokens;
}

/** Options for {@linkcode estimateRun}. */
export interface EstimateOptions extends Allowance {
  readonly isAnswered?: (sample: PlannedSample) => boolean;
  readonly prices?: Prices;
  readonly pace?: AskingPace;
  /** The most tokens that are counted by making every sample, by default 5 million; a larger plan is estimated from its lengths. */
  readonly exactUpTo?: number;
}

/** Tokens, price and time of a part of a plan. */
export interface Effort {
  readonly questions: number;
  /** All that is sent: with a measure, the prompts twice. */
  readonly promptTokens: number;
  readonly longestPrompt: number;
  /** The most tokens that can be written, thinking included. */
  readonly answerTokens: number;
  /** The most it can cost, in the currency of the prices; `null` without prices. */
  readonly price: number | null;
  readonly seconds: number | null;
}

/** Tokens, price and time of a task at a length. */
export interface EffortRow extends Effort {
  readonly task: string;
  readonly length: number;
}

/** The estimate of a plan. */
export interface RunEstimate extends Effort {
  /** Whether prompt tokens were counted; otherwise they are upper bounds, a few percent too high at most. */
  readonly isExact: boolean;
  readonly rows: readonly EffortRow[];
}

/**
 * Estimates questions, tokens, price and time of a plan before the first call, without retries.
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
  const { isAnswered = () => false, prices, pace, exactUpTo = 5_000_000 } = options;
  checkPrices(prices);
  const samples = [...listSamples(plan)].filter((sample) => !isAnswered(sample));
  const mostTokens = ({ task, length }: PlannedSample): TokenLimits => {
    const answerRoom = answerRoomAt(task, length);
    return { promptTokens: length - answerRoom, answerRoom };
  };
  const isExact = !plan.fitsServer && sum(samples.map((sample) => mostTokens(sample).promptTokens)) <= exactUpTo;
  const { seed, template, materials } = plan;
  // A right answer is weighed after the prompt, which is sent again.
  const readings = plan.measure === undefined ? 1 : 2;
  const countTokens = ({ task, length, index }: PlannedSample): TokenLimits => {
    const make = (): Sample => task.sample({ length, index, seed, template, materials });
    // Rows that are too long are left out on request.
    return task.options["overlong"] !== "skip" ? make() : unlessRefused(make) ?? { promptTokens: 0, answerRoom: 0 };
  };
  const longer = new Map<string, boolean>();
  const limitsOf = (ofCell: readonly PlannedSample[]): readonly TokenLimits[] => {
    if (isExact) return ofCell.map(countTokens);
    const [first] = ofCell as [PlannedSample];
    const { name } = first.task;
    // With some settings prompts are longer than their length. Then one of each length is counted.
    if (!longer.has(name)) longer.set(name, countTokens(first).promptTokens > mostTokens(first).promptTokens);
    const limits = longer.get(name)! ? countTokens(first) : mostTokens(first);
    return ofCell.map(() => limits);
  };
  const cells = Map.groupBy(samples, ({ task, length }) => `${task.name}/${length}`);
  const rows = [...cells.values()].map((ofCell): EffortRow => {
    const { task, length } = ofCell[0]!;
    const limits = limitsOf(ofCell);
    const counts = limits.map((limit) => limit.promptTokens);
    const [questions, promptTokens] = [ofCell.length, readings * sum(counts)];
    const longestPrompt = counts.reduce((most, count) => Math.max(most, count), 0);
    const answerTokens = sum(limits.map((limit) => answerAllowance(limit, options)));
    return {
      task: task.name,
      length,
      questions,
      promptTokens,
      longestPrompt,
      answerTokens,
      price: prices === undefined ? null : priceOf({ promptTokens, answerTokens }, prices),
      seconds: pace?.secondsFor({ length, questions, promptTokens, answerTokens }) ?? null,
    };
  });
  return { ...addEfforts(rows), isExact, rows };
}

/** Tokens of a prompt, and of the room for its answer. */
type TokenLimits = Pick<Sample, "promptTokens" | "answerRoom">;

/** Adds up parts of a plan. */
export function addEfforts(parts: readonly Effort[]): Effort {
  const total = (field: keyof Effort): number => sum(parts, (part) => part[field] ?? NaN);
  const orNull = (value: number): number | null => Number.isNaN(value) ? null : value;
  return {
    questions: total("questions"),
    promptTokens: total("promptTokens"),
    longestPrompt: Math.max(0, ...parts.map(({ longestPrompt }) => longestPrompt)),
    answerTokens: total("answerTokens"),
    price: orNull(total("price")),
    seconds: orNull(total("seconds")),
  };
}

function checkPrices(prices: Prices | undefined): void {
  for (const [name, price] of Object.entries(prices ?? {})) {
    if (!(price >= 0 && price < Infinity)) {
      throw new RangeError(
        `Cannot estimate the price as the ${name} price must be a number of at least 0 per million tokens: current value is ${price}`,
      );
    }
  }
}
