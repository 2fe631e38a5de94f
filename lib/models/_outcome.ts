import { isContextLengthError } from "./_context_length.ts";
import type { Answer, FailureKind } from "./reply.ts";

/** What one request came to. */
export type Outcome =
  | { readonly kind: "answer"; readonly answer: Omit<Answer, "kind" | "latencyMs" | "attempts"> }
  | FailedOutcome;

/** Why one request gave no answer, and whether another could. */
export interface FailedOutcome {
  readonly kind: "failure";
  readonly failure: FailureKind;
  readonly message: string;
  readonly canRetry: boolean;
  /** How long the server asks to be left alone, in milliseconds. */
  readonly waitMs?: number;
}

/** What a server says with an error status. */
export interface ServerError {
  readonly status: number;
  /** The body, as JSON where it is JSON. */
  readonly body: unknown;
  readonly headers?: Headers | undefined;
  /** What stands before its words in a message. */
  readonly label?: string;
}

/** Rate limits that no waiting mends: no credit left, or one request above the limit of a minute. */
const HOPELESS = /insufficient_quota|exceeded your current quota|request too large/i;

/** Judges an error by its status and its words. */
export function judgeServerError({ status, body, headers, label = `HTTP ${status}` }: ServerError): FailedOutcome {
  const words = typeof body === "string" ? body : JSON.stringify(body) ?? "";
  const message = `${label}: ${tellError(body)}`;
  const failed = (failure: FailureKind, canRetry = false): FailedOutcome => {
    const waitMs = canRetry ? readWait(headers, words) : undefined;
    return { kind: "failure", failure, message, canRetry, ...(waitMs === undefined ? {} : { waitMs }) };
  };
  const isRefused = headers?.get("x-should-retry") === "false";
  // Gemini calls a wrong key a bad request.
  if ([401, 402, 403].includes(status) || /api key not valid/i.test(words)) return failed("authentication");
  if (status === 404) return failed("not_found");
  if (status === 429 || /rate_limit_exceeded/.test(words)) {
    return failed("rate_limit", status === 429 && !HOPELESS.test(words) && !isRefused);
  }
  if (isContextLengthError(words)) return failed("context_length");
  if (status === 408) return failed("timeout", !isRefused);
  if (status === 409 || status >= 500) return failed("server", status !== 501 && !isRefused);
  return failed("bad_request");
}

/** The most of a server's words that is looked at; what a failure keeps is shorter. */
const MOST_WORDS = 5000;

/** Gives the words of an error body: its message where it has one, else the start of what was sent, without markup. */
export function tellError(body: unknown): string {
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
