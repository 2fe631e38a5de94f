import { type Command, InvalidArgumentError, Option } from "commander";
import { defined } from "@/lib/base/mod.ts";
import type { Output } from "./output.ts";
import { collect, number, wholeNumber } from "./flag_values.ts";
import type { Flags } from "./flags.ts";
import { DEFAULT_CONCURRENCY, MAX_CONCURRENCY, type SpendingLimit } from "@/lib/asking/mod.ts";
import { ENDPOINT_OPTIONS, type EndpointOption, type EndpointOptionList } from "@/lib/models/mod.ts";
import {
  batchPrices,
  destinationText,
  isSimulatedReader,
  type ModelChoice,
  type OpenedModel,
  openModel,
  type OpenModelOptions,
  type Prices,
} from "@/lib/studies/mod.ts";

export function addModelFlags(command: Command, options: EndpointOptionList = ENDPOINT_OPTIONS): Command {
  const naming = [
    new Option("--model <name>", "a model of the models file, as its server calls it, or simulated: sim:gpt-4 …")
      .default("sim:ideal"),
    new Option("--base-url <url>", "address without the path of the API (default: OPENAI_BASE_URL)"),
    ...modelFileOptions().map((option) => option.hideHelp()),
  ];
  const asking = Object.entries(options).map(([name, option]) => optionFlag(name, option).hideHelp(!option.isCommon));
  for (const option of [...naming, ...asking]) {
    command.addOption(
      option.helpGroup("The model (its key is read from OPENAI_API_KEY, or ANTHROPIC_API_KEY for --api anthropic):"),
    );
  }
  return command;
}

export function modelFileOptions(): Option[] {
  return [
    new Option("--models <file>", "your own file of models, instead of data/models.yaml"),
    new Option("--allow-env-var <name>", "a variable that a models file from elsewhere may send, repeatable").argParser(
      (name: string, before?: readonly string[]) => {
        if (/^\w+$/.test(name)) return collect(name, before);
        throw new InvalidArgumentError("It must be the name of a variable.");
      },
    ),
  ];
}

export function optionFlag(name: string, option: EndpointOption): Option {
  const { takes, help, choices, byDefault, read, collect: add, wanted } = option;
  const flag = flagOf(name, option);
  if (takes === undefined) return new Option(flag, help);
  // The flag itself has no default, as a model's entry may set another.
  const notes = [
    ...(choices === undefined ? [] : [`choices: ${choices.join(", ")}`]),
    ...(typeof byDefault === "string" || typeof byDefault === "number" ? [`default: ${byDefault}`] : []),
  ];
  const about = notes.length === 0 ? help : `${help} (${notes.join("; ")})`;
  return new Option(`${flag} <${takes}>`, about).argParser((text: string, before: unknown) => {
    if (add) return add(text, before);
    if (read(text) === undefined) throw new InvalidArgumentError(`It must be ${wanted}.`);
    // The text is read again later: commander makes an empty text of the null that `none` means.
    return text;
  });
}

/** Returns the flag of an option: `--max-tokens` for `maxTokens`, unless it declares another. */
function flagOf(name: string, { flag }: EndpointOption): string {
  return `--${flag ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export async function openFlaggedModel(
  flags: Flags,
  { output, variant }: {
    readonly output: Output;
    readonly variant?: OpenModelOptions["variant"];
  },
): Promise<OpenedModel> {
  const choice = readModelFlags(flags);
  const ignored = Object.entries<EndpointOption>(ENDPOINT_OPTIONS).filter(([name]) => name in choice)
    .map(([name, option]) => flagOf(name, option));
  if (ignored.length > 0 && isSimulatedReader(choice)) {
    output.note(`${choice.model} is simulated and ignores ${ignored.join(", ")}`);
  }
  const model = await openModel(choice, {
    variant,
    allowedVariables: flags.allowEnvVar,
    asksNothing: flags["dryRun"] === true,
  });
  const { destination } = model;
  if (destination !== undefined && destination.variables.length > 0) output.note(destinationText(destination));
  return model;
}

/** Reads the model and the options of its endpoint. */
export function readModelFlags(flags: Flags, options: EndpointOptionList = ENDPOINT_OPTIONS): ModelChoice {
  const given = Object.entries(options).flatMap(([name, option]): [string, unknown][] => {
    const value = flags[
      flagOf(name, option).slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    ];
    return value === undefined ? [] : [[name, option.read(value)]];
  });
  const { models, baseUrl, model = "" } = flags;
  return { ...defined({ models, baseUrl }), ...Object.fromEntries(given), model };
}

export function addConcurrencyFlag(command: Command): Command {
  const about = `calls in flight (default: the model entry's, or ${DEFAULT_CONCURRENCY})`;
  return command.option("--concurrency <n>", about, wholeNumber(1, MAX_CONCURRENCY));
}

/** Returns the concurrency of the flag, otherwise of the model's entry. */
export function concurrencyOf({ concurrency }: Flags, model: OpenedModel): number {
  return concurrency ?? model.concurrency ?? DEFAULT_CONCURRENCY;
}

export function addPriceFlags(command: Command): Command {
  return command
    .option("--price-in <amount>", "price of a million prompt tokens (default: the model entry's)", number(0))
    .option("--price-out <amount>", "price of a million output tokens (default: the model entry's)", number(0))
    .option("--price-cached <amount>", "price of a million cached tokens (default: entry's, or --price-in)", number(0));
}

/** Reads the prices: those of the flags, then those of the model's entry; `undefined` if neither has one. */
export function readPrices(
  { priceIn, priceOut, priceCached }: Flags,
  price: Prices | undefined,
  { inBatches = false }: { readonly inBatches?: boolean } = {},
): Prices | undefined {
  let prices = price;
  if (priceIn !== undefined || priceOut !== undefined || priceCached !== undefined) {
    const [input, output] = [priceIn ?? price?.input ?? 0, priceOut ?? price?.output ?? 0];
    // The entry's price for cached tokens belongs to its price for the others.
    const cachedInput = priceCached ?? (priceIn === undefined ? price?.cachedInput : undefined);
    prices = { input, output, ...defined({ cachedInput }) };
  }
  return prices !== undefined && inBatches ? batchPrices(prices) : prices;
}

/** A price with two decimals, or with two digits if it is below a hundredth. */
export function amountText(price: number): string {
  return price === 0 || price >= 0.01 ? price.toFixed(2) : Number(price.toPrecision(2)).toString();
}

export function priceText(price: number): string {
  return `${amountText(price)} in the currency of the prices`;
}

export function addMaxCostFlag(command: Command): Command {
  return command.option(
    "--max-cost <amount>",
    "stop before a call that could take the run above this, all its sessions together, such as 20 or 20USD",
    (text) => {
      const [, amount] = /^(\d+(?:\.\d+)?)\s*(?:[A-Z]{3}|[$€£])?$/.exec(text) ?? [];
      if (Number(amount) > 0) return Number(amount);
      throw new InvalidArgumentError("It must be an amount above 0, such as 20 or 20USD.");
    },
  );
}

/** Reads the spending limit of a run; `undefined` without one. */
export function readMaxCost(flags: Flags, price: Prices | undefined): SpendingLimit | undefined {
  if (flags.maxCost === undefined) return undefined;
  const prices = readPrices(flags, price);
  if (prices !== undefined) return { amount: flags.maxCost, prices };
  throw new RangeError(
    `Cannot limit the cost of the run as the model's price must be in its entry, or --price-in and --price-out be given: current value is none`,
  );
}
