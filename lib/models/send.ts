import type { Address } from "./address.ts";
import { EndlessReply, openClient, type ReplyRoom, replyRooms } from "./client.ts";
import { type CheckedOptions, REPLY_SECONDS } from "./endpoint_options.ts";
import { bad, judgeHidden, type Outcome, readCompletion, startReply } from "./read_completion.ts";
import { type FailedOutcome, judgeServerError } from "./server_errors.ts";

/** How requests are sent, and how long each step of a reply may take. */
type SendOptions =
  & Pick<
    CheckedOptions,
    "api" | "headers" | "stream" | "connectSeconds" | "timeoutSeconds" | "firstTokenSeconds" | "silenceSeconds"
  >
  & { readonly apiKey?: string };

/** Sends one request, once. */
type Send = (body: Readonly<Record<string, unknown>>, signal?: AbortSignal) => Promise<Outcome>;

/** What asks for a stream, with the server's own counts of tokens at its end. */
const STREAM_FIELDS = { stream: true, "stream_options": { "include_usage": true } };

/**
 * Makes a function that sends requests to one address.
 *
 * Replies are asked for as streams. A server that refuses that, breaks its first stream or counts no tokens in it is asked for
 * whole replies from then on; what is recorded is the same.
 */
export function makeSend(address: Address, options: SendOptions): Send {
  const { api, apiKey, headers, stream, connectSeconds } = options;
  const path = api === "chat" ? "/chat/completions" : "/completions";
  const asked = address.shown + path;
  const timeoutMs = wholeMs(options, { isStream: true });
  const openRoom = replyRooms();
  let opened: ReturnType<typeof openClient> | undefined;
  let isStreaming = stream !== "off";
  // Once a stream was whole, another that breaks is the network's fault.
  let isProven = stream === "on";
  const noteStream = (outcome: Outcome): Outcome => {
    if (isProven) return outcome;
    isProven = outcome.kind === "answer" && outcome.answer.promptTokens !== undefined;
    if (outcome.kind === "answer" || outcome.failure === "bad_reply") isStreaming = isProven;
    return outcome;
  };
  const request = async (
    body: Readonly<Record<string, unknown>>,
    { signal, isStream }: { readonly signal: AbortSignal | undefined; readonly isStream: boolean },
  ): Promise<Outcome> => {
    const client =
      await (opened ??= openClient(address, { apiKey, headers, timeoutMs, connectMs: 1000 * connectSeconds }));
    using watch = watchReply({ ...options, signal, isStream });
    using room = openRoom(Number(body["max_tokens"] ?? body["max_completion_tokens"] ?? 0));
    try {
      const sent = client.post<unknown>(path, {
        body: isStream ? { ...body, ...STREAM_FIELDS } : body,
        signal: watch.signal,
        stream: isStream,
        // Passed on to `plainFetch` as it is.
        fetchOptions: { room } as object,
      });
      if (!isStream) return readCompletion(await sent, api);
      const { data, response } = await sent.withResponse();
      // A server can answer at once all the same.
      return isOf(response, "event-stream")
        ? noteStream(await readStream(data as AsyncIterable<unknown>, { api, watch, room }))
        : readCompletion(await readWhole(response), api);
    } catch (error) {
      signal?.throwIfAborted();
      return watch.late() ?? await judgeError(error, { asked, timeoutMs });
    }
  };
  return async (body, signal) => {
    signal?.throwIfAborted();
    const isStream = isStreaming;
    const outcome = await request(body, { signal, isStream });
    if (!isStream || isProven || !refusesStream(outcome)) return outcome;
    isStreaming = false;
    return await request(body, { signal, isStream: false });
  };
}

async function readStream(
  events: AsyncIterable<unknown>,
  { api, watch, room }: Pick<SendOptions, "api"> & { readonly watch: Watch; readonly room: ReplyRoom },
): Promise<Outcome> {
  const reply = startReply(api, room);
  for await (const event of events) if (reply.add(event)) watch.noteText();
  // The package ends a stream in silence where it was aborted.
  watch.signal.throwIfAborted();
  const whole = reply.whole();
  if (whole === undefined) return bad("The reply is not whole: its stream ended without a finish reason");
  const [outcome, firstTokenMs] = [readCompletion(whole, api), watch.firstTokenMs()];
  if (outcome.kind === "failure" || firstTokenMs === undefined) return outcome;
  return { ...outcome, answer: { ...outcome.answer, firstTokenMs } };
}

function refusesStream(outcome: Outcome): boolean {
  return outcome.kind === "failure" && ["bad_request", "server"].includes(outcome.failure) &&
    /\bstream/i.test(outcome.message);
}

function isOf(response: Response, type: string): boolean {
  return response.headers.get("content-type")?.includes(type) ?? false;
}

async function readWhole(response: Response): Promise<unknown> {
  const text = await response.text();
  return isOf(response, "json") && text !== "" ? JSON.parse(text) : text;
}

function wholeMs(
  { timeoutSeconds }: Pick<SendOptions, "timeoutSeconds">,
  { isStream }: { readonly isStream: boolean },
): number {
  return 1000 * (timeoutSeconds ?? (isStream ? REPLY_SECONDS.streamed : REPLY_SECONDS.atOnce));
}

/** Watches the time that a reply takes. */
interface Watch extends Disposable {
  /** Aborted where it takes too long, or the caller ends it. */
  readonly signal: AbortSignal;
  /** Notes that some of its text came. */
  noteText(): void;
  /** What took too long; `undefined` where nothing did. */
  late(): FailedOutcome | undefined;
  /** The time until its first text came, in milliseconds; `undefined` where none has. */
  firstTokenMs(): number | undefined;
}

function watchReply(
  options: Pick<SendOptions, "timeoutSeconds" | "firstTokenSeconds" | "silenceSeconds"> & {
    readonly signal: AbortSignal | undefined;
    readonly isStream: boolean;
  },
): Watch {
  const { signal, isStream, firstTokenSeconds, silenceSeconds } = options;
  const start = performance.now();
  const ending = new AbortController();
  let [late, firstTokenMs]: [FailedOutcome | undefined, number | undefined] = [undefined, undefined];
  const end = (outcome: FailedOutcome): void => {
    late = outcome;
    ending.abort();
  };
  const timeoutMs = wholeMs(options, { isStream });
  const whole = setTimeout(() => end(tooLate(timeoutMs)), timeoutMs);
  const first = { ...tooLate(0), message: `No first token within ${firstTokenSeconds} seconds` };
  const silence = { ...first, message: `Nothing for ${silenceSeconds} seconds within the reply`, canRetry: true };
  let next = isStream ? setTimeout(() => end(first), 1000 * firstTokenSeconds) : undefined;
  let lastText = start;
  // One timer for many parts: where it ends too early, it waits for what is left.
  const awaitText = (ms: number): void => {
    next = setTimeout(() => {
      const leftMs = lastText + 1000 * silenceSeconds - performance.now();
      if (leftMs > 0) awaitText(leftMs);
      else end(silence);
    }, ms);
  };
  const stop = (): void => ending.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  return {
    signal: ending.signal,
    noteText(): void {
      lastText = performance.now();
      if (firstTokenMs !== undefined) return;
      firstTokenMs = Math.round(lastText - start);
      clearTimeout(next);
      awaitText(1000 * silenceSeconds);
    },
    late: () => late,
    firstTokenMs: () => firstTokenMs,
    [Symbol.dispose](): void {
      clearTimeout(whole);
      clearTimeout(next);
      signal?.removeEventListener("abort", stop);
    },
  };
}

function tooLate(timeoutMs: number): FailedOutcome {
  const message = `No whole reply within ${timeoutMs / 1000} seconds`;
  return { kind: "failure", failure: "timeout", message, canRetry: false };
}

/** Judges why a request to an address failed. */
export async function judgeError(
  error: unknown,
  { asked, timeoutMs }: { readonly asked: string; readonly timeoutMs: number },
): Promise<FailedOutcome> {
  const { APIConnectionTimeoutError, APIError } = await import("openai");
  const causes = listCauses(error);
  const words = causes.map(({ message }) => message).join(": ");
  const isAway = /\(Connect\)|connection refused|ECONNREFUSED/i.test(words);
  if (error instanceof APIConnectionTimeoutError && !isAway) return tooLate(timeoutMs);
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
  // Within a stream.
  if (error instanceof APIError && error.error !== undefined) return judgeHidden(error.error);
  const endless = causes.find((cause) => cause instanceof EndlessReply);
  if (endless !== undefined) return { ...bad(endless.message), canRetry: endless.canRetry };
  return {
    kind: "failure",
    failure: "connection",
    message: `The connection to ${asked} failed: ${words}`,
    // Deno's permissions do not change.
    canRetry: !causes.some(({ name }) => name === "NotCapable"),
    // Nothing was sent.
    ...(isAway ? { busy: "away" } : {}),
  };
}

function listCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...listCauses(error.cause)] : [];
}
