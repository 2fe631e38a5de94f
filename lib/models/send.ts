import {
  type Address,
  EndlessReply,
  isOfType,
  readBody,
  readEvents,
  type ReplyRoom,
  replyRooms,
  requestSender,
} from "./client.ts";
import { type CheckedOptions, REPLY_SECONDS } from "./endpoint_options.ts";
import {
  badReply,
  type FailedOutcome,
  judgeServerError,
  type Outcome,
  type Protocol,
  readReply,
} from "./protocols/protocol.ts";
import { type Fields, isFields } from "./reply.ts";

/** How requests are sent, and how long each step of a reply may take. */
type SendOptions = Pick<
  CheckedOptions,
  "protocol" | "budgetField" | "headers" | "stream" | "timeoutSeconds" | "firstTokenSeconds" | "silenceSeconds"
>;

/**
 * Returns a function that sends one request, once.
 *
 * Replies are requested as streams. A server that refuses that, breaks its first stream or counts no tokens in it is asked for
 * whole replies from then on; the records are the same.
 */
export function makeSend(
  address: Address,
  options: SendOptions,
): (body: Fields, signal?: AbortSignal) => Promise<Outcome> {
  const { protocol, budgetField, headers, stream } = options;
  const asked = address.shown + protocol.path;
  const send = requestSender(address, headers);
  const openRoom = replyRooms();
  let isStreaming = stream !== "off";
  // After one whole stream, a stream that breaks is the network's fault.
  let isProven = stream === "on";
  const noteStream = (outcome: Outcome): void => {
    if (isProven) return;
    isProven = outcome.kind === "answer" && outcome.answer.promptTokens !== undefined;
    if (outcome.kind === "answer" || outcome.failure === "bad_reply") isStreaming = isProven;
  };
  const request = async (body: Fields, isStream: boolean, signal?: AbortSignal): Promise<Outcome> => {
    using watch = watchReply({ ...options, signal, isStream });
    using room = openRoom(Number(body[budgetField] ?? 0));
    try {
      const sent = isStream ? { ...body, ...protocol.streamFields } : body;
      const response = await send(protocol.path, { body: sent, signal: watch.signal });
      if (!response.ok) return await judgeResponse(response, asked, room.take);
      // Some servers answer at once although a stream was requested.
      if (!isStream || !isOfType(response, "event-stream")) {
        return readReply(await readBody(response, room.take), protocol);
      }
      const outcome = await readStream(response, { protocol, watch, room });
      noteStream(outcome);
      return outcome;
    } catch (error) {
      signal?.throwIfAborted();
      return watch.late() ?? judgeError(error, asked);
    }
  };
  return async (body, signal) => {
    signal?.throwIfAborted();
    const isStream = isStreaming;
    const outcome = await request(body, isStream, signal);
    if (!isStream || isProven || !refusesStream(outcome)) return outcome;
    isStreaming = false;
    return await request(body, false, signal);
  };
}

async function readStream(
  response: Response,
  { protocol, watch, room }: { readonly protocol: Protocol; readonly watch: Watch; readonly room: ReplyRoom },
): Promise<Outcome> {
  const reply = protocol.startReply(room.take);
  for await (const event of readEvents(response, room.most)) if (isFields(event) && reply.add(event)) watch.noteText();
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

/** Measures the time that a reply takes, and ends it when it takes too long. */
interface Watch extends Disposable {
  /** Aborted if the reply takes too long, or the caller ends it. */
  readonly signal: AbortSignal;
  /** Notes that text arrived. */
  noteText(): void;
  /** Returns the failure of a reply that took too long. */
  late(): FailedOutcome | undefined;
  /** Returns the time until the first text arrived, in milliseconds. */
  firstTokenMs(): number | undefined;
}

function watchReply(
  options: SendOptions & { readonly signal: AbortSignal | undefined; readonly isStream: boolean },
): Watch {
  const { signal, isStream, firstTokenSeconds, silenceSeconds } = options;
  const start = performance.now();
  const ending = new AbortController();
  let [late, firstTokenMs]: [FailedOutcome | undefined, number | undefined] = [undefined, undefined];
  const end = (outcome: FailedOutcome): void => {
    late = outcome;
    ending.abort();
  };
  const { timeoutSeconds = isStream ? REPLY_SECONDS.streamed : REPLY_SECONDS.atOnce } = options;
  const timeoutMs = 1000 * timeoutSeconds;
  const whole = setTimeout(() => end(tooLate(timeoutMs)), timeoutMs);
  const first = { ...tooLate(0), message: `No first token within ${firstTokenSeconds} seconds` };
  const silence = { ...first, message: `Nothing for ${silenceSeconds} seconds within the reply`, canRetry: true };
  let next = isStream ? setTimeout(() => end(first), 1000 * firstTokenSeconds) : undefined;
  const stop = (): void => ending.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  return {
    signal: ending.signal,
    noteText(): void {
      firstTokenMs ??= Math.round(performance.now() - start);
      clearTimeout(next);
      next = setTimeout(() => end(silence), 1000 * silenceSeconds);
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

/** Judges a reply with an error status. */
export async function judgeResponse(
  response: Response,
  asked: string,
  take: (bytes: number) => void = replyRooms()(0).take,
): Promise<FailedOutcome> {
  const { status, headers } = response;
  const body = await readBody(response, take);
  return judgeServerError({ status, body, headers, label: `HTTP ${status} from ${asked}` });
}

/** Judges why a request had no whole reply. */
export function judgeError(error: unknown, asked: string): FailedOutcome {
  const causes = listCauses(error);
  const endless = causes.find((cause) => cause instanceof EndlessReply);
  if (endless !== undefined) return { ...badReply(endless.message), canRetry: endless.canRetry };
  const messages = causes.map(({ message }) => message).join(": ");
  if (error instanceof SyntaxError) return badReply(`The reply is no whole JSON: ${messages}`);
  return {
    kind: "failure",
    failure: "connection",
    message: `The connection to ${asked} failed: ${messages}`,
    // Deno's permissions do not change.
    canRetry: !causes.some(({ name }) => name === "NotCapable"),
    // Nothing was sent.
    ...(/\(Connect\)|connection refused|ECONNREFUSED/i.test(messages) ? { busy: "away" } : {}),
  };
}

function listCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...listCauses(error.cause)] : [];
}
