import OpenAI, { APIConnectionTimeoutError, APIError } from "openai";
import type { Address } from "./_address.ts";
import { readCompletion } from "./_completion.ts";
import type { RequestHeaders } from "./_request_headers.ts";
import { type FailedOutcome, judgeServerError, type Outcome } from "./_outcome.ts";

/** Sends one request, once. */
export type Send = (body: Readonly<Record<string, unknown>>, signal?: AbortSignal) => Promise<Outcome>;

/** Makes the function that sends requests to one address. */
export function makeSend(
  address: Address,
  { api, apiKey, timeoutMs, headers }: {
    readonly api: "chat" | "completions";
    readonly apiKey?: string;
    readonly headers: RequestHeaders;
    readonly timeoutMs: number;
  },
): Send {
  const path = api === "chat" ? "/chat/completions" : "/completions";
  const client = new OpenAI({
    baseURL: address.url,
    apiKey: apiKey ?? "none",
    // Nulls keep the package from reading these from the environment, where no record would tell of them.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    fetch: plainFetch([...SENT_HEADERS, ...Object.keys(headers)]),
    maxRetries: 0,
    timeout: timeoutMs,
    // A name and password in the address take the place of the key; without either there is no such header.
    defaultHeaders: { authorization: address.authorization ?? (apiKey ? `Bearer ${apiKey}` : null), ...headers },
  });
  return async (body, signal) => {
    signal?.throwIfAborted();
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
      const isLate = limit.signal.aborted || error instanceof APIConnectionTimeoutError;
      return isLate ? late(timeoutMs) : judgeError(error, address.shown + path);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
    return readCompletion(reply, api);
  };
}

const SENT_HEADERS: readonly string[] = ["accept", "authorization", "content-type", "user-agent"];

/** Sends no headers but some: the package adds those of `OPENAI_CUSTOM_HEADERS`, and what machine it runs on. */
function plainFetch(names: readonly string[]): typeof fetch {
  return (url, init = {}) => {
    const headers = [...new Headers(init.headers)].filter(([name]) => names.includes(name));
    return fetch(url, { ...init, headers });
  };
}

function late(timeoutMs: number): FailedOutcome {
  const message = `No whole reply within ${timeoutMs / 1000} seconds`;
  return { kind: "failure", failure: "timeout", message, canRetry: false };
}

function judgeError(error: unknown, asked: string): FailedOutcome {
  if (error instanceof SyntaxError) {
    const message = `The reply is no whole JSON: ${error.message}`;
    return { kind: "failure", failure: "bad_reply", message, canRetry: false };
  }
  if (error instanceof APIError && error.status !== undefined) {
    // Without JSON the package keeps the words in its own message alone, after the status.
    const body: unknown = error.error ?? error.message.replace(/^\d+ /, "").replace("status code (no body)", "");
    return judgeServerError({
      status: error.status,
      body,
      headers: error.headers,
      label: `HTTP ${error.status} from ${asked}`,
    });
  }
  const causes = listCauses(error);
  return {
    kind: "failure",
    failure: "connection",
    message: `The connection to ${asked} failed: ${causes.map(({ message }) => message).join(": ")}`,
    // What Deno's permissions forbid stays forbidden.
    canRetry: !causes.some(({ name }) => name === "NotCapable"),
  };
}

function listCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...listCauses(error.cause)] : [];
}
