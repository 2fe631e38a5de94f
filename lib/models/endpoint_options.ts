import type { PrefixPlace } from "./render.ts";
import { type ChatTemplate, PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";

/** Waits before a request is sent again; ends early when the signal does. */
export type Delay = (milliseconds: number, signal?: AbortSignal) => Promise<unknown>;

/** How {@linkcode openEndpoint} asks a model. */
export interface EndpointOptions {
  /**
   * The part of the address before `/chat/completions` or `/completions`, such as `http://127.0.0.1:8000/v1`.
   *
   * A name and password in it are sent as basic authorization in the place of the key, and shown nowhere.
   */
  readonly baseUrl: string;
  /** The model, as the server calls it; answers of one that begins with `sim:`, or that say so themselves, are kept as simulated. */
  readonly model: string;
  /** The key; many servers of one's own need none. It is sent as a header and stands in no setting and no message. */
  readonly apiKey?: string;
  /**
   * Further headers of every request, such as `{ "api-key": … }` for Azure. Their names stand in the record, what they hold
   * nowhere; one called `authorization` takes the place of the key's.
   *
   * @default {{}}
   */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * What the model is called in records and figures.
   *
   * @default {model}
   */
  readonly name?: string;
  /**
   * Which interface is asked.
   *
   * @default {"chat"}
   */
  readonly api?: "chat" | "completions";
  /**
   * What stands round the prompt: a chat template for completions ({@linkcode chatTemplate}), or further words for a chat.
   *
   * @default {PLAIN_TEMPLATE}
   */
  readonly template?: ChatTemplate;
  /** A system message. Chat only. */
  readonly system?: string;
  /**
   * Where the answer prefix goes. Completions have it after the template.
   *
   * @default {"appended"}
   */
  readonly answerPrefix?: PrefixPlace;
  /**
   * Whether `continue_final_message: true` and `add_generation_prompt: false` go with an answer prefix of the assistant's:
   * vLLM, SGLang and newer llama.cpp want them, other servers refuse them.
   *
   * @default {false}
   */
  readonly continueFlags?: boolean;
  /**
   * Texts at which the model stops, at most four on most servers.
   *
   * @default {[]}
   */
  readonly stop?: readonly string[];
  /**
   * Temperature, in [0, 2]; `null` leaves it out, for models that refuse any.
   *
   * @default {0}
   */
  readonly temperature?: number | null;
  /** Nucleus sampling, in (0, 1]; left out unless given. */
  readonly topP?: number;
  /** The server's sampling seed; left out unless given. */
  readonly seed?: number;
  /** Output budget, in tokens, without thinking; the sample's answer room unless given. */
  readonly maxTokens?: number;
  /**
   * Tokens added to the output budget for a model that thinks before it answers.
   *
   * @default {0}
   */
  readonly thinkingTokens?: number;
  /**
   * Whether prompts are made shorter by the thinking tokens, so that both fit the sample's length. As a rule they are not: a
   * length then means as much text for a model that thinks as for one that does not, and the window must be larger than the
   * length by the thinking tokens.
   *
   * @default {false}
   */
  readonly thinkingInside?: boolean;
  /**
   * The field that carries the output budget: OpenAI's thinking models know only the second.
   *
   * @default {"max_tokens"}
   */
  readonly budgetField?: "max_tokens" | "max_completion_tokens";
  /**
   * Tokens that the server's own template adds; prompts are made shorter by as many. For chats with api.openai.com 4 for each
   * message and 3 for the start of the reply (OpenAI's cookbook: 3 a message, 1 for its role, 3 to prime the reply), elsewhere
   * 0 unless given, as each model's template is another.
   */
  readonly templateTokens?: number;
  /**
   * Further fields of the request, such as `{ reasoning_effort: "low" }`; none that has an option here.
   *
   * @default {{}}
   */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /**
   * Time for one whole reply, in milliseconds. Range: 1 to a day. A request that takes longer is not sent again.
   *
   * @default {600000}
   */
  readonly timeoutMs?: number;
  /**
   * How often one question is sent at most, from 1 to 100. It is sent again after rate limits, errors of the server's own and
   * broken connections alone.
   *
   * @default {5}
   */
  readonly attempts?: number;
  /**
   * The longest wait before a question is sent again, in milliseconds; a server that asks for more is not asked again.
   *
   * @default {120000}
   */
  readonly longestWaitMs?: number;
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

/** An endpoint's options with every default applied. */
export interface CheckedOptions {
  readonly model: string;
  readonly api: "chat" | "completions";
  readonly template: ChatTemplate;
  readonly system: string | undefined;
  readonly answerPrefix: PrefixPlace;
  readonly continueFlags: boolean;
  readonly temperature: number | null;
  readonly topP: number | undefined;
  readonly seed: number | undefined;
  readonly stop: readonly string[];
  readonly maxTokens: number | undefined;
  readonly thinkingTokens: number;
  readonly thinkingInside: boolean;
  readonly budgetField: "max_tokens" | "max_completion_tokens";
  readonly templateTokens: number;
  readonly extraBody: Readonly<Record<string, unknown>>;
  readonly headers: RequestHeaders;
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly longestWaitMs: number;
}

/** Fields that options of their own set, or that would change what a reply is. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "prompt",
  "stream",
  "n",
  "echo",
  "temperature",
  "top_p",
  "seed",
  "stop",
  "max_tokens",
  "max_completion_tokens",
  "continue_final_message",
  "add_generation_prompt",
]);

/** Applies the defaults of an endpoint's options, and refuses what cannot be meant. */
export function checkOptions(options: EndpointOptions, isOpenai: boolean): CheckedOptions {
  const checked = applyDefaults(options, isOpenai);
  const { model, api, answerPrefix, system, budgetField, extraBody } = checked;
  if (model.trim() === "") throw refuse("model", "a name", model);
  if (options.name?.startsWith("sim:") && !model.startsWith("sim:")) {
    throw refuse("name", 'one that does not begin with "sim:", as only the simulated reader\'s do', options.name);
  }
  if (api === "completions" && answerPrefix === "assistant") {
    throw refuse("answer prefix", '"appended" or "none" for completions', answerPrefix);
  }
  if (api === "completions" && system !== undefined) {
    throw refuse("system message", "left out for completions, or part of their template", system);
  }
  if (api === "completions" && budgetField !== "max_tokens") {
    throw refuse("budget field", '"max_tokens" for completions', budgetField);
  }
  if (checked.continueFlags && answerPrefix !== "assistant") {
    throw refuse("answer prefix", '"assistant" where the continue flags are sent', answerPrefix);
  }
  for (const field of Object.keys(extraBody)) {
    if (OWN_FIELDS.has(field)) throw refuse("extra field", "none that has an option of its own", field);
  }
  checkRanges(checked);
  return checked;
}

function applyDefaults(options: EndpointOptions, isOpenai: boolean): CheckedOptions {
  const { api = "chat", answerPrefix = "appended", system } = options;
  const messages = 1 + (system === undefined ? 0 : 1) + (answerPrefix === "assistant" ? 1 : 0);
  return {
    model: options.model,
    api,
    template: options.template ?? PLAIN_TEMPLATE,
    system,
    answerPrefix,
    continueFlags: options.continueFlags ?? false,
    temperature: options.temperature === undefined ? 0 : options.temperature,
    topP: options.topP,
    seed: options.seed,
    stop: options.stop ?? [],
    maxTokens: options.maxTokens,
    thinkingTokens: options.thinkingTokens ?? 0,
    thinkingInside: options.thinkingInside ?? false,
    budgetField: options.budgetField ?? "max_tokens",
    // OpenAI's cookbook: 3 tokens and a role of 1 for each message, and 3 that begin the reply.
    templateTokens: options.templateTokens ?? (isOpenai && api === "chat" ? 4 * messages + 3 : 0),
    extraBody: options.extraBody ?? {},
    headers: checkHeaders(options.headers),
    timeoutMs: options.timeoutMs ?? 600_000,
    attempts: options.attempts ?? 5,
    longestWaitMs: options.longestWaitMs ?? 120_000,
  };
}

function checkRanges(checked: CheckedOptions): void {
  const { temperature, topP, seed, maxTokens, thinkingTokens, templateTokens, timeoutMs, attempts, longestWaitMs } =
    checked;
  const whole = (name: string, value: number | undefined, least: number, most: number): void => {
    if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
    throw refuse(name, `a whole number from ${least} to ${most}`, value);
  };
  if (temperature !== null && !(temperature >= 0 && temperature <= 2)) {
    throw refuse("temperature", "in [0, 2], or null to leave it out", temperature);
  }
  if (topP !== undefined && !(topP > 0 && topP <= 1)) throw refuse("top_p", "in (0, 1]", topP);
  whole("seed", seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  whole("max tokens", maxTokens, 1, 10_000_000);
  whole("thinking tokens", thinkingTokens, 0, 10_000_000);
  whole("template tokens", templateTokens, 0, 100_000);
  whole("attempts", attempts, 1, 100);
  whole("timeout in milliseconds", timeoutMs, 1, 86_400_000);
  whole("longest wait in milliseconds", longestWaitMs, 0, 86_400_000);
}

function refuse(name: string, wanted: string, value: string | number): RangeError {
  return new RangeError(
    `Cannot open the endpoint as ${name} must be ${wanted}: current value is ${JSON.stringify(value)}`,
  );
}

/** Headers that say how a request is made, and are never one's own to set. */
const FIXED: ReadonlySet<string> = new Set([
  "accept",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "host",
  "transfer-encoding",
]);

/** Further headers of every request, by names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** Checks further headers. What they hold is as secret as a key: no message shows it. */
function checkHeaders(headers: Readonly<Record<string, string>> = {}): RequestHeaders {
  const checked = Object.entries(headers).map(([name, value]): [string, string] => {
    const plain = name.trim().toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(plain) || FIXED.has(plain)) {
      throw new RangeError(
        `Cannot open the endpoint as the name of a header must be one such as api-key, and none of ${
          [...FIXED].join(", ")
        }: current value is ${JSON.stringify(name)}`,
      );
    }
    if (!/^[\x20-\x7e]+$/.test(value.trim())) {
      throw new TypeError(
        `Cannot open the endpoint as header ${plain} must be of visible ASCII characters: current value is not shown`,
      );
    }
    return [plain, value.trim()];
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
    if (name !== undefined && value !== undefined && value !== "") return [name.toLowerCase(), value];
    throw new SyntaxError(
      "Cannot read the headers as each line must be a name, a colon and a value: current value is not shown",
    );
  }));
}
