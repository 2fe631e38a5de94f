import { type Command, InvalidArgumentError, Option } from "commander";
import { type Flags, number } from "./task_flags.ts";
import { batchPrices, type Prices } from "@/lib/studies/mod.ts";
import type { SpendingLimit } from "@/lib/asking/mod.ts";

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

/** Reads what a run may cost; `undefined` where nobody limits it. */
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
