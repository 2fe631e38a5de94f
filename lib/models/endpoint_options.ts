import { type Fields, isFields } from "@/lib/base/mod.ts";
import { readTemplate, TEMPLATE_WANTED } from "./chat_templates.ts";
import { parseHeaders, readHeaders, refuseOption, type RequestHeaders } from "./address.ts";
import { type ProtocolName, PROTOCOLS } from "./protocols/protocols.ts";
import type { Protocol } from "./protocols/protocol.ts";
import { parseJson } from "./json.ts";
import type { ModelSettings } from "./reply.ts";
import type { ChatTemplate, Knob, NumberRange } from "@/lib/generators/mod.ts";
import { number, oneOf, PLAIN_TEMPLATE, text, whole } from "@/lib/generators/mod.ts";

/** The declaration of an option: its type, check, default, error, flag, key in a model's entry, request field and record. */
export interface EndpointOption<Value = unknown> extends Pick<Knob, "wanted" | "help" | "choices"> {
  /** `undefined` if it can be left out. */
  readonly byDefault: Value | undefined;
  /** The placeholder of its flag's value, such as `n`; a switch has none. */
  readonly takes?: string | undefined;
  /** If not its name. */
  readonly flag?: string;
  /** Whether the short help lists it. */
  readonly isCommon?: boolean;
  /** The request field that carries its value unchanged, such as `top_p`. */
  readonly field?: string;
  /** Its name in records, if another; `false` if no record keeps it, as no answer depends on it. */
  readonly record?: string | false;
  /** Whether a value can contain a key, which records redact. */
  readonly canHoldKeys?: boolean;
  /** Reads a value, typed or as the text of a flag; `undefined` if it is not allowed. */
  read(value: unknown): Value | undefined;
  /** Adds the text of a repeatable flag to the value so far. */
  collect?(text: string, before?: Value): Value;
  /** Returns the recorded value, if it is no text, number or switch; `undefined` leaves it out. */
  toRecord?(value: Value | undefined): string | number | null | undefined;
}

/** Options by name. */
export type EndpointOptionList = Readonly<Record<string, EndpointOption>>;

/** Default reply timeout in seconds: streamed, not streamed. */
export const REPLY_SECONDS = { streamed: 3600, atOnce: 600 } as const;

const MAX_BUDGET = 10_000_000;
const SEEDS = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };
const UNRECORDED = { takes: "n", record: false } as const;

/** Efforts of reasoning models; each provider takes some of them. */
const EFFORTS: readonly string[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** Every option of an endpoint. A new option is one more entry here. */
export const ENDPOINT_OPTIONS = {
  api: { ...oneOf(Object.keys(PROTOCOLS) as ProtocolName[], "the API that the server offers"), takes: "name" },
  chatTemplate: {
    wanted: TEMPLATE_WANTED,
    help: "chat template of completions, or text around a chat's prompt: name, file, or text with {task_template}",
    byDefault: PLAIN_TEMPLATE,
    read: readTemplate,
    toRecord: (template?: ChatTemplate) => template?.name,
    takes: "name",
    record: "template",
    isCommon: true,
  },
  systemMessage: { ...text("system message"), takes: "text", flag: "system", record: "system", isCommon: true },
  answerPrefix: { ...oneOf(["appended", "assistant", "none"], "place of the start of the answer"), takes: "place" },
  continueFlags: onOff("ask vLLM, SGLang or llama.cpp to continue the assistant's message"),
  temperature: {
    wanted: "in [0, 2], or null to leave it out",
    help: "in [0, 2]; none leaves it out, for models that refuse it",
    byDefault: 0,
    read: readTemperature,
    takes: "number",
    field: "temperature",
    isCommon: true,
  },
  topP: { ...number({ above: 0, to: 1 }, "nucleus sampling, above 0 and at most 1"), takes: "number", field: "top_p" },
  seed: { ...whole(SEEDS, "sampling seed of the server"), takes: "n", flag: "sampling-seed", field: "seed" },
  stop: {
    wanted: "a list of texts",
    // No default for base models: RULER has none, and a stop text before the answer loses it.
    help: "stop sequences, separated by |; most servers accept four",
    byDefault: [],
    read: readTexts,
    toRecord: (stop: readonly string[] = []) => stop.length === 0 ? null : JSON.stringify(stop),
    takes: "texts",
    field: "stop",
  },
  maxTokens: {
    ...whole({ from: 1, to: MAX_BUDGET }, "output budget without thinking (default: the task's answer room)"),
    toRecord: (tokens?: number) => tokens ?? "answer room",
    takes: "n",
    isCommon: true,
  },
  thinkingTokens: {
    ...whole({ from: 0, to: MAX_BUDGET, byDefault: 0 }, "tokens for thinking, added to the output budget"),
    takes: "n",
  },
  reasoning: {
    wanted: `an effort (${EFFORTS.join(", ")}) or a whole number of tokens`,
    help: `effort (${EFFORTS.join(", ")}), also set --thinking-tokens; or a budget in tokens, for anthropic`,
    byDefault: undefined,
    read: readReasoning,
    // Left out if not set, so that runs from before this option resume.
    toRecord: (value?: string | number) => value,
    takes: "effort",
  },
  thinkingInLength: {
    ...onOff("shorten prompts by the thinking tokens, so that both fit the length"),
    record: "thinkingInside",
  },
  templateTokens: {
    ...whole({ from: 0, to: 100_000 }, "tokens of the server's chat template, off each length (default: measured)"),
    takes: "n",
  },
  // Recorded in the template of the run's manifest.
  messageTokens: { ...number({ from: 0, to: 1000 }, "template tokens of each further message"), ...UNRECORDED },
  extraBody: {
    wanted: "a JSON object",
    help: "additional fields of the request, as a JSON object",
    byDefault: {},
    read: readObject,
    toRecord: (fields: Fields = {}) => Object.keys(fields).length === 0 ? null : JSON.stringify(fields),
    takes: "json",
    canHoldKeys: true,
  },
  headers: {
    wanted: "names with values",
    help: "additional header, repeatable; keep secrets such as Azure's api-key in OPENAI_CUSTOM_HEADERS, one per line",
    byDefault: {},
    read: readHeaders,
    collect: (line: string, before: RequestHeaders = {}) => ({ ...before, ...parseHeaders(line) }),
    // Values are as secret as a key. Left out if there are none, so that runs from before this option resume.
    toRecord: (headers: RequestHeaders = {}) => Object.keys(headers).sort().join(", ") || undefined,
    takes: "name:value",
    flag: "header",
  },
  stream: {
    ...oneOf(["auto", "on", "off"], "stream replies, so that long ones are not lost; auto: if they have token counts"),
    takes: "when",
    record: false,
  },
  timeoutSeconds: seconds("timeout", "time limit for a reply (default: 3600, or 600 without a stream)", undefined),
  firstTokenSeconds: seconds("first-token-timeout", "time limit until a streamed reply begins", 600),
  silenceSeconds: seconds("silence-timeout", "time limit between parts of a streamed reply", 120),
  attempts: { ...whole({ from: 1, to: 100, byDefault: 5 }, "maximum attempts of a request"), ...UNRECORDED },
  patienceSeconds: seconds("patience", "total wait of a request while the server is busy or unreachable", 600, {
    from: 0,
    to: 604_800,
  }),
  requestsPerMinute: { ...number({ above: 0, to: 1_000_000 }, "maximum requests per minute"), ...UNRECORDED },
  tokensPerMinute: { ...number({ above: 0, to: 1e12 }, "maximum tokens per minute, with budgets"), ...UNRECORDED },
} as const;

const OPTIONS = Object.entries<EndpointOption>(ENDPOINT_OPTIONS);

/** The values of options by name; one without a default can be `undefined`. */
export type EndpointSettings = {
  readonly [N in keyof typeof ENDPOINT_OPTIONS]:
    | Exclude<ReturnType<(typeof ENDPOINT_OPTIONS)[N]["read"]>, undefined>
    | (typeof ENDPOINT_OPTIONS[N]["byDefault"] & undefined);
};

/** The options of an endpoint with every default applied. */
export interface CheckedOptions extends EndpointSettings {
  readonly model: string;
  readonly protocol: Protocol;
  readonly templateTokens: number;
  /** The field of the output budget. */
  readonly budgetField: string;
}

/** How an endpoint asks a model: any of {@linkcode ENDPOINT_OPTIONS}, and the following. */
export interface EndpointOptions extends Partial<EndpointSettings> {
  /** The address without the path of the API. */
  readonly baseUrl: string;
  /** The model's name at the server; replies of a model whose name begins with `sim:` count as simulated. */
  readonly model: string;
  /** No setting and no message contains it. */
  readonly apiKey?: string;
  /** Its name in records and figures; the model's if left out. */
  readonly name?: string;
  /** A timer if left out. */
  readonly delay?: Delay;
  /** The time, in milliseconds; `performance.now` if left out. */
  readonly now?: () => number;
  /** Draws from [0, 1), to spread waits; `Math.random` if left out. */
  readonly random?: () => number;
}

/** Waits before a request is sent again; ends early when the signal does. */
export type Delay = (milliseconds: number, signal?: AbortSignal) => Promise<unknown>;

/** Applies the defaults of an endpoint's options, and refuses values that are not allowed, alone or together. */
export function checkOptions(options: EndpointOptions, { isOpenai }: { readonly isOpenai: boolean }): CheckedOptions {
  const { model, name } = options;
  if (model.trim() === "") throw refuseOption("model", "a name", model);
  if (name?.startsWith("sim:") && !model.startsWith("sim:")) {
    throw refuseOption("name", 'one that does not begin with "sim:", as only the simulated reader\'s do', name);
  }
  const read = readOptions(options);
  const protocol: Protocol = PROTOCOLS[read.api];
  checkTogether(read, protocol);
  const { systemMessage, answerPrefix, reasoning } = read;
  const messages = 1 + (systemMessage === undefined ? 0 : 1) + (answerPrefix === "assistant" ? 1 : 0);
  // OpenAI's cookbook: 3 tokens and a role of 1 for each message, and 3 that begin the reply.
  const perMessage = isOpenai && protocol.hasChatTemplate ? 4 : 0;
  const { templateTokens = perMessage && perMessage * messages + 3, messageTokens = perMessage } = read;
  const budgetField = protocol.budgetFields.at(reasoning === undefined ? 0 : -1)!;
  return { ...read, model, protocol, budgetField, templateTokens, messageTokens };
}

function readOptions(options: EndpointOptions): EndpointSettings {
  const { reasoning, temperature = null, thinkingTokens = Number(reasoning) || undefined } = options;
  // Reasoning models refuse a temperature, and a token budget is part of the output budget.
  const given: object = reasoning === undefined ? options : { ...options, temperature, thinkingTokens };
  return Object.fromEntries(OPTIONS.map(([name, { read, byDefault, wanted }]) => {
    const value = (given as Fields)[name];
    const checked = value === undefined ? byDefault : read(value);
    if (value !== undefined && checked === undefined) throw refuseOption(optionWords(name), wanted, value);
    return [name, checked];
  })) as EndpointSettings;
}

/** Returns the name of an option in an error, such as `max tokens`. */
function optionWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Request fields that `extraBody` may not set, as they change what a reply is or have an option. */
const OWN_FIELDS: readonly string[] = [
  ...["model", "messages", "prompt", "input", "instructions", "system", "stream", "stream_options", "n", "echo"],
  ...["max_tokens", "max_completion_tokens", "max_output_tokens", "continue_final_message", "add_generation_prompt"],
];

/** Refuses options that exclude each other, or that the protocol lacks. */
function checkTogether(options: EndpointSettings, protocol: Protocol): void {
  const { api, chatTemplate, answerPrefix, systemMessage, reasoning, continueFlags, extraBody } = options;
  if (answerPrefix === "assistant" && !protocol.takesAnswerPrefix) {
    throw refuseOption("answer prefix", `"appended" or "none" for ${api}`, answerPrefix);
  }
  if (systemMessage !== undefined && !protocol.hasChatTemplate && chatTemplate.withSystem === undefined) {
    throw refuseOption("system message", `left out for ${api}, unless their template has {system}`, systemMessage);
  }
  if (reasoning !== undefined && protocol.reasoning(reasoning) === undefined) {
    throw refuseOption("reasoning", `${protocol.reasoningValues} for ${api}`, reasoning);
  }
  if (continueFlags && (answerPrefix !== "assistant" || protocol.continueFields === undefined)) {
    throw refuseOption("answer prefix", '"assistant" in a chat if the continue flags are sent', answerPrefix);
  }
  const missing = fieldsOfOptions(options).find(({ field }) => protocol.fieldNames[field] === null);
  if (missing !== undefined) {
    throw refuseOption(optionWords(missing.name), `left out for ${api}, which has no such field`, missing.value);
  }
  const own = [...OWN_FIELDS, ...OPTIONS.map(([, { field }]) => field)];
  const extra = Object.keys(extraBody).find((field) => own.includes(field));
  if (extra !== undefined) throw refuseOption("extra field", "none that has an option of its own", extra);
}

/** Lists the options with a value that a request field carries. */
function fieldsOfOptions(
  options: EndpointSettings | CheckedOptions,
): readonly { readonly name: string; readonly field: string; readonly value: unknown }[] {
  return OPTIONS.flatMap(([name, { field }]) => {
    const value: unknown = options[name as keyof typeof options] ?? null;
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    return field === undefined || isEmpty ? [] : [{ name, field, value }];
  });
}

/** Returns the recorded options: those that shape answers, without waits and retries. */
export function recordOptions(options: CheckedOptions, redact: (text: string) => string): ModelSettings {
  const kept = OPTIONS.flatMap(([name, { record = name, toRecord, canHoldKeys }]) => {
    if (record === false) return [];
    const value: unknown = options[name as keyof CheckedOptions];
    const setting = toRecord ? toRecord(value) : (value ?? null) as string | number | boolean | null;
    if (setting === undefined) return [];
    return [[record, canHoldKeys && typeof setting === "string" ? redact(setting) : setting]];
  });
  return { model: options.model, budgetField: options.budgetField, ...Object.fromEntries(kept) };
}

/** Returns the recorded options with their defaults, which a run from before an option existed used. */
export function defaultSettings(): ModelSettings {
  const defaults = Object.fromEntries(OPTIONS.map(([name, { byDefault }]) => [name, byDefault]));
  return recordOptions({ ...defaults, model: "", budgetField: "max_tokens" } as CheckedOptions, (text) => text);
}

/** Returns the request fields that carry options; those without a value are left out. */
export function requestFields(options: CheckedOptions): Fields {
  const { protocol, reasoning, continueFlags, extraBody } = options;
  return {
    ...Object.fromEntries(
      fieldsOfOptions(options).map(({ field, value }) => [protocol.fieldNames[field] ?? field, value]),
    ),
    ...(reasoning !== undefined && protocol.reasoning(reasoning)),
    ...(continueFlags && protocol.continueFields),
    ...extraBody,
  };
}

/** An option whose default has a type of its own. */
type Declared<Value, Default> = Omit<EndpointOption<Value>, "byDefault"> & { readonly byDefault: Default };

function onOff(help: string): Declared<boolean, false> {
  const read = (value: unknown): boolean | undefined => typeof value === "boolean" ? value : undefined;
  return { wanted: "true or false", help, byDefault: false, read };
}

/** Declares a time limit. */
function seconds<Default extends number | undefined>(
  flag: string,
  help: string,
  byDefault: Default,
  { from = 0.001, to = 86_400 }: Partial<NumberRange> = {},
): Declared<number, Default> {
  return { ...number({ from, to, byDefault }, help), takes: "seconds", flag, record: false };
}

function readTemperature(value: unknown): number | null | undefined {
  return value === null || value === "none" ? null : number({ from: 0, to: 2 }, "").read(value);
}

/** An effort, or a budget in tokens. */
function readReasoning(value: unknown): string | number | undefined {
  if (EFFORTS.includes(String(value))) return String(value);
  const tokens = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isInteger(tokens) && Number(tokens) > 0 ? tokens as number : undefined;
}

function readTexts(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return value.split("|");
  return Array.isArray(value) && value.every((text) => typeof text === "string") ? value : undefined;
}

function readObject(value: unknown): Fields | undefined {
  const fields = typeof value === "string" ? parseJson(value) : value;
  return isFields(fields) ? fields : undefined;
}
