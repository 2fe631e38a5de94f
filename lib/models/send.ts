import type { Address } from "./address.ts";
import { openClient } from "./client.ts";
import type { CheckedOptions } from "./endpoint_options.ts";
import { EndlessReply } from "./plain_fetch.ts";
import { bad, type Outcome, readCompletion } from "./read_completion.ts";
import { type FailedOutcome, judgeServerError } from "./server_errors.ts";

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
