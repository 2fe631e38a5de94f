import type { PrefixPlace } from "../chat_templates.ts";
import type { Reading } from "./thinking.ts";
import {
  type Answer,
  type FailureKind,
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  parseJson,
  type Resent,
} from "../reply.ts";
import type { ChatTemplate, Prompt } from "@/lib/generators/mod.ts";
import { defined } from "@/lib/text/mod.ts";

/** How one kind of model API is spoken. */
export interface Protocol {
  /** The path of a request, after the base URL. */
  readonly path: string;
  readonly environment: ProtocolEnvironment;
  /** Whether the server wraps messages in its own chat template; otherwise the whole prompt is sent as one text. */
  readonly hasChatTemplate: boolean;
  /** Whether the last message may be the assistant's, for the model to continue. */
  readonly takesAnswerPrefix: boolean;
  /** The fields that may carry the output budget: the default, then the one that reasoning models need, if another. */
  readonly budgetFields: readonly [string, ...string[]];
  /** The smallest output budget that the API takes. */
  readonly minBudget: number;
  /** The names of request fields that differ from those of the chat completions API; `null` for a field that is missing. */
  readonly fieldNames: Readonly<Record<string, string | null>>;
  /** Fields that ask vLLM, SGLang or llama.cpp to continue the assistant's message. */
  readonly continueFields?: Fields;
  /** Fields that ask for a stream, with token counts at its end. */
  readonly streamFields: Fields;
  /** The endpoint that requests of a batch name; left out if Fathom cannot send this protocol in batches. */
  readonly batchEndpoint?: string;
  /** The path that counts the tokens of a whole request. */
  readonly countPath?: string;
  /** What `reasoning` takes, for errors. */
  readonly reasoningValues: string;
  /** Returns the headers that carry a key, and those that every request needs. */
  headers(apiKey: string | undefined): Readonly<Record<string, string>>;
  /** Returns the fields that carry a prompt. */
  prompt(prompt: Prompt, options: PromptOptions): Fields;
  /** Returns the fields that set an effort or a token budget for reasoning, or `undefined` for a value that the API lacks. */
  reasoning(value: string | number): Fields | undefined;
  /** Returns whether a JSON object is a reply of this protocol. */
  recognises(reply: Fields): boolean;
  /** Reads a reply that came with a success status: an answer, or an error in disguise. */
  read(reply: Fields, reading?: Reading): Outcome;
  /** Starts to assemble a streamed reply; `take` is called with the size of each text before it is kept. */
  startReply(take: (bytes: number) => void): StreamedReply;
}

/** The environment variables of a key, an address and further headers (an empty name: none), and the vendor's address. */
export interface ProtocolEnvironment {
  readonly key: string;
  /** The header that carries the key. */
  readonly keyHeader: string;
  readonly baseUrl: string;
  readonly customHeaders: string;
  readonly vendorUrl: string;
}

/** How a prompt is rendered. */
export interface PromptOptions {
  readonly template: ChatTemplate;
  readonly answerPrefix: PrefixPlace;
}

/** The result of one request. */
export type Outcome =
  | {
    readonly kind: "answer";
    readonly answer: Omit<Answer, "kind" | "latencyMs" | "attempts">;
    /** Set if the server's template opened the thinking of the reply. */
    readonly opensThinking?: true;
  }
  | FailedOutcome;

/** Assembles a streamed reply into the object that the whole reply would be. */
export interface StreamedReply {
  /** Adds an event and returns whether it carried text. */
  add(event: Fields): boolean;
  /** Returns the reply, or `undefined` if its finish reason did not arrive. */
  whole(): Fields | undefined;
  /** Returns whether its finish reason arrived, or an error. */
  isOver(): boolean;
}

/** Parses and reads a reply that came with a success status. */
export function readReply(reply: unknown, protocol: Protocol, reading?: Reading): Outcome {
  const value = typeof reply === "string" ? parseJson(reply) : reply;
  return isFields(value)
    ? protocol.read(value, reading)
    : badReply(`The reply is no JSON object: ${describeError(reply)}`);
}

/** Returns the failure of a reply that cannot be read; it is requested again, as a proxy may have garbled it once. */
export function badReply(message: string): FailedOutcome {
  return { kind: "failure", failure: "bad_reply", message, canRetry: true };
}

/** Judges an error that came with a success status, by its code or type. */
export function judgeHiddenError(error: unknown, statuses: Readonly<Record<string, number>>): FailedOutcome {
  const { code, type }: Fields = isFields(error) ? error : {};
  const number = statuses[String(type)] ?? statuses[String(code)] ?? Number(code);
  const status = number >= 400 && number < 600 ? number : 500;
  return judgeServerError({ status, body: error, label: `Error ${status} with a status of success` });
}

/** Joins the texts of content parts under one key. */
export function joinTexts(parts: readonly Fields[], key: string): string {
  return parts.map((part) => typeof part[key] === "string" ? part[key] : joinTexts(listOf(part[key]), "text")).join("");
}

/** Why one request gave no answer, and whether sending it again could help. */
export interface FailedOutcome {
  readonly kind: "failure";
  readonly failure: FailureKind;
  readonly message: string;
  readonly canRetry: boolean;
  /** The wait that the server asks for, in milliseconds. */
  readonly waitMs?: number;
  /** Set if the server did not try: it is overloaded (`limited`), or not reachable (`away`). */
  readonly busy?: "limited" | "away";
  /** Whether the server was still loading the model. */
  readonly isLoading?: true;
  /** Whether the requests in flight were too much for the server together, though each may fit alone. */
  readonly isCrowded?: true;
}

/** A reply with an error status. */
interface ServerError {
  readonly status: number;
  /** The parsed body, or its text if it is no JSON. */
  readonly body: unknown;
  readonly headers?: Headers | undefined;
  /** The beginning of the message. */
  readonly label?: string;
}

/** Rate limits that waiting does not lift: no credit left, or a request above the limit of a minute. */
const PERMANENT_LIMITS = /insufficient_quota|exceeded your current quota|request too large|enforced_spend_limit/i;

/** llama.cpp, just started: "Loading model"; Hugging Face's: "Model lab/small is currently loading". */
const LOADING = /\bloading model\b|\bmodel\b.{0,200}\bis (?:currently |still )?(?:being loaded|loading)\b/i;

/** llama.cpp, whose slots share one cache: when it is full, every request in flight fails. */
const CROWDED = /context size has been exceeded/i;

/** Judges an error by its status and its text. */
export function judgeServerError({ status, body, headers, label = `HTTP ${status}` }: ServerError): FailedOutcome {
  const text = typeof body === "string" ? body : JSON.stringify(body) ?? "";
  const message = `${label}: ${describeError(body)}`;
  const failed = (failure: FailureKind, canRetry = false): FailedOutcome => {
    const waitMs = canRetry ? readWait(headers, text) : undefined;
    return { kind: "failure", failure, message, canRetry, ...defined({ waitMs }) };
  };
  const mayRetry = headers?.get("x-should-retry") !== "false";
  const limited = (failure: FailureKind): FailedOutcome => ({ ...failed(failure, true), busy: "limited" });
  if (status >= 300 && status < 400) {
    const place = headers?.get("location") ?? "another address";
    const redirected = `${label}: it points to ${place}, which is not followed: give that address itself`;
    return { ...failed("not_found"), message: redirected };
  }
  // Gemini reports a wrong key as a bad request.
  if ([401, 402, 403].includes(status) || /api key not valid/i.test(text)) return failed("authentication");
  if (status === 404) return failed("not_found");
  // Groq answers so to a prompt above the tokens of a minute.
  if (status === 413) return failed("context_length");
  if (status === 429 || /rate_limit_exceeded/.test(text)) {
    const isPassing = status === 429 && !PERMANENT_LIMITS.test(text) && mayRetry;
    return isPassing ? limited("rate_limit") : failed("rate_limit");
  }
  if (status === 500 && CROWDED.test(text)) return { ...failed("context_length"), isCrowded: true };
  if (CONTEXT_LENGTH_TEXTS.some((pattern) => pattern.test(text))) return failed("context_length");
  if (status === 503 && LOADING.test(text)) return { ...failed("server", true), isLoading: true };
  if ([425, 503, 529].includes(status) && mayRetry) return limited("server");
  if (status === 408) return failed("timeout", mayRetry);
  if (status === 409 || status >= 500) return failed("server", status !== 501 && mayRetry);
  return failed("bad_request");
}

/** Characters of an error message that a record keeps. */
const MAX_ERROR_CHARS = 4000;

/** Characters of the reason of a retry that a record keeps. */
const MAX_REASON_CHARS = 200;

/** Cuts a message for a record. Secrets must be redacted first, or half of one could stay at the end. */
export function shorten(message: string, maxChars: number = MAX_ERROR_CHARS): string {
  return message.length > maxChars ? `${message.slice(0, maxChars)}…` : message;
}

/** Returns the message of an error body, or the start of the body without markup. */
export function describeError(body: unknown): string {
  // More than a record keeps: a key that is cut in half here is dropped there.
  const text = (findMessage(body) ?? JSON.stringify(body) ?? "").slice(0, MAX_ERROR_CHARS + 1000);
  const plain = /^\s*<(?:!doctype|html|\?xml)/i.test(text)
    ? text.replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gis, " ").replaceAll(/<[^>]*>/g, " ")
    : text;
  return plain.replaceAll(/\s+/g, " ").trim() || "no message";
}

function findMessage(body: unknown): string | undefined {
  if (typeof body === "string") return body;
  if (Array.isArray(body)) return findMessage(body[0]);
  const { error, message, detail, metadata } = fieldsOf(body);
  // OpenRouter's message is "Provider returned error"; the provider's own is apart.
  const { raw } = fieldsOf(metadata);
  const text = [message, detail].find((each) => typeof each === "string" && each !== "");
  if (typeof text === "string") return typeof raw === "string" ? `${text}: ${raw}` : text;
  return error === undefined ? undefined : findMessage(error);
}

/** Reads a wait in milliseconds from the headers `retry-after-ms` and `retry-after`, or from "try again in 1m2.5s". */
function readWait(headers: Headers | undefined, text: string): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return milliseconds;
  const after = headers?.get("retry-after");
  if (after) {
    if (/^\s*\d+(\.\d+)?\s*$/.test(after)) return Number(after) * 1000;
    const date = Date.parse(after);
    if (!Number.isNaN(date)) return Math.max(0, date - Date.now());
  }
  const found = /try again in (?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)(m?s))?/i.exec(text);
  if (!found || (!found[1] && !found[2] && !found[3])) return undefined;
  const [, hours = "0", minutes = "0", rest = "0", unit] = found;
  return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(rest) * (unit === "ms" ? 1 : 1000);
}

/** Adds a reason to those for which a request was sent again; messages that differ only in numbers are one reason. */
export function addResent(before: readonly Resent[], added: Resent): readonly Resent[] {
  const keyOf = ({ failure, message }: Resent): string =>
    `${failure} ${message.slice(0, MAX_REASON_CHARS).replaceAll(/\d+(\.\d+)?/g, "#")}`;
  const isSame = (one: Resent): boolean => keyOf(one) === keyOf(added);
  if (!before.some(isSame)) return [...before, { ...added, message: shorten(added.message, MAX_REASON_CHARS) }];
  return before.map((one) =>
    isSame(one) ? { ...one, times: one.times + added.times, waitedMs: one.waitedMs + added.waitedMs } : one
  );
}

/**
 * Messages of servers whose window does not hold a prompt and its answer room, from the issues of their projects;
 * `tests/models/context_length_test.ts` has them in full.
 */
const CONTEXT_LENGTH_TEXTS: readonly RegExp[] = [
  // OpenAI and most others, also as a code or a type
  /maximum context length|context_length_exceeded|exceed_context_size_error|input tokens exceed|context_?window_?exceeded/i,
  // vLLM, SGLang; if the prompt alone fills the window
  /longer than the (?:model's context|maximum model) length|too long to fit into the model/i,
  /max_tokens must be at least 1, got -\d/i,
  // llama.cpp, Ollama, Anthropic
  /exceeds? (?:the )?(?:available |model's |maximum |max )?context (?:size|window|length|limit)/i,
  /context (?:size|length|window) (?:has been |was )?exceeded|prompt (?:is )?too long/i,
  // Gemini, SGLang, Vertex
  /input (?:token count|length)[^.]{0,40} exceeds the maximum|token count is \d+ but (?:the )?model only supports/i,
  // Text Generation Inference, LMDeploy
  /`?inputs`? (?:tokens \+|must have less than)|must be smaller than the model context length/i,
  // LM Studio
  /context length of only \d+ tokens|greater than the context length|\bn_keep\b.{0,20}>=.{0,10}\bn_ctx\b/i,
  // Bedrock and its Titan
  /input is too long|expected maxlength: \d+|too many input tokens/i,
  // Cohere
  /too many tokens: |number of tokens [^.]{0,40}cannot exceed/i,
  // TensorRT-LLM
  /prompt length .{0,80}(?:exceeds? max|should not exceed|larger than max)/i,
  // Groq
  /reduce the length of (?:the |your )?(?:messages|prompt|input)|reduce your message size/i,
  /request_too_large|request entity too large/i,
];
