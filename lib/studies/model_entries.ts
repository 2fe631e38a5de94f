import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readYaml, realPath, userFolder } from "./files.ts";
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
   * The part of the address before `/chat/completions`.
   *
   * @default {that of the environment, then OpenAI's}
   */
  readonly baseUrl?: string;
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
  /** Prices per million tokens. */
  readonly price?: Prices;
}

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** The models that come with Fathom: `data/models.yaml`. */
export const MODELS_FILE: string = `${PROJECT}data/models.yaml`;

/**
 * Returns whether a file is trusted with the environment's secrets: one inside the project, but not in its results, which can come
 * from others, or in Fathom's folder of the user's configuration.
 */
async function isTrusted(path: string): Promise<boolean> {
  if (path === MODELS_FILE) return true;
  const [file, project, results, config] = await Promise.all(
    [path, PROJECT, `${PROJECT}results`, userFolder("config")].map((each) => each && realPath(each)),
  );
  const isIn = (folder: string | undefined): boolean => Boolean(folder && file?.startsWith(`${folder}/`));
  return (isIn(project) && !isIn(results)) || isIn(config);
}

/**
 * Reads the variables of the environment that a file of models from elsewhere may use, as the user's settings list them; none where
 * there are no settings.
 *
 * @throws {TypeError} If the list is not one of names.
 */
export async function variablesInSettings(): Promise<readonly string[]> {
  const path = settingsFile();
  if (path === undefined || await realPath(path) === undefined) return [];
  const settings = await readYaml(path, { what: "the settings", wanted: "they must be in a YAML file" }) ?? {};
  const names = isFields(settings) ? settings["allow_env_vars"] ?? [] : settings;
  if (Array.isArray(names) && names.every((name) => typeof name === "string")) return names;
  throw new TypeError(
    `Cannot read the settings in "${path}" as allow_env_vars must be a list of names: current value is ${
      JSON.stringify(names)
    }`,
  );
}

/** Returns the path of the user's settings, whether or not there is such a file. */
export function settingsFile(): string | undefined {
  const folder = userFolder("config");
  return folder && `${folder}/settings.yaml`;
}

/** The entries of a file of models. */
export interface ModelEntries {
  /** Whether the file may use any variable of the environment: it is in the project or in the user's configuration. */
  readonly isTrusted: boolean;
  readonly names: readonly string[];
  /**
   * Reads the entry of a name. Errors in other entries are ignored.
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
  const isOwn = await isTrusted(path);
  return {
    isTrusted: isOwn,
    names: Object.keys(entries),
    find: (name) => Object.hasOwn(entries, name) ? readEntry(entries[name], { name, path, keys, isOwn }) : undefined,
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
  "base_url": { property: "baseUrl", ...text(""), wanted: "the part of the address before /chat/completions" },
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
  { name, path, keys, isOwn }: {
    readonly name: string;
    readonly path: string;
    readonly isOwn: boolean;
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
    if (key === "chat_template" && !isOwn && isOutside(value, path)) {
      throw refuse(
        "chat_template must be in the folder of the models file, as that is neither in the project nor in your configuration, or left out and given by --chat-template",
        JSON.stringify(value),
      );
    }
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

/** Returns whether a Jinja file, whose whole text is sent with each prompt, is outside of the folder of a file of models. */
function isOutside(value: unknown, models: string): boolean {
  if (typeof value !== "string" || !isTemplatePath(value) || /\.json$/i.test(value)) return false;
  try {
    const file = Deno.realPathSync(placeTemplate(value, models) as string);
    return !file.startsWith(`${Deno.realPathSync(dirname(models))}/`);
  } catch {
    // A file that is missing is refused where it is read.
    return false;
  }
}

/** Reads a value; an option can refuse one by an error of its own. */
function readSafely(read: EntryKey["read"], value: unknown): unknown {
  try {
    return read(value);
  } catch {
    return undefined;
  }
}
