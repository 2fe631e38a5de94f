import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readYaml } from "./_files.ts";
import { isTokenizerName } from "./tokenizers.ts";
import type { Prices } from "./plan_cost.ts";
import { text, whole } from "@/lib/generators/mod.ts";
import {
  ENDPOINT_OPTIONS,
  type EndpointOptionList,
  type EndpointSettings,
  isFields,
  isTemplatePath,
} from "@/lib/models/mod.ts";

/** A model as a file of models describes it; the endpoint's defaults hold for what it leaves out. */
export interface ModelEntry extends Partial<EndpointSettings> {
  /**
   * The part of the address before `/chat/completions`, or those of several servers that share the work; the environment's, then
   * OpenAI's own, by default.
   */
  readonly baseUrl?: string | readonly string[];
  /** The model as its server calls it; the entry's name by default. */
  readonly model?: string;
  /** An encoding, or the path of the model's tokenizer.json or .gguf file: what counts samples where a study names none. */
  readonly tokenizer?: string;
  /** The context window, in tokens. */
  readonly window?: number;
  /** Its short name in OpenCompass's files. */
  readonly abbr?: string;
  /** The context window that its authors claim, in tokens; shown beside the effective length. */
  readonly claimedWindow?: number;
  /** Calls in flight at a time. */
  readonly concurrency?: number;
  /** What a million tokens cost. */
  readonly price?: Prices;
}

/** The models that come with Fathom: `data/models.yaml`. */
export const MODELS_FILE: string = fileURLToPath(new URL("../../data/models.yaml", import.meta.url));

/** The entries of a file of models. */
export interface ModelEntries {
  readonly names: readonly string[];
  /**
   * Reads the entry of a name, and no other: a mistake in one stops nobody who asks for another.
   *
   * @throws {TypeError} If it is not what was wanted; the message names the file, the entry and the key.
   */
  find(name: string): ModelEntry | undefined;
}

/**
 * Reads a file of models. Headers still name the environment variables that they hold.
 *
 * @throws {RangeError} If there is no such file.
 * @throws {SyntaxError} If it is not YAML.
 * @throws {TypeError} If it is not names with keys.
 */
export async function readModelEntries(
  path: string,
  options: EndpointOptionList = ENDPOINT_OPTIONS,
): Promise<ModelEntries> {
  const entries = await readYaml(path, { what: "the models", wanted: "they must be in a YAML file" }) ?? {};
  if (!isFields(entries)) {
    throw new TypeError(
      `Cannot read the models in "${path}" as they must be names with keys: current value is ${
        JSON.stringify(entries)
      }`,
    );
  }
  const keys = { ...OWN_KEYS, ...keysOfOptions(options) };
  return {
    names: Object.keys(entries),
    find: (name) => Object.hasOwn(entries, name) ? readEntry(entries[name], { name, path, keys }) : undefined,
  };
}

/** The price that a file of models has for a model; `undefined` where it has none. */
export async function priceOfModel(name: string, models: string = MODELS_FILE): Promise<Prices | undefined> {
  return (await readModelEntries(models)).find(name)?.price;
}

/** A key of an entry: the property it sets, what it takes, and how it is read. */
interface EntryKey {
  readonly property: string;
  readonly wanted: string;
  read(value: unknown): unknown;
}

const OWN_KEYS: Readonly<Record<string, EntryKey>> = {
  "base_url": {
    property: "baseUrl",
    wanted: "the part of the address before /chat/completions, or a list of them",
    read: readBaseUrl,
  },
  model: { property: "model", ...text(""), wanted: "the model's name at its server" },
  tokenizer: { property: "tokenizer", ...text(""), wanted: "an encoding or the path of a tokenizer.json" },
  window: { property: "window", ...whole({ from: 1, to: 1_000_000_000 }, "") },
  abbr: { property: "abbr", ...text("") },
  "claimed_window": { property: "claimedWindow", ...whole({ from: 1, to: 1_000_000_000 }, "") },
  concurrency: { property: "concurrency", ...whole({ from: 1, to: 256 }, "") },
  price: {
    property: "price",
    wanted:
      "{ input: …, output: … } and cached_input where it is another, each for a million tokens and at least 0, and batch, the share paid in a batch, where it is not 0.5",
    read: readPrice,
  },
};

function keysOfOptions(options: EndpointOptionList): Readonly<Record<string, EntryKey>> {
  const keys = Object.entries(options).map(([property, { wanted, read }]) => {
    const key = property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [key, { property, wanted, read }];
  });
  return Object.fromEntries(keys);
}

function readBaseUrl(value: unknown): string | readonly string[] | undefined {
  const isList = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
  return typeof value === "string" || isList ? value : undefined;
}

function readPrice(value: unknown): Prices | undefined {
  if (!isFields(value)) return undefined;
  const { input, cached_input: cachedInput = input, output, batch, ...others } = value;
  const isPrice = (amount: unknown): amount is number => Number.isFinite(amount) && (amount as number) >= 0;
  if (
    !isPrice(input) || !isPrice(cachedInput) || !isPrice(output) || !isPrice(batch ?? 0) ||
    Object.keys(others).length > 0
  ) return undefined;
  return { input, cachedInput, output, ...(batch === undefined ? {} : { batch: batch as number }) };
}

function readEntry(
  entry: unknown,
  { name, path, keys }: {
    readonly name: string;
    readonly path: string;
    readonly keys: Readonly<Record<string, EntryKey>>;
  },
): ModelEntry {
  const refuse = (wanted: string, value: string): TypeError =>
    new TypeError(`Cannot read model "${name}" in "${path}" as ${wanted}: current value is ${value}`);
  if (name.startsWith("sim:")) throw refuse('its name must not begin with "sim:", as the simulated readers\' do', name);
  if (!isFields(entry)) throw refuse("it must be keys with values", JSON.stringify(entry));
  const read = Object.entries(entry).map(([key, value]) => {
    if (!Object.hasOwn(keys, key)) {
      throw refuse(`each key must be one of ${Object.keys(keys).join(", ")}`, JSON.stringify(key));
    }
    const { property, wanted, read } = keys[key]!;
    const checked = readSafely(read, key === "chat_template" ? placeTemplate(value, path) : value);
    if (checked !== undefined) return [property, checked];
    // A header's value is a secret.
    throw refuse(`${key} must be ${wanted}`, property === "headers" ? "not shown" : JSON.stringify(value));
  });
  const { tokenizer, ...rest }: ModelEntry = Object.fromEntries(read);
  if (tokenizer === undefined) return rest;
  const isPlaced = isTokenizerName(tokenizer) || isAbsolute(tokenizer);
  return { ...rest, tokenizer: isPlaced ? tokenizer : join(dirname(path), tokenizer) };
}

/** The path of a chat template is that from the file of models. */
function placeTemplate(value: unknown, models: string): unknown {
  const isPath = typeof value === "string" && isTemplatePath(value);
  return isPath && !isAbsolute(value) ? join(dirname(models), value) : value;
}

/** Reads a value; an option can refuse one by an error of its own. */
function readSafely(read: EntryKey["read"], value: unknown): unknown {
  try {
    return read(value);
  } catch {
    return undefined;
  }
}
