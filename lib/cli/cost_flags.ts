import type { Output } from "./output.ts";
import { type Flags, number } from "./task_flags.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import {
  type Budget,
  type BudgetFit,
  budgetFitNote,
  fitBudget,
  parseBudget,
  type SpendingLimit,
  withSamples,
} from "@/lib/asking/mod.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import { findEarlierRun } from "@/lib/records/mod.ts";
import {
  allowanceOf,
  batchPrices,
  cappedPace,
  type OpenedModel,
  openStudy,
  type Plan,
  planStudy,
  type Prices,
  statedPace,
  type Study,
} from "@/lib/studies/mod.ts";

/** The prices' flags. */
export const PRICE_FLAGS = ["--price-in", "--price-out", "--price-cached"] as const;

/** Adds the prices of a million tokens. */
export function addPriceFlags(command: Command): Command {
  const flags = [
    ["in", "price of a million prompt tokens (default: the model entry's)"],
    ["out", "price of a million output tokens (default: the model entry's)"],
    ["cached", "price of a million prompt tokens from the cache (default: the entry's, else that of any other)"],
  ] as const;
  for (const [kind, help] of flags) {
    command.addOption(new Option(`--price-${kind} <amount>`, help).argParser(number(0)));
  }
  return command;
}

/** Reads the prices: those of the flags, then those of the model's entry; `undefined` where neither has one. */
export function readPrices(flags: Flags, price: Prices | undefined): Prices | undefined {
  const { priceIn, priceOut, priceCached } = flags as Record<string, number | undefined>;
  if (priceIn === undefined && priceOut === undefined && priceCached === undefined) return price;
  const [input, output] = [priceIn ?? price?.input ?? 0, priceOut ?? price?.output ?? 0];
  // The entry's price for cached tokens belongs to its price for the others.
  const cachedInput = priceCached ?? (priceIn === undefined ? price?.cachedInput : undefined);
  return { input, output, ...(cachedInput === undefined ? {} : { cachedInput }) };
}

/** The prices that a plan is reckoned with: those of batches, where it is asked in them. */
export function planPrices(
  flags: Flags,
  { price, inBatches }: { readonly price?: Prices; readonly inBatches: boolean },
): Prices | undefined {
  const prices = readPrices(flags, price);
  return prices === undefined || !inBatches ? prices : batchPrices(prices);
}

/** Adds `--max-cost`. */
export function addMaxCostFlag(command: Command): Command {
  return command.addOption(
    new Option(
      "--max-cost <amount>",
      "stop before a call that could take the run above this, all its sessions together, such as 20 or 20USD",
    ).argParser(money),
  );
}

function money(text: string): number {
  const [, amount] = /^(\d+(?:\.\d+)?)\s*(?:[A-Z]{3}|[$€£])?$/.exec(text) ?? [];
  if (Number(amount) > 0) return Number(amount);
  throw new InvalidArgumentError("It must be an amount above 0, such as 20 or 20USD.");
}

/** Reads the spending limit of a run; `undefined` without one. */
export function readMaxCost(flags: Flags, price: Prices | undefined): SpendingLimit | undefined {
  if (flags.maxCost === undefined) return undefined;
  const prices = readPrices(flags, price);
  if (prices !== undefined) return { amount: flags.maxCost as number, prices };
  throw new RangeError(
    `Cannot limit the cost of the run as the model's price must be in its entry, or --price-in and --price-out be given: current value is none`,
  );
}

/** A price with two decimals, or with two digits where it is below a hundredth. */
export function amountText(price: number): string {
  return price === 0 || price >= 0.01 ? price.toFixed(2) : Number(price.toPrecision(2)).toString();
}

/** A price in words. */
export function priceText(price: number): string {
  return `${amountText(price)} in the currency of the prices`;
}

/** Samples that a budget chooses from by default: RULER's own number. */
export const MAX_BUDGET_SAMPLES = 500;

/** Adds `--budget`, and the rate that one of time needs. */
export function addBudgetFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--budget <amount>",
        "ask as many samples of each as fit 20USD, 3h or 5Mtok, at most --samples or the study's",
      ).argParser(budget),
    )
    .addOption(
      new Option("--rate <tokens>", "prompt tokens a second that the server reads in all, for the time")
        .argParser(number(0.001)),
    );
}

function budget(text: string): Budget {
  const found = parseBudget(text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(
    "It must be money such as 20USD, a time such as 3h or 90min, or tokens such as 5Mtok.",
  );
}

/** Says what a budget chose, in numbers and in points of a score. */
export function budgetNote(fit: BudgetFit, { cells }: Plan): string {
  const lengths = Map.groupBy(cells, ({ length }) => length);
  return budgetFitNote(fit, Math.max(...[...lengths.values()].map((ofLength) => ofLength.length)));
}

/** Returns a study with the samples that the budget of the flags allows, and prints a note. */
export async function withinBudget(
  study: Study,
  { flags, model, name, benchmarks, inBatches, output }: {
    readonly flags: Flags;
    readonly inBatches: boolean;
    readonly model: OpenedModel;
    /** The run, whose own pace does not count: the same command must choose the same samples again. */
    readonly name: string;
    readonly benchmarks: readonly Benchmark[];
    readonly output: Output;
  },
): Promise<Study> {
  const asked = flags.budget as Budget | undefined;
  if (asked === undefined) return study;
  const plan = planStudy(await openStudy(study, { benchmarks }), model);
  const prices = planPrices(flags, { ...model, inBatches });
  const known = flags.rate !== undefined
    ? statedPace(flags.rate as number)
    : asked.of === "seconds"
    ? (await findEarlierRun(model, { benchmarks, except: name }))?.pace
    : undefined;
  const pace = cappedPace(known, model);
  const fit = fitBudget(plan, asked, {
    ...allowanceOf(model),
    ...(prices === undefined ? {} : { prices }),
    ...(pace === undefined ? {} : { pace }),
  });
  output.note(budgetNote(fit, plan));
  return withSamples(study, fit.samples);
}
