import { intervalReach } from "./decision_notes.ts";
import {
  type Effort,
  type EffortRow,
  type EstimateOptions,
  estimateRun,
  type Plan,
  type Study,
  timeText,
} from "@/lib/studies/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** The budget of a run. */
export interface Budget {
  /** As it was written, such as `20USD`. */
  readonly text: string;
  /** The unit: money in the currency of the prices, seconds, or tokens read and written. */
  readonly of: "price" | "seconds" | "tokens";
  /** The amount in that unit. */
  readonly amount: number;
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600, d: 86_400 };
const TOKENS: Readonly<Record<string, number>> = { tok: 1, ktok: 1e3, mtok: 1e6, btok: 1e9, gtok: 1e9 };

/**
 * Reads a budget: money such as `20USD`, in whatever currency the prices have; a time such as `3h`, `90min`, `2d`; or tokens such
 * as `5Mtok`, `800ktok`.
 *
 * @returns `undefined` where it is none.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(parseBudget("1.5h"), { text: "1.5h", of: "seconds", amount: 5400 });
 * ```
 */
export function parseBudget(text: string): Budget | undefined {
  const [, digits, unit] = /^\s*(\d+(?:\.\d+)?)\s*([A-Za-z]+|[$€£])\s*$/.exec(text) ?? [];
  const amount = Number(digits);
  if (unit === undefined || amount === 0) return undefined;
  const [seconds, tokens] = [SECONDS[unit.toLowerCase()], TOKENS[unit.toLowerCase()]];
  if (seconds !== undefined) return { text, of: "seconds", amount: amount * seconds };
  if (tokens !== undefined) return { text, of: "tokens", amount: amount * tokens };
  return /^([A-Z]{3}|[$€£])$/.test(unit) ? { text, of: "price", amount } : undefined;
}

/** The samples that fit a budget. */
export interface BudgetFit {
  readonly budget: Budget;
  /** Samples of each task at each length; fewer where the study has fewer. */
  readonly samples: number;
  /** Their estimate, in the unit of the budget. */
  readonly amount: number;
  /** The number of samples that the study has of a task at a length. */
  readonly wanted: number;
  /** The estimate of all of them. */
  readonly wantedAmount: number;
}

/**
 * Chooses how many samples of each task at each length fit a budget, up to those of the plan. Prompts count at their longest
 * and answers as long as they may be, so the budget is kept as far as prices, pace and tokenizer are right; retries are not included.
 *
 * @param plan What would be asked without a budget.
 * @param options Prices for a budget of money, a pace for one of time.
 * @throws {RangeError} If not one sample of each fits, or the budget's prices or pace are not known.
 */
export function fitBudget(plan: Plan, budget: Budget, options: EstimateOptions = {}): BudgetFit {
  const { rows, ...total } = estimateRun(plan, { ...options, exactUpTo: 0 });
  const wantedAmount = amountOf(total, budget);
  const repeats = plan.repeats ?? 1;
  const cells = rows.map((row) => ({
    held: row.questions / repeats,
    each: repeats * amountOf(row, budget) / row.questions,
  }));
  const amountFor = (samples: number): number =>
    cells.reduce((sum, { held, each }) => sum + Math.min(samples, held) * each, 0);
  const wanted = Math.max(...cells.map(({ held }) => held));
  let [samples, tooMany] = [0, wanted + 1];
  while (tooMany - samples > 1) {
    const middle = (samples + tooMany) >> 1;
    if (amountFor(middle) <= budget.amount) samples = middle;
    else tooMany = middle;
  }
  if (samples > 0) return { budget, samples, amount: amountFor(samples), wanted, wantedAmount };
  throw new RangeError(
    `Cannot plan the run as the budget must be enough for one sample of each task at each length, ${
      amountText(amountFor(1), budget)
    }: current value is ${budget.text}`,
  );
}

function amountOf(effort: Effort | EffortRow, { of, text }: Budget): number {
  if (of === "tokens") return effort.promptTokens + effort.answerTokens;
  const amount = effort[of];
  if (amount !== null) return amount;
  throw new RangeError(
    of === "price"
      ? `Cannot plan the run as the model's price must be in its entry, or --price-in and --price-out be given, for a budget of ${text}: current value is none`
      : `Cannot plan the run as the model must have an earlier run, or --rate be given, for a budget of ${text}: current value is no pace`,
  );
}

/** Returns a study with at most the given number of samples of each task at each length. */
export function withSamples(study: Study, samples: number): Study {
  const { samplesAt } = study;
  const fewer = Object.entries(samplesAt ?? {}).map(([length, count]) => [length, Math.min(count, samples)]);
  return {
    ...study,
    samples: Math.min(study.samples, samples),
    ...(samplesAt === undefined ? {} : { samplesAt: Object.fromEntries(fewer) }),
  };
}

/**
 * Describes how many samples fit a budget, and the precision with them and with all.
 *
 * @param tasks Tasks of which one mean is made.
 */
export function budgetFitNote({ budget, samples, amount, wanted, wantedAmount }: BudgetFit, tasks: number): string {
  const count = `${samples} ${plural(samples, "sample")} of each task at each length`;
  const taken = `at most ${amountText(amount, budget)}`;
  if (samples === wanted) return `A budget of ${budget.text} is enough for all of it: ${count}, ${taken}`;
  const mean = (of: number): string =>
    tasks === 1 ? "" : `, the mean of ${tasks} tasks to ±${intervalReach(of, tasks)}`;
  return `A budget of ${budget.text} is enough for ${count}, ${taken}: a score is known to about ±${
    intervalReach(samples, 1)
  } points${mean(samples)}. All ${wanted} would take ${amountText(wantedAmount, budget)} and tell it to ±${
    intervalReach(wanted, 1)
  }${mean(wanted)}`;
}

function amountText(amount: number, { of }: Budget): string {
  if (of === "seconds") return timeText(1000 * amount);
  if (of === "tokens") return `${Math.ceil(amount).toLocaleString("en-US")} tokens`;
  return amount >= 0.01 ? amount.toFixed(2) : Number(amount.toPrecision(2)).toString();
}
