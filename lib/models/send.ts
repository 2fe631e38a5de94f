import { type Address, EndlessReply, openClient, type ReplyRoom, replyRooms } from "./client.ts";
import { type CheckedOptions, REPLY_SECONDS } from "./endpoint_options.ts";
import { badReply, judgeHiddenError, type Outcome, type Protocol, readReply } from "./protocols/protocol.ts";
import { isFields } from "./reply.ts";
import { type FailedOutcome, judgeServerError } from "./server_errors.ts";

/** How requests are sent, and how long each step of a reply may take. */
type SendOptions = Pick<
  CheckedOptions,
  | "protocol"
  | "budgetField"
  | "headers"
  | "stream"
  | "connectSeconds"
  | "timeoutSeconds"
  | "firstTokenSeconds"
  | "silenceSeconds"
>;

/** Sends one request, once. */
type Send = (body: Readonly<Record<string, unknown>>, signal?: AbortSignal) => Promise<Outcome>;

/**
 * Returns a function that sends requests to one address.
 *
 * Replies are requested as streams. A server that refuses that, breaks its first stream or counts no tokens in it is asked for
 * whole replies from then on; the records are the same.
 */
export function makeSend(address: Address, options: SendOptions): Send {
  const { protocol, budgetField, headers, stream, connectSeconds } = options;
  const asked = address.shown + protocol.path;
  const timeoutMs = wholeMs(options, true);
  const openRoom = replyRooms();
  let opened: ReturnType<typeof openClient> | undefined;
  let isStreaming = stream !== "off";
  // After one whole stream, a stream that breaks is the network's fault.
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
    const client = await (opened ??= openClient(address, { headers, timeoutMs, connectMs: 1000 * connectSeconds }));
    using watch = watchReply({ ...options, signal, isStream });
    using room = openRoom(Number(body[budgetField] ?? 0));
    try {
      const sent = client.post<unknown>(protocol.path, {
        body: isStream ? { ...body, ...protocol.streamFields } : body,
        signal: watch.signal,
        stream: isStream,
        // Passed on to `plainFetch` unchanged.
        fetchOptions: { room } as object,
      });
      if (!isStream) return readReply(await sent, protocol);
      const { data, response } = await sent.withResponse();
      // Some servers answer at once all the same.
      return isOf(response, "event-stream")
        ? noteStream(await readStream(data as AsyncIterable<unknown>, { protocol, watch, room }))
        : readReply(await readWhole(response), protocol);
    } catch (error) {
      signal?.throwIfAborted();
      return watch.late() ?? await judgeError(error, { asked, timeoutMs, protocol });
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
  { protocol, watch, room }: { readonly protocol: Protocol; readonly watch: Watch; readonly room: ReplyRoom },
): Promise<Outcome> {
  const reply = protocol.startReply(room.take);
  for await (const event of events) if (isFields(event) && reply.add(event)) watch.noteText();
  // The package ends an aborted stream without an error.
  watch.signal.throwIfAborted();
  const whole = reply.whole();
  if (whole === undefined) return badReply("The reply is not whole: its stream ended without a finish reason");
  const [outcome, firstTokenMs] = [protocol.read(whole), watch.firstTokenMs()];
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

function wholeMs({ timeoutSeconds }: Pick<SendOptions, "timeoutSeconds">, isStream: boolean): number {
  return 1000 * (timeoutSeconds ?? (isStream ? REPLY_SECONDS.streamed : REPLY_SECONDS.atOnce));
}

/** Measures the time that a reply takes, and ends it when it takes too long. */
interface Watch extends Disposable {
  /** Aborted if the reply takes too long, or the caller ends it. */
  readonly signal: AbortSignal;
  /** Notes that text arrived. */
  noteText(): void;
  /** Returns the failure of a reply that took too long, otherwise `undefined`. */
  late(): FailedOutcome | undefined;
  /** Returns the time until the first text arrived, in milliseconds, or `undefined` if none has. */
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
  const timeoutMs = wholeMs(options, isStream);
  const whole = setTimeout(() => end(tooLate(timeoutMs)), timeoutMs);
  const first = { ...tooLate(0), message: `No first token within ${firstTokenSeconds} seconds` };
  const silence = { ...first, message: `Nothing for ${silenceSeconds} seconds within the reply`, canRetry: true };
  let next = isStream ? setTimeout(() => end(first), 1000 * firstTokenSeconds) : undefined;
  let lastText = start;
  // One timer for many parts: when it fires too early, it is set again.
  const awaitText = (ms: number): void => {
    next = setTimeout(() => {
      const remainingMs = lastText + 1000 * silenceSeconds - performance.now();
      if (remainingMs > 0) awaitText(remainingMs);
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

/** Judges why a request failed. */
export async function judgeError(
  error: unknown,
  { asked, timeoutMs, protocol }: {
    /** The address, as it may be shown. */
    readonly asked: string;
    readonly timeoutMs: number;
    readonly protocol: Protocol;
  },
): Promise<FailedOutcome> {
  const { APIConnectionTimeoutError, APIError } = await import("openai");
  const causes = listCauses(error);
  const messages = causes.map(({ message }) => message).join(": ");
  const isAway = /\(Connect\)|connection refused|ECONNREFUSED/i.test(messages);
  if (error instanceof APIConnectionTimeoutError && !isAway) return tooLate(timeoutMs);
  if (error instanceof SyntaxError) return badReply(`The reply is no whole JSON: ${error.message}`);
  if (error instanceof APIError && error.status !== undefined) {
    // Without JSON the package keeps the text only in its own message, after the status.
    const body: unknown = error.error ?? error.message.replace(/^\d+ /, "").replace("status code (no body)", "");
    const { status, headers } = error;
    return judgeServerError({ status, body, headers, label: `HTTP ${status} from ${asked}` });
  }
  // Within a stream.
  if (error instanceof APIError && error.error !== undefined) {
    return judgeHiddenError(error.error, protocol.errorStatuses);
  }
  const endless = causes.find((cause) => cause instanceof EndlessReply);
  if (endless !== undefined) return { ...badReply(endless.message), canRetry: endless.canRetry };
  return {
    kind: "failure",
    failure: "connection",
    message: `The connection to ${asked} failed: ${messages}`,
    // Deno's permissions do not change.
    canRetry: !causes.some(({ name }) => name === "NotCapable"),
    // Nothing was sent.
    ...(isAway ? { busy: "away" } : {}),
  };
}

function listCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...listCauses(error.cause)] : [];
}
