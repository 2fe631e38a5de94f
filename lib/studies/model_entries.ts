import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Fields, isFields, realPath, userFolder } from "@/lib/base/mod.ts";
import { closedObject, filledText, readAs, readYaml, v, wholeNumber } from "./files.ts";
import { isTokenizerName } from "./tokenizers.ts";
import type { Prices } from "./plan_cost.ts";
import {
  ENDPOINT_OPTIONS,
  type EndpointOption,
  type EndpointOptionList,
  type EndpointSettings,
  isTemplatePath,
} from "@/lib/models/mod.ts";

/** A model as a file of models describes it; the endpoint's defaults hold for what it leaves out. */
export interface ModelEntry extends Partial<EndpointSettings> {
  /** The part of the address before `/chat/completions`; by default that of the environment, then OpenAI's. */
  readonly baseUrl?: string;
  readonly model?: string;
  /** An encoding, or the path of the model's tokenizer.json or .gguf file: counts samples if a study names none. */
  readonly tokenizer?: string;
  readonly window?: number;
  readonly abbr?: string;
  /** The context window that its authors claim, in tokens; shown beside the effective length. */
  readonly claimedWindow?: number;
  readonly concurrency?: number;
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
  const content = await readYaml(path, { what: "the models", wanted: "they must be in a YAML file" }) ?? {};
  const entries = readAs(v.custom<Fields>(isFields), content, { what: `the models in "${path}"` });
  const isOwn = await isTrusted(path);
  return {
    isTrusted: isOwn,
    names: Object.keys(entries),
    find: (name) => Object.hasOwn(entries, name) ? readEntry(name, entries[name], { path, options, isOwn }) : undefined,
  };
}

/** The price that a file of models has for a model; `undefined` if it has none. */
export async function priceOfModel(name: string, models: string = MODELS_FILE): Promise<Prices | undefined> {
  return (await readModelEntries(models)).find(name)?.price;
}

const AMOUNT = v.pipe(v.number("a number"), v.finite("a number"), v.minValue(0, "at least 0"));

const PRICE = v.pipe(
  closedObject({
    input: AMOUNT,
    "cached_input": v.exactOptional(AMOUNT),
    output: AMOUNT,
    batch: v.exactOptional(AMOUNT),
  }),
  v.transform(({ cached_input: cachedInput, ...price }): Prices => ({
    cachedInput: cachedInput ?? price.input,
    ...price,
  })),
);

const OWN_KEYS = {
  "base_url": v.exactOptional(filledText("the part of the address before /chat/completions")),
  model: v.exactOptional(filledText("the model's name at its server")),
  tokenizer: v.exactOptional(filledText("an encoding or the path of a tokenizer.json")),
  window: v.exactOptional(wholeNumber(1, 1_000_000_000)),
  abbr: v.exactOptional(filledText("a text")),
  "claimed_window": v.exactOptional(wholeNumber(1, 1_000_000_000)),
  concurrency: v.exactOptional(wholeNumber(1, 256)),
  price: v.exactOptional(PRICE),
};

/** The schema of an option of an endpoint, which can refuse a value by an error of its own. */
function optionSchema({ wanted, read }: EndpointOption): v.GenericSchema {
  return v.pipe(
    v.unknown(),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
      try {
        const found = read(value);
        if (found !== undefined) return found;
      } catch {
        // Refused below.
      }
      addIssue({ message: wanted });
      return NEVER;
    }),
  );
}

function readEntry(
  name: string,
  value: unknown,
  { path, options, isOwn }: { readonly path: string; readonly options: EndpointOptionList; readonly isOwn: boolean },
): ModelEntry {
  const what = `model "${name}" in "${path}"`;
  if (name.startsWith("sim:")) {
    throw new TypeError(`Cannot read ${what} as its name must not begin with "sim:": current value is "${name}"`);
  }
  const keys = Object.entries(options).map(([property, option]): [string, v.GenericSchema] => {
    const key = property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [key, v.exactOptional(optionSchema(option))];
  });
  const place = (file: string): string => isAbsolute(file) ? file : join(dirname(path), file);
  const { chat_template: template } = isFields(value) ? value : {};
  const isTemplateFile = typeof template === "string" && isTemplatePath(template);
  if (isTemplateFile && !isOwn && isOutside(place(template), path)) {
    throw new TypeError(
      `Cannot read ${what} as chat_template must be in the folder of the models file, as that is neither in the project nor in your configuration, or left out and given by --chat-template: current value is "${template}"`,
    );
  }
  const placed = isTemplateFile ? { ...value as Fields, "chat_template": place(template) } : value;
  const read = readAs(closedObject({ ...OWN_KEYS, ...Object.fromEntries(keys) }), placed, { what });
  const { tokenizer, ...rest }: ModelEntry = Object.fromEntries(
    Object.entries(read).map(([key, each]) => [key.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase()), each]),
  );
  if (tokenizer === undefined) return rest;
  return { ...rest, tokenizer: isTokenizerName(tokenizer) ? tokenizer : place(tokenizer) };
}

/** Returns whether a Jinja file, whose whole text is sent with each prompt, is outside of the folder of a file of models. */
function isOutside(template: string, models: string): boolean {
  if (/\.json$/i.test(template)) return false;
  try {
    return !realpathSync(template).startsWith(`${realpathSync(dirname(models))}/`);
  } catch {
    // A missing file is refused when it is read.
    return false;
  }
}
