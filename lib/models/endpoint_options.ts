import { readTemplate, TEMPLATE_WANTED } from "./chat_templates.ts";
import { isFields, type ModelSettings } from "./reply.ts";
import { type ChatTemplate, type Knob, number, oneOf, PLAIN_TEMPLATE, text, whole } from "@/lib/generators/mod.ts";

/**
 * The declaration of an option; its type, check, default and error, its flag, its key in a model's entry, its field of the
 * request and its part of the record all come from this.
 */
export interface EndpointOption<Value = unknown> extends Pick<Knob, "wanted" | "help" | "aliases" | "choices"> {
  /** Its default; `undefined` where it can be left out. */
  readonly byDefault: Value | undefined;
  /** What its flag takes, such as `n`; a switch takes nothing. */
  readonly takes?: string | undefined;
  /** Its flag without dashes, if not its name. */
  readonly flag?: string;
  /** Whether a short help shows its flag. */
  readonly isCommon?: boolean;
  /** The field of the request that carries its value as it is, such as `top_p`. */
  readonly field?: string;
  /** Its name in records, if another; `false` where they leave it out. */
  readonly record?: string | false;
  /** Whether a value can contain a key, which records must not show. */
  readonly canHoldKeys?: boolean;
  /** Reads a value, as it is or as the text of a flag; `undefined` where it is not allowed. */
  read(value: unknown): Value | undefined;
  /** Adds the text of a flag that may be repeated to what the earlier ones gave. */
  collect?(text: string, before?: Value): Value;
  /** The value in a record, where it is not text, number or switch; `undefined` leaves it out. */
  toRecord?(value: Value | undefined): string | number | null | undefined;
}

/** Options by name. */
export type EndpointOptionList = Readonly<Record<string, EndpointOption>>;

/** How long a whole reply may take where nobody says, in seconds: one that shows that it goes on, and one that does not. */
export const REPLY_SECONDS = { streamed: 3600, atOnce: 600 } as const;

const SEEDS = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

/** Every option of an endpoint. A new one is one more entry here, and nothing else. */
export const ENDPOINT_OPTIONS = {
  api: option(oneOf(["chat", "completions"], "which interface to use"), { takes: "kind" }),
  chatTemplate: option({
    wanted: TEMPLATE_WANTED,
    help:
      "chat template for completions, or extra words for a chat: a name, a model's file, or a text with {task_template}",
    aliases: ["template"],
    byDefault: PLAIN_TEMPLATE,
    read: readTemplate,
    toRecord: (template?: ChatTemplate) => template?.name,
  }, { takes: "name", record: "template", isCommon: true }),
  // Its flag cannot be its name: `--system-message` is a knob of the prompt-dependence tests.
  systemMessage: option(text("a system message, for a chat"), {
    takes: "text",
    flag: "system",
    record: "system",
    isCommon: true,
  }),
  answerPrefix: option(
    oneOf(
      ["appended", "assistant", "none"],
      "where the start of the answer goes: at the end of the prompt, in an assistant message, or nowhere",
    ),
    {
      takes: "place",
    },
  ),
  continueFlags: option(onOff("ask vLLM, SGLang or llama.cpp to continue the assistant's message")),
  temperature: option({
    wanted: "in [0, 2], or null to leave it out",
    help: "in [0, 2], or none to leave it out, for models that refuse it",
    ...{ aliases: [], byDefault: 0 },
    read: readTemperature,
  }, { takes: "number", field: "temperature", isCommon: true }),
  topP: option(number({ above: 0, to: 1 }, "nucleus sampling, above 0 and at most 1"), {
    takes: "number",
    field: "top_p",
  }),
  seed: option(whole(SEEDS, "the server's own sampling seed"), { takes: "n", flag: "sampling-seed", field: "seed" }),
  stop: option({
    wanted: "a list of texts",
    // No default for base models: RULER has none, and a stop text before the answer loses it.
    help:
      "texts to stop at, separated by |; most servers take four at most. None by default, for base models too: their first answer is found in the whole reply. A line break and Question: save tokens where no reply begins with them",
    aliases: [],
    byDefault: [],
    read: readTexts,
    toRecord: (stop: readonly string[] = []) => stop.length === 0 ? null : JSON.stringify(stop),
  }, { takes: "texts", field: "stop" }),
  maxTokens: option({
    ...whole({ from: 1, to: 10_000_000 }, "output budget without thinking (default: the task's answer room)"),
    toRecord: (tokens?: number) => tokens ?? "answer room",
  }, { takes: "n", isCommon: true }),
  thinkingTokens: option(
    whole({ from: 0, to: 10_000_000, byDefault: 0 }, "tokens added to the output budget, for models that think"),
    { takes: "n" },
  ),
  thinkingInLength: option(
    onOff("shorten prompts by the thinking tokens, so that both fit the length", { aliases: ["thinking-inside"] }),
    { record: "thinkingInside" },
  ),
  budgetField: option(
    oneOf(
      ["max_tokens", "max_completion_tokens"],
      "field for the output budget; OpenAI's thinking models need max_completion_tokens",
    ),
    { takes: "name" },
  ),
  templateTokens: option(
    whole(
      { from: 0, to: 100_000 },
      "tokens that the server's own chat template adds, by which prompts are shortened (default: what the look before a chat's first question measures)",
    ),
    { takes: "n" },
  ),
  extraBody: option({
    wanted: "a JSON object",
    help: "further fields of the request, as a JSON object",
    aliases: [],
    byDefault: {},
    read: readObject,
    toRecord: (fields: Readonly<Record<string, unknown>> = {}) =>
      Object.keys(fields).length === 0 ? null : JSON.stringify(fields),
  }, { takes: "json", canHoldKeys: true }),
  headers: option({
    wanted: "names with values",
    help:
      "a further header, repeatable; better keep secrets, such as Azure's api-key, in OPENAI_CUSTOM_HEADERS, one a line",
    aliases: [],
    byDefault: {},
    read: readHeaders,
    collect: (line: string, before: RequestHeaders = {}) => ({ ...before, ...parseHeaders(line) }),
    // Values are as secret as a key. Left out where there are no headers, so that runs from before headers resume.
    toRecord: (headers: RequestHeaders = {}) => Object.keys(headers).sort().join(", ") || undefined,
  }, { takes: "name:value", flag: "header" }),
  stream: option(
    oneOf(
      ["auto", "on", "off"],
      "read replies as a stream, so that long ones are not lost; auto: where the server streams them with counts of tokens",
    ),
    { takes: "when", record: false },
  ),
  connectSeconds: option(
    number({ from: 0.001, to: 86_400, byDefault: 30 }, "time limit until a server takes a connection"),
    { takes: "seconds", flag: "connect-timeout", record: false },
  ),
  timeoutSeconds: option(
    number(
      { from: 0.001, to: 86_400 },
      `time limit for one whole reply (default: ${REPLY_SECONDS.streamed}, or ${REPLY_SECONDS.atOnce} without a stream)`,
    ),
    { takes: "seconds", flag: "timeout", record: false },
  ),
  firstTokenSeconds: option(
    number({ from: 0.001, to: 86_400, byDefault: 600 }, "time limit until a streamed reply begins"),
    { takes: "seconds", flag: "first-token-timeout", record: false },
  ),
  silenceSeconds: option(
    number({ from: 0.001, to: 86_400, byDefault: 120 }, "time limit between two parts of a streamed reply"),
    { takes: "seconds", flag: "silence-timeout", record: false },
  ),
  attempts: option(
    whole(
      { from: 1, to: 100, byDefault: 5 },
      "how often a question is sent at most, if the server fails on it",
    ),
    { takes: "n", record: false },
  ),
  maxRetryWaitSeconds: option(
    number(
      { from: 0, to: 86_400, byDefault: 120 },
      "longest wait before a retry; give up if the server asks for a longer one",
      {
        aliases: ["longest-wait"],
      },
    ),
    { takes: "seconds", flag: "max-retry-wait", record: false },
  ),
  patienceSeconds: option(
    number(
      { from: 0, to: 604_800, byDefault: 600 },
      "how long a question waits in all while the server is busy (429, 503) or away, before it counts as failed",
    ),
    { takes: "seconds", flag: "patience", record: false },
  ),
  requestsPerMinute: option(
    number({ above: 0, to: 1_000_000 }, "the most requests begun in a minute", { aliases: ["rpm"] }),
    { takes: "n", record: false },
  ),
  tokensPerMinute: option(
    number({ above: 0, to: 1e12 }, "the most tokens a minute, prompts and budgets together", { aliases: ["tpm"] }),
    { takes: "n", record: false },
  ),
};

/** The values of options by name; one without a default can be `undefined`. */
export type EndpointSettings = {
  readonly [N in keyof typeof ENDPOINT_OPTIONS]:
    | Exclude<ReturnType<(typeof ENDPOINT_OPTIONS)[N]["read"]>, undefined>
    | (typeof ENDPOINT_OPTIONS[N]["byDefault"] & undefined);
};

/** An endpoint's options with every default applied. */
export interface CheckedOptions extends EndpointSettings {
  readonly model: string;
  readonly templateTokens: number;
}

/** How {@linkcode openEndpoint} asks a model: any of {@linkcode ENDPOINT_OPTIONS}, and the following. */
export interface EndpointOptions extends Partial<EndpointSettings> {
  /**
   * The part of the address before `/chat/completions` or `/completions`, such as `http://127.0.0.1:8000/v1`.
   *
   * A name and password in it are sent as basic authorization instead of the key, and shown nowhere.
   */
  readonly baseUrl: string;
  /** The model, as the server calls it; replies of one that begins with `sim:` count as simulated. */
  readonly model: string;
  /** The key, sent as a header; it is in no setting and no message. */
  readonly apiKey?: string;
  /**
   * Its name in records and figures.
   *
   * @default {model}
   */
  readonly name?: string;
  /**
   * Whether another server can take its questions: then none waits for a server that is away.
   *
   * @default {() => false}
   */
  readonly canLeave?: () => boolean;
  /**
   * Waits between attempts.
   *
   * @default {a timer}
   */
  readonly delay?: Delay;
  /**
   * Draws from [0, 1), to spread waits; no answer depends on it.
   *
   * @default {Math.random}
   */
  readonly random?: () => number;
}

/** Waits before a request is sent again; ends early when the signal does. */
export type Delay = (milliseconds: number, signal?: AbortSignal) => Promise<unknown>;

/** Applies the defaults of an endpoint's options, and refuses values that are not allowed, alone or together. */
export function checkOptions(
  options: EndpointOptions,
  { isOpenai, list = ENDPOINT_OPTIONS }: { readonly isOpenai: boolean; readonly list?: EndpointOptionList },
): CheckedOptions {
  const { model, name } = options;
  if (model.trim() === "") throw refuse("model", "a name", model);
  if (name?.startsWith("sim:") && !model.startsWith("sim:")) {
    throw refuse("name", 'one that does not begin with "sim:", as only the simulated reader\'s do', name);
  }
  const read = readOptions(options, list);
  checkTogether(read, list);
  const { api, systemMessage, answerPrefix, templateTokens } = read;
  const messages = 1 + (systemMessage === undefined ? 0 : 1) + (answerPrefix === "assistant" ? 1 : 0);
  // OpenAI's cookbook: 3 tokens and a role of 1 for each message, and 3 that begin the reply.
  return { ...read, model, templateTokens: templateTokens ?? (isOpenai && api === "chat" ? 4 * messages + 3 : 0) };
}

/** Reads each option of a list, or takes its default. */
function readOptions(given: object, list: EndpointOptionList): EndpointSettings {
  const values = Object.entries(list).map(([name, { read, byDefault, wanted }]) => {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    const checked = value === undefined ? byDefault : read(value);
    if (value !== undefined && checked === undefined) throw refuse(optionWords(name), wanted, value);
    return [name, checked];
  });
  return Object.fromEntries(values);
}

/** The name of an option in an error: `max tokens`. */
function optionWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Fields of the request that `extraBody` may not set: they would change what a reply is, or have an option. */
const OWN_FIELDS: readonly string[] = [
  "model",
  "messages",
  "prompt",
  "stream",
  "stream_options",
  "n",
  "echo",
  "max_tokens",
  "max_completion_tokens",
  "continue_final_message",
  "add_generation_prompt",
];

/** Refuses options that exclude each other. */
function checkTogether(options: EndpointSettings, list: EndpointOptionList): void {
  const { api, chatTemplate, answerPrefix, systemMessage, budgetField, continueFlags, extraBody } = options;
  if (api === "completions" && answerPrefix === "assistant") {
    throw refuse("answer prefix", '"appended" or "none" for completions', answerPrefix);
  }
  if (api === "completions" && systemMessage !== undefined && chatTemplate.withSystem === undefined) {
    throw refuse("system message", "left out for completions, unless their template has {system}", systemMessage);
  }
  if (api === "completions" && budgetField !== "max_tokens") {
    throw refuse("budget field", '"max_tokens" for completions', budgetField);
  }
  if (continueFlags && answerPrefix !== "assistant") {
    throw refuse("answer prefix", '"assistant" where the continue flags are sent', answerPrefix);
  }
  const own = [...OWN_FIELDS, ...Object.values(list).map(({ field }) => field)];
  for (const field of Object.keys(extraBody)) {
    if (own.includes(field)) throw refuse("extra field", "none that has an option of its own", field);
  }
}

function refuse(name: string, wanted: string, value: unknown): RangeError {
  return new RangeError(
    `Cannot open the endpoint as ${name} must be ${wanted}: current value is ${JSON.stringify(value)}`,
  );
}

/** What a record keeps of options: what shapes the answers, and nothing about waiting and retries. */
export function recordOptions(
  options: CheckedOptions,
  { redact, list = ENDPOINT_OPTIONS }: {
    readonly redact: (text: string) => string;
    readonly list?: EndpointOptionList;
  },
): ModelSettings {
  const kept = Object.entries(list).flatMap(([name, { record = name, toRecord, canHoldKeys }]) => {
    if (record === false) return [];
    const value: unknown = options[name as keyof CheckedOptions];
    const setting = toRecord ? toRecord(value) : (value ?? null) as string | number | boolean | null;
    if (setting === undefined) return [];
    return [[record, canHoldKeys && typeof setting === "string" ? redact(setting) : setting]];
  });
  return { model: options.model, ...Object.fromEntries(kept) };
}

/** What a record keeps of the options by default: what a run asked with from before one existed. */
export function defaultSettings(list: EndpointOptionList = ENDPOINT_OPTIONS): ModelSettings {
  const defaults = Object.fromEntries(Object.entries(list).map(([name, { byDefault }]) => [name, byDefault]));
  return recordOptions({ ...defaults, model: "" } as CheckedOptions, { redact: (text) => text, list });
}

/** The fields of a request that options set directly; those without a value are left out. */
export function requestFields(
  options: CheckedOptions,
  list: EndpointOptionList = ENDPOINT_OPTIONS,
): Readonly<Record<string, unknown>> {
  const fields = Object.entries(list).flatMap(([name, { field }]) => {
    const value = options[name as keyof CheckedOptions] ?? null;
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    return field === undefined || isEmpty ? [] : [[field, value]];
  });
  return Object.fromEntries(fields);
}

/** Joins the declaration of a value with that of its option. */
function option<Value, Default extends Value | undefined>(
  value: Omit<EndpointOption<Value>, "byDefault"> & { readonly byDefault: Default },
  details: Omit<Partial<EndpointOption>, "byDefault" | "read" | "toRecord" | "collect"> = {},
): Omit<EndpointOption<Value>, "byDefault"> & { readonly byDefault: Default } {
  return { ...value, ...details };
}

function onOff(
  help: string,
  { aliases = [] }: { readonly aliases?: readonly string[] } = {},
): Omit<EndpointOption<boolean>, "byDefault"> & { readonly byDefault: false } {
  const read = (value: unknown): boolean | undefined => typeof value === "boolean" ? value : undefined;
  return { wanted: "true or false", help, aliases, byDefault: false, read };
}

function readTemperature(value: unknown): number | null | undefined {
  return value === null || value === "none" ? null : number({ from: 0, to: 2 }, "").read(value);
}

function readTexts(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return value.split("|");
  return Array.isArray(value) && value.every((text) => typeof text === "string") ? value : undefined;
}

function readObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "string") return isFields(value) ? value : undefined;
  try {
    return readObject(JSON.parse(value) ?? undefined);
  } catch {
    return undefined;
  }
}

/** Headers that say how a request is made, which nobody may set. */
const FIXED: readonly string[] = [
  "accept",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "host",
  "transfer-encoding",
];

/** Further headers of every request, by names in lower case. */
type RequestHeaders = Readonly<Record<string, string>>;

/** Checks further headers. Their values are as secret as a key: no message shows them. */
function readHeaders(headers: unknown): RequestHeaders {
  if (!isFields(headers)) {
    throw new TypeError("Cannot open the endpoint as headers must be names with values: current value is not shown");
  }
  const checked = Object.entries(headers).map(([name, value]): [string, string] => {
    const plain = name.trim().toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(plain) || FIXED.includes(plain)) {
      throw new RangeError(
        `Cannot open the endpoint as the name of a header must be one such as api-key, and none of ${
          FIXED.join(", ")
        }: current value is ${JSON.stringify(name)}`,
      );
    }
    const text = typeof value === "string" ? value.trim() : "";
    if (!/^[\x20-\x7e]+$/.test(text)) {
      throw new TypeError(
        `Cannot open the endpoint as header ${plain} must be of visible ASCII characters: current value is not shown`,
      );
    }
    return [plain, text];
  });
  return Object.fromEntries(checked);
}

/**
 * Reads headers from text, one `name: value` a line, as in `OPENAI_CUSTOM_HEADERS`.
 *
 * @throws {SyntaxError} If a line is no header.
 */
export function parseHeaders(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(lines.map((line): [string, string] => {
    const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name && value) return [name.toLowerCase(), value];
    throw new SyntaxError(
      "Cannot read the headers as each line must be a name, a colon and a value: current value is not shown",
    );
  }));
}
