import type { Address } from "./address.ts";
import { openClient } from "./client.ts";
import type { CheckedOptions } from "./endpoint_options.ts";
import { EndlessReply } from "./plain_fetch.ts";
import { type Answer, type FailureKind, type Fields, type FinishReason, isFields } from "./reply.ts";

/** Sends one request, once. */
type Send = (body: Readonly<Record<string, unknown>>, signal?: AbortSignal) => Promise<Outcome>;

/** Makes a function that sends requests to one address. */
export function makeSend(
  address: Address,
  { api, apiKey, timeoutSeconds, headers }:
    & Pick<CheckedOptions, "api" | "timeoutSeconds" | "headers">
    & { readonly apiKey?: string },
): Send {
  const path = api === "chat" ? "/chat/completions" : "/completions";
  const timeoutMs = 1000 * timeoutSeconds;
  let opened: ReturnType<typeof openClient> | undefined;
  return async (body, signal) => {
    signal?.throwIfAborted();
    const client = await (opened ??= openClient(address, { apiKey, headers, timeoutMs }));
    const limit = new AbortController();
    // The package's own limit does not cover the body of an error.
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    const stop = (): void => limit.abort(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    let reply: unknown;
    try {
      reply = await client.post<unknown>(path, { body, signal: limit.signal });
    } catch (error) {
      signal?.throwIfAborted();
      return limit.signal.aborted
        ? late(timeoutMs)
        : await judgeError(error, { asked: address.shown + path, timeoutMs });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
    return readCompletion(reply, api);
  };
}

function late(timeoutMs: number): FailedOutcome {
  const message = `No whole reply within ${timeoutMs / 1000} seconds`;
  return { kind: "failure", failure: "timeout", message, canRetry: false };
}

/** Judges why a request to an address failed. */
export async function judgeError(
  error: unknown,
  { asked, timeoutMs }: { readonly asked: string; readonly timeoutMs: number },
): Promise<FailedOutcome> {
  const { APIConnectionTimeoutError, APIError } = await import("openai");
  if (error instanceof APIConnectionTimeoutError) return late(timeoutMs);
  if (error instanceof SyntaxError) return bad(`The reply is no whole JSON: ${error.message}`);
  if (error instanceof APIError && error.status !== undefined) {
    // Without JSON the package keeps the words only in its own message, after the status.
    const body: unknown = error.error ?? error.message.replace(/^\d+ /, "").replace("status code (no body)", "");
    return judgeServerError({
      status: error.status,
      body,
      headers: error.headers,
      label: `HTTP ${error.status} from ${asked}`,
    });
  }
  const causes = listCauses(error);
  const endless = causes.find((cause) => cause instanceof EndlessReply);
  if (endless !== undefined) return { ...bad(endless.message), canRetry: false };
  const words = causes.map(({ message }) => message).join(": ");
  return {
    kind: "failure",
    failure: "connection",
    message: `The connection to ${asked} failed: ${words}`,
    // Deno's permissions do not change.
    canRetry: !causes.some(({ name }) => name === "NotCapable"),
    // Nothing was sent.
    ...(/\(Connect\)|connection refused|ECONNREFUSED/i.test(words) ? { busy: "away" } : {}),
  };
}

function listCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...listCauses(error.cause)] : [];
}

const STOPPED: readonly string[] = ["stop", "eos", "eos_token", "end_turn", "stop_sequence"];
const CUT: readonly string[] = ["length", "max_tokens"];
const FILTERED: readonly string[] = ["content_filter", "safety"];

/** Reads what came with a status of success: an answer, or an error in disguise. */
export function readCompletion(reply: unknown, api: "chat" | "completions"): Outcome {
  const value = typeof reply === "string" ? parse(reply) : reply;
  if (!isFields(value)) return bad(`The reply is no JSON object: ${tellError(reply)}`);
  const { choices, error } = value;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isFields(choice)) {
    if (error || value["object"] === "error") return judgeHidden(error || value);
    return bad(`The reply has no choices: ${tellError(JSON.stringify(value))}`);
  }
  const finish = typeof choice["finish_reason"] === "string" ? choice["finish_reason"].toLowerCase() : "";
  if (choice["error"]) return judgeHidden(choice["error"]);
  if (finish === "error" || finish === "abort") {
    return {
      kind: "failure",
      failure: "server",
      message: `The reply was broken off: finish reason "${finish}"`,
      canRetry: true,
    };
  }
  const finishReason = readFinish(finish);
  const written = api === "chat" ? readMessage(choice["message"], finishReason) : readText(choice["text"]);
  if (!written) return bad(`The reply has no text: ${tellError(JSON.stringify(choice))}`);
  const usage = isFields(value["usage"]) ? value["usage"] : {};
  // LMDeploy up to 0.9 answers so where a prompt is longer than its window.
  if (written.text === "" && finishReason === "length" && usage["completion_tokens"] === 0) {
    const message = "The reply ended before its first token, as the prompt leaves no room in the window";
    return { kind: "failure", failure: "context_length", message, canRetry: false };
  }
  const details = isFields(usage["prompt_tokens_details"]) ? usage["prompt_tokens_details"] : {};
  return {
    kind: "answer",
    answer: {
      text: written.text,
      ...(written.thinking ? { thinking: written.thinking } : {}),
      finishReason,
      ...name("servedModel", value["model"]),
      ...name("fingerprint", value["system_fingerprint"]),
      ...count("promptTokens", usage["prompt_tokens"]),
      ...count("cachedTokens", details["cached_tokens"]),
      ...count("completionTokens", usage["completion_tokens"]),
    },
    ...(isFields(value["timings"]) ? { timings: value["timings"] } : {}),
  };
}

function readFinish(finish: string): FinishReason {
  if (STOPPED.includes(finish)) return "stop";
  if (CUT.includes(finish)) return "length";
  return FILTERED.includes(finish) ? "content_filter" : "unknown";
}

function readText(text: unknown): Parted | undefined {
  return typeof text === "string" ? takeOutThinking(text) : undefined;
}

function readMessage(message: unknown, finishReason: FinishReason): Parted | undefined {
  if (!isFields(message)) return undefined;
  const { content, refusal } = message;
  const apart = [message["reasoning_content"], message["reasoning"]].find((text) =>
    typeof text === "string" && text !== ""
  );
  const parts = readContent(content) ?? readText(refusal);
  // All of the budget can go into thinking, and a filter can leave nothing: those are empty answers.
  if (!parts) {
    return apart || finishReason === "content_filter"
      ? { text: "", ...(apart ? { thinking: apart as string } : {}) }
      : undefined;
  }
  const thinking = [apart, parts.thinking].filter(Boolean).join("\n");
  return { text: parts.text, ...(thinking ? { thinking } : {}) };
}

/** Content is a text, or a list of parts: some text, some thinking. */
function readContent(content: unknown): Parted | undefined {
  if (!Array.isArray(content)) return readText(content);
  const parts = content.filter(isFields);
  const join = (key: "text" | "thinking"): string => parts.map((part) => flatten(part[key])).join("");
  return { text: join("text"), thinking: join("thinking") };
}

function flatten(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter(isFields).map((part) => flatten(part["text"])).join("") : "";
}

/** Judges an error that came with a status of success, by the code in it. */
function judgeHidden(error: unknown): FailedOutcome {
  const code = isFields(error) ? Number(error["code"]) : NaN;
  const status = code >= 400 && code < 600 ? code : 500;
  return judgeServerError({ status, body: error, label: `Error ${status} with a status of success` });
}

function bad(message: string): FailedOutcome {
  // A proxy that stumbles gives such a reply once, a wrong address always.
  return { kind: "failure", failure: "bad_reply", message, canRetry: true };
}

function count(
  name: "promptTokens" | "cachedTokens" | "completionTokens",
  value: unknown,
): { readonly [key in typeof name]?: number } {
  return Number.isInteger(value) && Number(value) >= 0 ? { [name]: value } : {};
}

/** The most characters of a name that a record keeps. */
const LONGEST_NAME = 200;

function name(
  key: "servedModel" | "fingerprint",
  value: unknown,
): { readonly [one in typeof key]?: string } {
  return typeof value === "string" && value !== "" ? { [key]: value.slice(0, LONGEST_NAME) } : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What one request came to. */
export type Outcome =
  | {
    readonly kind: "answer";
    readonly answer: Omit<Answer, "kind" | "latencyMs" | "attempts">;
    /** How llama.cpp timed it. */
    readonly timings?: Fields;
  }
  | FailedOutcome;

/** Why one request gave no answer, and whether another could. */
export interface FailedOutcome {
  readonly kind: "failure";
  readonly failure: FailureKind;
  readonly message: string;
  readonly canRetry: boolean;
  /** How long the server asks to be left alone, in milliseconds. */
  readonly waitMs?: number;
  /** Whether the server says that it has too much to do (`limited`), or was not there at all (`away`): nothing was tried then. */
  readonly busy?: "limited" | "away";
  /** Whether the server was still loading the model, so that nothing was tried yet. */
  readonly isLoading?: true;
  /** Whether the questions under way were too much for the server together, though each may fit alone. */
  readonly isCrowded?: true;
}

/** What a server says with an error status. */
interface ServerError {
  readonly status: number;
  /** The body, as JSON where it is JSON. */
  readonly body: unknown;
  readonly headers?: Headers | undefined;
  /** What stands before its words in a message. */
  readonly label?: string;
}

/** Rate limits that waiting does not help: no credit left, or one request above the limit of a minute. */
const NOT_WORTH_RETRYING = /insufficient_quota|exceeded your current quota|request too large/i;

/** llama.cpp, just started: "Loading model"; Hugging Face's: "Model lab/small is currently loading". */
const LOADING = /\bloading model\b|\bmodel\b.{0,200}\bis (?:currently |still )?(?:being loaded|loading)\b/i;

/** llama.cpp, whose slots share one cache, where it is full: every question under way fails. */
const CROWDED = /context size has been exceeded/i;

/** Judges an error by its status and its words. */
export function judgeServerError({ status, body, headers, label = `HTTP ${status}` }: ServerError): FailedOutcome {
  const words = typeof body === "string" ? body : JSON.stringify(body) ?? "";
  const message = `${label}: ${tellError(body)}`;
  const failed = (failure: FailureKind, canRetry = false): FailedOutcome => {
    const waitMs = canRetry ? readWait(headers, words) : undefined;
    return { kind: "failure", failure, message, canRetry, ...(waitMs === undefined ? {} : { waitMs }) };
  };
  const isRefused = headers?.get("x-should-retry") === "false";
  const limited = (failure: FailureKind): FailedOutcome => ({ ...failed(failure, true), busy: "limited" });
  if (status >= 300 && status < 400) {
    const place = headers?.get("location");
    return {
      ...failed("not_found"),
      message: `${label}: it points to ${place ?? "another address"}, which is not followed: give that address itself`,
    };
  }
  // Gemini calls a wrong key a bad request.
  if ([401, 402, 403].includes(status) || /api key not valid/i.test(words)) return failed("authentication");
  if (status === 404) return failed("not_found");
  // Groq calls a prompt above the tokens of a minute a rate limit, with this status; no waiting makes it fit.
  if (status === 413) return failed("context_length");
  if (status === 429 || /rate_limit_exceeded/.test(words)) {
    const isWorthIt = status === 429 && !NOT_WORTH_RETRYING.test(words) && !isRefused;
    return isWorthIt ? limited("rate_limit") : failed("rate_limit");
  }
  if (status === 500 && CROWDED.test(words)) return { ...failed("context_length"), isCrowded: true };
  if (isContextLengthError(words)) return failed("context_length");
  if (status === 503 && LOADING.test(words)) return { ...failed("server", true), isLoading: true };
  if ([425, 503, 529].includes(status) && !isRefused) return limited("server");
  if (status === 408) return failed("timeout", !isRefused);
  if (status === 409 || status >= 500) return failed("server", status !== 501 && !isRefused);
  return failed("bad_request");
}

/** The most characters of a server's message that are read; a failure keeps fewer. */
const MOST_WORDS = 5000;

/** The message of an error body, or the start of the body without markup. */
function tellError(body: unknown): string {
  const words = (findMessage(body) ?? JSON.stringify(body) ?? "").slice(0, MOST_WORDS);
  const plain = /^\s*<(?:!doctype|html|\?xml)/i.test(words)
    ? words.replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gis, " ").replaceAll(/<[^>]*>/g, " ")
    : words;
  return plain.replaceAll(/\s+/g, " ").trim() || "no message";
}

function findMessage(body: unknown): string | undefined {
  if (typeof body === "string") return body;
  if (Array.isArray(body)) return findMessage(body[0]);
  if (typeof body !== "object" || body === null) return undefined;
  const { error, message, detail, metadata } = body as Readonly<Record<string, unknown>>;
  // OpenRouter says "Provider returned error" and keeps the provider's words apart.
  const { raw } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  const words = [message, detail].find((text) => typeof text === "string" && text !== "");
  if (typeof words === "string") return typeof raw === "string" ? `${words}: ${raw}` : words;
  return error === undefined ? undefined : findMessage(error);
}

/** Reads how long to wait from the headers `retry-after-ms` and `retry-after`, or from "try again in 1m2.5s". */
function readWait(headers: Headers | undefined, words: string): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return milliseconds;
  const after = headers?.get("retry-after");
  if (after) {
    if (/^\s*\d+(\.\d+)?\s*$/.test(after)) return Number(after) * 1000;
    const date = Date.parse(after);
    if (!Number.isNaN(date)) return Math.max(0, date - Date.now());
  }
  const said = /try again in (?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)(m?s))?/i.exec(words);
  if (!said || (!said[1] && !said[2] && !said[3])) return undefined;
  const [, hours = "0", minutes = "0", rest = "0", unit] = said;
  return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(rest) * (unit === "ms" ? 1 : 1000);
}

/**
 * What servers say when a prompt and its answer room do not fit the model's window, as reported in the issues of their
 * projects.
 */
const TEXTS: readonly RegExp[] = [
  // OpenAI, DeepSeek, vLLM, SGLang and OpenRouter: "This model's maximum context length is 8192 tokens. However, …"
  /maximum context length/i,
  // OpenAI and LM Studio, as a code; llama.cpp, as a type
  /context_length_exceeded|exceed_context_size_error/i,
  // vLLM: "The decoder prompt (length 10127) is longer than the maximum model length of 8192"; SGLang: "The input (61709
  // tokens) is longer than the model's context length (40960 tokens)"
  /longer than the (?:model's context|maximum model) length/i,
  // vLLM: "The prompt (total length 25938) is too long to fit into the model (context length 4096)"
  /too long to fit into the model/i,
  // vLLM, where the prompt alone fills the window: "max_tokens must be at least 1, got -186"
  /max_tokens must be at least 1, got -\d/i,
  // llama.cpp: "request (4390 tokens) exceeds the available context size (4096 tokens)"; its Python server: "Requested tokens
  // (2285) exceed context window of 2048"; Ollama: "the input length exceeds the context length"; Anthropic: "input length
  // and `max_tokens` exceed context limit"
  /exceeds? (?:the )?(?:available |model's |maximum |max )?context (?:size|window|length|limit)/i,
  // llama.cpp: "Context size has been exceeded"
  /context (?:size|length|window) (?:has been |was )?exceeded/i,
  // Anthropic: "prompt is too long: 208310 tokens > 200000 maximum"
  /prompt (?:is )?too long/i,
  // Gemini: "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576)"; SGLang: "Input length
  // (160062 tokens) exceeds the maximum allowed length (59862 tokens)"
  /input (?:token count|length)[^.]{0,40} exceeds the maximum/i,
  // OpenAI: "Input tokens exceed the configured limit of 272000 tokens"
  /input tokens exceed/i,
  // Text Generation Inference: "`inputs` tokens + `max_new_tokens` must be <= 2048"; "`inputs` must have less than 1024 tokens"
  /`?inputs`? (?:tokens \+|must have less than)/i,
  // LMDeploy: "Input length (9000) must be smaller than the model context length (8192)."
  /must be smaller than the model context length/i,
  // LM Studio: "the model is loaded with context length of only 32768 tokens, which is not enough"; "The number of tokens to
  // keep from the initial prompt is greater than the context length"; "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"
  /context length of only \d+ tokens|greater than the context length|\bn_keep\b.{0,20}>=.{0,10}\bn_ctx\b/i,
  // Bedrock: "Input is too long for requested model."; its Titan: "expected maxLength: 50000, actual: 61234"; "Too many input
  // tokens. Max input tokens: 8192, request input token count: 9000"
  /input is too long|expected maxlength: \d+|too many input tokens/i,
  // Cohere: "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292"; "too many tokens: size
  // limit exceeded by 11326 tokens"
  /too many tokens: |number of tokens [^.]{0,40}cannot exceed/i,
  // Vertex: "Unable to submit request because the input token count is 40000 but model only supports up to 32768"
  /(?:input )?token count is \d+ but (?:the )?model only supports/i,
  // LiteLLM names its error, whatever its provider said: "litellm.ContextWindowExceededError: …"
  /context_?window_?exceeded/i,
  // TensorRT-LLM: "Prompt length (9000) exceeds maximum input length (8192)"; "The sum of prompt length (9000), query length
  // (0) should not exceed max_num_tokens (8192)"; "… plus query length (0) is larger than max_seq_len (8192)"
  /prompt length .{0,80}(?:exceeds? max|should not exceed|larger than max)/i,
  // Groq and others
  /reduce the length of (?:the |your )?(?:messages|prompt|input)/i,
  // Groq, with status 413: "Request too large for model … on tokens per minute (TPM): Limit 6000, Requested 12328, please reduce
  // your message size"; "Request Entity Too Large"
  /reduce your message size|request_too_large|request entity too large/i,
];

/** Whether an error says that the prompt is too long for the model. */
function isContextLengthError(text: string): boolean {
  return TEXTS.some((pattern) => pattern.test(text));
}

/** A text, and the thinking that was in it. */
interface Parted {
  readonly text: string;
  readonly thinking?: string;
}

const OPENING = /^\s*(?:<(think|thinking)>|\[(THINK)\])/;

/**
 * Takes a model's thinking out of what it wrote: `<think>…</think>`, `<thinking>…</thinking>` or `[THINK]…[/THINK]`.
 *
 * The opening mark can be missing, where the server's template has written it; the closing mark is missing where the
 * budget ran out first, and then all of it is thinking.
 */
function takeOutThinking(written: string): Parted {
  const opened = OPENING.exec(written);
  if (!opened) {
    const [thinking, ...rest] = written.split("</think>");
    return rest.length === 0
      ? { text: written }
      : { text: rest.join("</think>").trimStart(), thinking: thinking!.trim() };
  }
  const closing = opened[2] ? "[/THINK]" : `</${opened[1]}>`;
  const inside = written.slice(opened[0].length);
  const end = inside.indexOf(closing);
  if (end === -1) return { text: "", thinking: inside.trim() };
  return { text: inside.slice(end + closing.length).trimStart(), thinking: inside.slice(0, end).trim() };
}
