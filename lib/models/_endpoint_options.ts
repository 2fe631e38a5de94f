import { BASE_FRAME, type Frame } from "@/lib/generators/mod.ts";
import { checkHeaders, type RequestHeaders } from "./_request_headers.ts";
import type { EndpointOptions } from "./endpoint_options.ts";
import type { PrefixPlace } from "./render.ts";

/** An endpoint's options with every default applied. */
export interface CheckedOptions {
  readonly model: string;
  readonly api: "chat" | "completions";
  readonly template: Frame;
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
    template: options.template ?? BASE_FRAME,
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
