import table from "./refusal_words.json" with { type: "json" };
import { fieldsOf, listOf, parseJson } from "../json.ts";
import type { FailureKind } from "../reply.ts";
import { defined } from "@/lib/base/mod.ts";

/** Why one request gave no answer, and what follows for the next ones. */
export interface FailedOutcome {
  readonly kind: "failure";
  readonly failure: FailureKind;
  readonly message: string;
  /** Whether sending it again could help. */
  readonly canRetry: boolean;
  /** The wait that the server asks for, in milliseconds. */
  readonly waitMs?: number;
  /**
   * Set if the server did not try: it is overloaded (`limited`), not reachable (`away`) or loading the model; `crowded` if the requests
   * in flight were too much for it together, though each may fit alone.
   */
  readonly busy?: "limited" | "away" | "loading" | "crowded";
  /** Whether its words are not known, so that only its circumstances can explain it. */
  readonly isUnexplained?: true;
  /** The request field that the server names as the cause. */
  readonly field?: string;
}

/** A request without an answer: why, as an error, since a way of weighing takes several requests. */
export class FailedCall extends Error {
  constructor(readonly outcome: FailedOutcome) {
    super(outcome.message);
  }
}

/** A reply with an error status. */
export interface ServerError {
  /** The HTTP status. */
  readonly status: number;
  /** The parsed body, or its text if it is no JSON. */
  readonly body: unknown;
  readonly headers?: Headers | undefined;
  readonly label?: string;
}

type Meaning = "wrong key" | "moderated" | "no credit" | "limit of a minute" | "too long";

/**
 * The words of refusals by their meaning, with the servers whose words they are; the first row that applies counts. Most rows about
 * long prompts are a mechanism that many servers share. Their parts are nouns of a prompt, verbs of exceeding and nouns of a limit, as
 * {@linkcode plainWords} writes them. `tests/models/replies/refusals.jsonl` has the messages in full.
 */
const WORDS = table.rows.map(({ meaning, words }) => {
  const text = Object.entries(table.parts).reduce((rest, [name, part]) => rest.replaceAll(name, part), words);
  return { meaning: meaning as Meaning, words: new RegExp(text) };
});

/** Zhipu's codes, which are no words. */
const CODES: Readonly<Record<string, Meaning>> = { "1261": "too long", "1113": "no credit", "1301": "moderated" };

/** Phrases about the output budget, a stop text or a value: no evidence about the prompt. */
const OTHER_LIMITS: readonly (readonly [RegExp, string])[] = [
  [/\bmax (?:completion |output |new )?tokens\b|\b(?:completion|output|new|thinking|budget) tokens\b/g, "budget"],
  [/\bstop sequences?\b|\bsequences? to stop\b/g, "stop"],
  // Pydantic, which vLLM and others report by: "Input should be less than or equal to 2".
  [/\binput should be\b/g, "value is wanted"],
];

/** Words of an error about the output budget that are also about the prompt. */
const OF_PROMPT =
  /\b(?:prompt|inputs?|messages?|requested|(?:your|the) request)\b|\bbudget\b.{0,30} -\d|\bbudget of \d+ exceeded/;

/** Writes an error in small letters, codes as words: `ContextWindowExceeded` and `context_window_exceeded` are the same. */
function plainWords(text: string): string {
  const words = text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()
    .replaceAll(/[_"'`’\\*]+|(?<=[a-z])-(?=[a-z])/g, " ").replaceAll(/[^\S\n]+/g, " ");
  return OTHER_LIMITS.reduce((rest, [pattern, name]) => rest.replaceAll(pattern, name), words);
}

/** Characters of each text of an error that are searched for words. */
const MAX_WORDS = 1000;

/** Lists the texts and numbers of a body without their names, as `message` would be a noun of the prompt. */
function valuesOf(body: unknown): readonly string[] {
  const value = typeof body === "string" && body.startsWith("{") ? parseJson(body) ?? body : body;
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(valuesOf);
  // Some servers echo the prompt, whose words are no evidence.
  return value === null || value === undefined ? [] : [String(value).slice(0, MAX_WORDS)];
}

function meaningOf(body: unknown): Meaning | undefined {
  const { error = body } = fieldsOf(body);
  const code = CODES[String(fieldsOf(error)["code"])];
  const words = plainWords(valuesOf(body).join("\n"));
  const found = code ?? WORDS.find((row) => row.words.test(words))?.meaning;
  const isOfBudget = /\bbudget\b/.test(words) && !OF_PROMPT.test(words);
  return found === "too long" && isOfBudget ? undefined : found;
}

/** llama.cpp, just started: "Loading model"; Hugging Face's: "Model lab/small is currently loading". */
const LOADING = /\bloading model\b|\bmodel\b.{0,200}\bis (?:currently |still )?(?:being loaded|loading)\b/i;

/** llama.cpp, whose slots share one cache: when it is full, every request in flight fails. */
const CROWDED = /context size has been exceeded/i;

/** A request that alone is above the limit of a minute: waiting does not lift that. */
const ABOVE_LIMIT = /request too large/i;

/** Judges an error by its status, by the wait that it names, and by its words. */
export function judgeServerError({ status, body, headers, label = `HTTP ${status}` }: ServerError): FailedOutcome {
  const text = typeof body === "string" ? body : JSON.stringify(body) ?? "";
  const meaning = meaningOf(body);
  const failed = (failure: FailureKind, more: Partial<FailedOutcome> = {}): FailedOutcome => {
    const waitMs = more.canRetry ? readWait(headers, text) : undefined;
    const message = `${label}: ${describeError(body)}`;
    return { kind: "failure", failure, message, canRetry: false, ...defined({ waitMs }), ...more };
  };
  const mayRetry = headers?.get("x-should-retry") !== "false";
  const limited = (failure: FailureKind): FailedOutcome => failed(failure, { canRetry: true, busy: "limited" });
  if (status >= 300 && status < 400) {
    const place = headers?.get("location") ?? "another address";
    const message = `${label}: it points to ${place}, which is not followed: give that address itself`;
    return failed("not_found", { message });
  }
  const { param, code } = fieldsOf(fieldsOf(body)["error"] ?? body);
  const isOfModel = param === "model" || /^model_not_/.test(String(code));
  if (status === 404 || (status === 400 && meaning === undefined && isOfModel)) return failed("not_found");
  // Groq answers so to a prompt above the tokens of a minute.
  if (status === 413) return failed("context_length");
  if (status === 451 || status === 403 && meaning === "moderated") return failed("filtered");
  if ([401, 402, 403].includes(status)) return failed("authentication");
  if (status === 429) {
    // A named wait is evidence that the limit passes, whatever the words: Gemini's by the minute read like a used-up quota.
    const isPassing = readWait(headers, text) !== undefined || meaning !== "no credit" && !ABOVE_LIMIT.test(text);
    return isPassing && mayRetry ? limited("rate_limit") : failed("rate_limit");
  }
  if (status === 500 && CROWDED.test(text)) return failed("context_length", { busy: "crowded" });
  if (status === 503 && LOADING.test(text)) return failed("server", { canRetry: true, busy: "loading" });
  if (meaning !== undefined && (status < 500 || meaning === "too long")) {
    return meaning === "limit of a minute" && mayRetry ? limited("rate_limit") : failed(FAILURES[meaning]);
  }
  if ([424, 425, 503, 529].includes(status) && mayRetry) return limited("server");
  if (status === 408) return failed("timeout", { canRetry: mayRetry });
  if (status === 409 || status >= 500) return failed("server", { canRetry: status !== 501 && mayRetry });
  return failed("bad_request", {
    message: `${label}: ${describeWhole(body)}`,
    isUnexplained: true,
    ...defined({ field: typeof param === "string" ? param : undefined }),
  });
}

const FAILURES: Readonly<Record<Meaning, FailureKind>> = {
  "wrong key": "authentication",
  moderated: "filtered",
  "no credit": "authentication",
  "limit of a minute": "rate_limit",
  "too long": "context_length",
};

const MAX_ERROR_CHARS = 4000;

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

/** Returns the message of an error of unknown words with the other facts of its body, as the cause may be one of them. */
function describeWhole(body: unknown): string {
  const message = describeError(body);
  const { error = body } = fieldsOf(body);
  const facts = Object.entries(fieldsOf(error)).filter(([name, value]) =>
    !["message", "detail", "object"].includes(name) && value !== null && value !== ""
  );
  if (facts.length === 0 || findMessage(body) === undefined) return message;
  return `${message} ${JSON.stringify(Object.fromEntries(facts))}`;
}

function findMessage(body: unknown): string | undefined {
  if (typeof body === "string") return body;
  if (Array.isArray(body)) return findMessage(body[0]);
  const { error, message, msg, detail, metadata } = fieldsOf(body);
  // OpenRouter's message is "Provider returned error"; the provider's own is apart.
  const { raw } = fieldsOf(metadata);
  const text = [message, msg, detail].find((each) => typeof each === "string" && each !== "");
  if (typeof text === "string") return typeof raw === "string" ? `${text}: ${raw}` : text;
  // FastAPI lists what is wrong with a request.
  const [listed] = listOf(detail);
  if (listed !== undefined) return `${findMessage(listed) ?? ""} ${JSON.stringify(listed["loc"] ?? "")}`.trim();
  return error === undefined ? undefined : findMessage(error);
}

/** The forms of a wait in words: "try again in 1m2.5s", "retry after 12 seconds", and Google's `"retryDelay": "0.5s"`. */
const WAITS =
  /(?:(?:try|retry|wait|available|reset)\w*(?: again)?(?: (?:in|after|for))|retry_?(?:delay|after)\\?":) ?\\?"?(?:(\d+) ?h\w*)? ?(?:(\d+) ?m(?:in\w*)?(?![a-z]))? ?(?:([\d.]+) ?(ms|milli\w*|s(?:ec\w*)?)\b)?/gi;

/** Reads a wait in milliseconds from the headers `retry-after-ms` and `retry-after`, or from words. */
function readWait(headers: Headers | undefined, text: string): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return milliseconds;
  const after = headers?.get("retry-after");
  if (after) {
    if (/^\s*\d+(\.\d+)?\s*$/.test(after)) return Number(after) * 1000;
    const date = Date.parse(after);
    if (!Number.isNaN(date)) return Math.max(0, date - Date.now());
  }
  const found = text.matchAll(WAITS).find(([, hours, minutes, rest]) => hours ?? minutes ?? rest);
  if (found === undefined) return undefined;
  const [, hours = "0", minutes = "0", rest = "0", unit = ""] = found;
  return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(rest) * (/^m/i.test(unit) ? 1 : 1000);
}
