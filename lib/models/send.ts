import process from "node:process";
import { defined, type Fields, isFields } from "@/lib/base/mod.ts";
import type { Address } from "./address.ts";
import { EndlessReply, endWith, readEvents, readText, refusedReply, ReplyRoom, requestSender } from "./client.ts";
import { type CheckedOptions, REPLY_SECONDS } from "./endpoint_options.ts";
import { badReply, type Outcome, readReply, type Send } from "./protocols/protocol.ts";
import { type FailedOutcome, judgeServerError } from "./protocols/refusals.ts";
import { fieldsOf, parseJson } from "./json.ts";
import type { LikelihoodWay } from "@/lib/scorers/mod.ts";

/** What the replies of a server show of its others, and how it gives the probability of a text, once that is known. */
export interface Habits {
  namesReasons: boolean;
  opensThinking: boolean;
  way?: LikelihoodWay;
}

/**
 * Returns a function that sends one request, once.
 *
 * Replies are requested as streams. A server that refuses that, breaks its first stream or counts no tokens in it is asked for
 * whole replies from then on; the records are the same.
 */
export function makeSend(address: Address, options: CheckedOptions, habits: Habits, promptTokens = 0): Send {
  const { protocol, headers, stream, firstTokenSeconds, silenceSeconds } = options;
  const asked = address.shown + protocol.path;
  const send = requestSender(address, headers);
  let isStreaming = stream !== "off";
  // After one whole stream, a stream that breaks is the network's fault.
  let isProven = stream === "on";
  const noteStream = (outcome: Outcome): Outcome => {
    if (isProven) return outcome;
    isProven = outcome.kind === "answer" && outcome.answer.promptTokens !== undefined;
    isStreaming = isProven || (outcome.kind === "failure" && isPassing(outcome));
    return outcome;
  };
  /** Reads a reply, whole or in events: some servers answer at once although a stream was requested, and the reverse. */
  async function readSent(
    response: Response,
    watch: Watch,
    room: ReplyRoom,
  ): Promise<{ readonly outcome: Outcome; readonly isEvents: boolean }> {
    const reply = protocol.startReply(room.take);
    let hasCounts = false;
    let firstTokenMs: number | undefined;
    const read = (): Outcome => {
      const whole = reply.whole();
      if (whole === undefined) return badReply("The reply is not whole: its stream ended without a finish reason");
      const outcome = protocol.read(whole, habits);
      if (outcome.kind === "failure") return outcome;
      return { ...outcome, answer: { ...outcome.answer, ...defined({ firstTokenMs }) } };
    };
    try {
      for await (const event of readEvents(response, room)) {
        if (typeof event === "string") return { outcome: readReply(event, protocol, habits), isEvents: false };
        if (reply.add(event)) {
          firstTokenMs ??= Math.round(performance.now() - watch.start);
          watch.expect(silenceSeconds, `Nothing for ${silenceSeconds} seconds within the reply`, true);
        }
        hasCounts ||= isFields(event["usage"] ?? fieldsOf(event["response"])["usage"]);
        // What follows its token counts comes at once, or the reply ends without it.
        if (reply.isOver()) watch.expect(hasCounts ? Math.min(REST_SECONDS, silenceSeconds) : silenceSeconds);
      }
    } catch (error) {
      // After the finish reason the end of the connection is not waited for; if it breaks, token counts show that nothing was lost.
      if (!reply.isOver() || error instanceof EndlessReply) throw error;
      const outcome = read();
      const isCounted = outcome.kind === "answer" && outcome.answer.promptTokens !== undefined;
      const hasEnded = watch.signal.aborted && watch.late === undefined;
      if (!isCounted && !hasEnded) throw error;
      return { outcome, isEvents: true };
    }
    return { outcome: read(), isEvents: true };
  }
  const request = async (body: Fields, isStream: boolean, signal?: AbortSignal): Promise<Outcome> => {
    const { timeoutSeconds = isStream ? REPLY_SECONDS.streamed : REPLY_SECONDS.atOnce } = options;
    using watch = new Watch(timeoutSeconds, signal);
    if (isStream) watch.expect(firstTokenSeconds, `No first token within ${firstTokenSeconds} seconds`);
    const budgets = protocol.budgetFields.map((field) => Number(body[field] ?? 0));
    // A token of the prompt with its text and log-probability takes more room than one of a reply.
    const room = new ReplyRoom(Math.max(8 * promptTokens, ...budgets));
    let hasBegun = false;
    try {
      const sent = isStream ? { ...body, ...protocol.streamFields } : body;
      const response = await send(protocol.path, { body: sent, signal: watch.signal });
      hasBegun = isStream;
      const { outcome, isEvents } = await readSent(response, watch, room);
      if (outcome.kind === "answer") {
        habits.namesReasons ||= outcome.answer.finishReason === "stop";
        habits.opensThinking ||= outcome.opensThinking === true;
      }
      return isStream && (isEvents || outcome.kind === "failure") ? noteStream(outcome) : outcome;
    } catch (error) {
      const judged = await judgeThrown(error, asked);
      signal?.throwIfAborted();
      const outcome = watch.late ?? judged;
      return hasBegun ? noteStream(outcome) : outcome;
    }
  };
  return async (body, signal) => {
    signal?.throwIfAborted();
    const isStream = isStreaming;
    const outcome = await request(body, isStream, signal);
    if (!isStream || isProven || outcome.kind === "answer") return outcome;
    if (!["bad_request", "server"].includes(outcome.failure) || !/\bstream/i.test(outcome.message)) return outcome;
    isStreaming = false;
    return await request(body, false, signal);
  };
}

/** The wait for the end of a stream after its finish reason and token counts. */
const REST_SECONDS = 2;

/** Whether a failure is not the stream's: the same stream may work later. */
function isPassing({ failure, busy }: FailedOutcome): boolean {
  return busy !== undefined || ["rate_limit", "authentication", "not_found", "context_length"].includes(failure);
}

type Timer = ReturnType<typeof setTimeout>;

/** Measures the time that a reply takes, and ends it when it takes too long. */
class Watch implements Disposable {
  readonly start = performance.now();
  /** Aborted if the reply takes too long, or the caller ends it. */
  readonly signal: AbortSignal;
  /** The failure of a reply that took too long. */
  late: FailedOutcome | undefined;
  readonly #ending = new AbortController();
  readonly #whole: Timer;
  #next: Timer | undefined;

  constructor(seconds: number, signal: AbortSignal | undefined) {
    this.signal = endWith(this.#ending.signal, signal);
    this.#whole = this.#endAfter(seconds, `No whole reply within ${seconds} seconds`);
  }

  /** Ends the reply if no more of it comes in time: it is late, or, without a message, it has ended. */
  expect(seconds: number, message?: string, canRetry = false): void {
    clearTimeout(this.#next);
    this.#next = this.#endAfter(seconds, message, canRetry);
  }

  #endAfter(seconds: number, message?: string, canRetry = false): Timer {
    return setTimeout(() => {
      if (message !== undefined) this.late = { kind: "failure", failure: "timeout", message, canRetry };
      this.#ending.abort();
    }, 1000 * seconds);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#whole);
    clearTimeout(this.#next);
  }
}

/** Judges what the client threw: a reply with an error status, or an error of the network. */
export async function judgeThrown(error: unknown, asked: string): Promise<FailedOutcome> {
  const refused = refusedReply(error);
  if (refused === undefined) return judgeError(error, asked);
  return await judgeResponse(refused, asked).catch((unread) => judgeError(unread, asked));
}

export async function judgeResponse(response: Response, asked: string): Promise<FailedOutcome> {
  const { status, headers } = response;
  const text = await readText(response);
  const body = parseJson(text) ?? text;
  const outcome = judgeServerError({ status, body, headers, label: `HTTP ${status} from ${asked}` });
  // A proxy answers itself, with a page or a status of its own.
  const isOfProxy = status === 407 || (typeof body === "string" && [403, 404, 502, 503, 504].includes(status));
  return isOfProxy ? { ...outcome, message: `${outcome.message}${proxyText(asked)}` } : outcome;
}

/** Errors of TLS where a proxy, or the server itself, shows a certificate that is not known. */
const UNKNOWN_CERTIFICATE = /certificate|UnknownIssuer|UNABLE_TO_VERIFY|SELF_SIGNED/i;

const CERTIFICATE_ADVICE =
  " (the certificate of a proxy or of your own server is added by DENO_CERT=FILE, with Node by NODE_EXTRA_CA_CERTS=FILE)";

export function judgeError(error: unknown, asked: string): FailedOutcome {
  const causes = listCauses(error);
  const endless = causes.find((cause) => cause instanceof EndlessReply);
  if (endless !== undefined) return { ...badReply(endless.message), canRetry: false };
  // The SDK's error and that of fetch name no cause.
  const named = causes.filter(({ message }) => !/^(?:Connection error\.|fetch failed)$/.test(message));
  const messages = (named.length > 0 ? named : causes).map(({ message }) => message).join(": ");
  if (error instanceof SyntaxError) return badReply(`The reply is no whole JSON: ${messages}`);
  const advice = UNKNOWN_CERTIFICATE.test(messages) ? CERTIFICATE_ADVICE : "";
  return {
    kind: "failure",
    failure: "connection",
    message: `The connection to ${asked} failed: ${messages}${advice}${proxyText(asked)}`,
    // Deno's permissions do not change.
    canRetry: !causes.some(({ name }) => name === "NotCapable"),
    // Nothing was sent.
    ...(/\(Connect\)|connection refused|ECONNREFUSED/i.test(messages) ? { busy: "away" } : {}),
  };
}

/** Names the variable by which calls go to a proxy, which may be the cause; empty if there is none or it may not be read. */
function proxyText(asked: string): string {
  try {
    const { protocol, hostname } = new URL(asked);
    const names = [protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY", "ALL_PROXY"];
    const name = names.flatMap((each) => [each.toLowerCase(), each]).find((each) => process.env[each]);
    const direct = (process.env["no_proxy"] ?? process.env["NO_PROXY"] ?? "").split(",").map((host) => host.trim());
    if (name === undefined || direct.includes(hostname) || direct.includes("*")) return "";
    return ` (${name} sends calls to a proxy: NO_PROXY=${hostname} asks the server directly)`;
  } catch {
    return "";
  }
}

function listCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...listCauses(error.cause)] : [];
}
