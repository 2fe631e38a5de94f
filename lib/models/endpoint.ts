import { echoRemover, readAddress, redactor } from "./address.ts";
import { openBatches } from "./batches.ts";
import { fillSystem, shortHash } from "./chat_templates.ts";
import {
  type CheckedOptions,
  checkOptions,
  type Delay,
  type EndpointOptions,
  recordOptions,
  REPLY_SECONDS,
  requestFields,
} from "./endpoint_options.ts";
import { backoffMs, openGate } from "./gate.ts";
import { lookAtServer, makeLook, type PreflightParts, type ShortReply } from "./preflight.ts";
import type { Outcome } from "./read_completion.ts";
import { renderMessages, renderText } from "./render.ts";
import type { Fields, Model, Reply, Resent } from "./reply.ts";
import { addResent } from "./resent.ts";
import { makeSend } from "./send.ts";
import type { FailedOutcome } from "./server_errors.ts";
import { countOnServer } from "./server_facts.ts";
import { setTimeout as timer } from "node:timers/promises";
import type { ChatTemplate, Prompt, Sample } from "@/lib/generators/mod.ts";

/**
 * Opens one OpenAI-compatible endpoint as a model; nothing is sent until a sample is asked.
 *
 * What the server or the network does wrong is a typed failure; `ask` rejects only with the reason of its own signal.
 *
 * @throws {RangeError} If an option is outside its range or two of them exclude each other.
 * @throws {TypeError} If the key has characters that no header can carry.
 */
export function openOneEndpoint(options: EndpointOptions): Model {
  const apiKey = checkKey(options.apiKey);
  const address = readAddress(options.baseUrl);
  const checked = checkOptions(options, address);
  const template = makeTemplate(checked);
  // What follows `Bearer` is a secret too.
  const inHeaders = Object.values(checked.headers).flatMap((value) => [value, ...value.split(" ").slice(1)]);
  const secrets = [...(apiKey ? [apiKey] : []), ...address.secrets, ...inHeaders];
  const [redact, removeEcho] = [redactor(secrets), echoRemover(secrets)];
  const send = makeSend(address, { ...checked, ...(apiKey ? { apiKey } : {}) });
  const { delay = wait, random = Math.random, canLeave = (): boolean => false } = options;
  const { requestsPerMinute, tokensPerMinute } = checked;
  const gate = openGate({ requestsPerMinute, tokensPerMinute, delay, random });
  async function ask(sample: Sample, signal?: AbortSignal, onWait?: (reason: string) => void): Promise<Reply> {
    const body = makeBody(sample, checked, template);
    const tokens = sample.promptTokens + Number(body[checked.budgetField]);
    const waits: Waits = { attempts: 0, busyMs: 0 };
    let [resent, askedMs]: [readonly Resent[], number | undefined] = [[], undefined];
    for (let sent = 1;; sent++) {
      const { outcome, latencyMs, busyMs } = await sendLoaded(body, { signal, onWait, tokens, sent, waitMs: askedMs });
      const facts = { latencyMs, attempts: sent, ...(resent.length === 0 ? {} : { resent }) };
      const waitMs = outcome.kind === "answer" ? null : waitAfter({ outcome, latencyMs, busyMs }, waits);
      if (outcome.kind === "answer" || waitMs === null) return toReply(outcome, facts);
      const { failure, message } = outcome;
      resent = addResent(resent, { failure, message: redact(message), times: 1, waitedMs: waitMs });
      askedMs = outcome.waitMs === undefined ? undefined : busyMs;
      if (busyMs === undefined) await gate.wait(waitMs, signal);
      else if (waitMs >= 1000) onWait?.(waitText(outcome, waitMs));
    }
  }
  /** What a request came to, as it is recorded: without any secret. */
  function toReply(outcome: Outcome, facts: Pick<Reply, "latencyMs" | "attempts" | "resent">): Reply {
    if (outcome.kind === "answer") return { kind: "answer", ...withoutEchoes(outcome.answer), ...facts };
    return { kind: "failure", failure: outcome.failure, message: shorten(redact(outcome.message)), ...facts };
  }
  /** An answer with its texts without any secret. */
  function withoutEchoes<Texts extends object>(answer: Texts): Texts {
    const clean = Object.entries(answer).map((
      [name, value],
    ) => [name, typeof value === "string" ? removeEcho(value) : value]);
    return Object.fromEntries(clean) as Texts;
  }
  /** A server that is there and says that it is busy, or one that has answered before and is away for a moment. */
  function isBusy({ busy }: FailedOutcome): boolean {
    return busy === "limited" || (busy === "away" && gate.hasAnswered());
  }
  /** Whether a question waits for a busy server for as long as that asks, and not another server for the question. */
  function isWorthWaiting({ canRetry, busy, waitMs = 0 }: FailedOutcome): boolean {
    return canRetry && waitMs <= 1000 * checked.maxRetryWaitSeconds && !(busy === "away" && canLeave());
  }
  /** How long a question waits before it is sent again, in milliseconds; `null` where it is given up. */
  function waitAfter({ outcome, busyMs }: Sent & { readonly outcome: FailedOutcome }, waits: Waits): number | null {
    if (!isWorthWaiting(outcome)) return null;
    if (busyMs === undefined) return ++waits.attempts < checked.attempts ? backoffMs(waits.attempts, random) : null;
    waits.busyMs += busyMs;
    return waits.busyMs > 1000 * checked.patienceSeconds ? null : busyMs;
  }
  /** Sends one request; where it was too much for the server together with others, again alone. */
  async function sendUncrowded(body: Readonly<Record<string, unknown>>, sending: Sending): Promise<Sent> {
    const { signal, waitMs, tokens = 0, sent = 1 } = sending;
    for (let wantsAlone = false;; wantsAlone = true) {
      const entry = await gate.enter({ tokens, signal, isAgain: sent > 1 || wantsAlone, waitMs, wantsAlone });
      const start = performance.now();
      const outcome = await send(body, signal).catch((error) => {
        gate.leave();
        throw error;
      });
      const latencyMs = Math.round(performance.now() - start);
      if (outcome.kind === "failure" && outcome.isCrowded) {
        if (gate.crowd(entry)) continue;
      } else if (outcome.kind === "failure" && isBusy(outcome) && isWorthWaiting(outcome)) {
        return { outcome, latencyMs, busyMs: gate.refuse(entry, outcome.waitMs) };
      } else if (outcome.kind === "answer" && sending.tokens !== undefined) gate.answer(entry, tokens);
      else gate.leave();
      return { outcome, latencyMs };
    }
  }
  /** Sends one request; where the server is still loading the model, again until it has, for as long as a reply may take. */
  async function sendLoaded(body: Readonly<Record<string, unknown>>, sending: Sending): Promise<Sent> {
    const { signal, onWait, limitMs } = sending;
    for (let waitedMs = 0;; waitedMs += LOADING_WAIT_MS) {
      const sent = await sendUncrowded(body, { ...sending, signal: endsOf(signal, limitMs) });
      const { outcome } = sent;
      if (outcome.kind === "answer" || !outcome.isLoading) return sent;
      if (canLeave()) return { ...sent, outcome: { ...outcome, failure: "connection", canRetry: false } };
      if (waitedMs >= 1000 * (checked.timeoutSeconds ?? REPLY_SECONDS.atOnce)) {
        return { ...sent, outcome: neverLoaded(outcome, waitedMs) };
      }
      onWait?.("the server is loading the model");
      await gate.wait(LOADING_WAIT_MS, signal);
    }
  }
  /** Asks a short question, and again only while the server is loading the model. */
  async function askShort(prompt: Prompt, budget: number, sending: Sending): Promise<ShortReply> {
    const body = makeBody({ prompt, answerRoom: budget }, { ...checked, ...SHORT }, template);
    const { outcome, latencyMs } = await sendLoaded(body, sending).catch(() => ({ outcome: LATE, latencyMs: 0 }));
    const facts = { latencyMs, attempts: 1 };
    if (outcome.kind === "answer") return { reply: { kind: "answer", ...outcome.answer, ...facts }, ...timed(outcome) };
    return { reply: toReply(outcome, facts) };
  }
  const parts: PreflightParts = {
    address,
    model: options.model,
    headers: {
      ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
      ...(address.authorization === undefined ? {} : { authorization: address.authorization }),
      ...checked.headers,
    },
    asksStreams: checked.stream !== "off",
    shape: { system: template.system !== undefined, assistant: checked.answerPrefix === "assistant" },
    textOf: ({ prompt }) =>
      checked.api === "completions"
        ? renderText(prompt, template)
        : renderMessages(prompt, { template, answerPrefix: checked.answerPrefix }).map(({ content }) => content).join(
          "",
        ),
    ask: askShort,
  };
  return {
    name: options.name ?? options.model,
    // A served simulated reader is asked like any model.
    origin: options.model.startsWith("sim:") ? "simulated" : "measured",
    settings: { baseUrl: address.shown, ...recordOptions(checked, { redact }) },
    template,
    ask,
    mostAtOnce: gate.mostTogether,
    endWaits: gate.endWaits,
    findPace: gate.climb,
    preflight: (samples, given) => lookAtServer(samples, parts, given),
    batches: openBatches({
      ...checked,
      ...{ address, apiKey, redact: (text) => shorten(redact(text)) },
      bodyOf: (sample) => makeBody(sample, checked, template),
      toReply: (outcome) => toReply(outcome, { latencyMs: 0, attempts: 1 }),
    }),
    countTokens: (sample, signal) => countSample(sample, parts, { signal, delay, extraTokens: template.extraTokens }),
    ...(options.templateTokens === undefined
      ? { withTemplateTokens: (templateTokens) => openOneEndpoint({ ...options, templateTokens }) }
      : {}),
  };
}

/** What one request came to. */
interface Sent {
  readonly outcome: Outcome;
  readonly latencyMs: number;
  /** How long it waits, in milliseconds, where the server was busy. */
  readonly busyMs?: number | undefined;
}

/** How a request is sent. */
interface Sending {
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: ((reason: string) => void) | undefined;
  /** What it costs of a minute's tokens; left out for short questions, which show nothing about the pace of a run. */
  readonly tokens?: number | undefined;
  /** How often it is sent with this one, and how long the server asked it to wait before, in milliseconds. */
  readonly sent?: number;
  readonly waitMs?: number | undefined;
  /** The time for one reply, if another than the options'. */
  readonly limitMs?: number;
}

/** What ends a call: its caller, or the time for it where there is one. */
function endsOf(signal: AbortSignal | undefined, limitMs: number | undefined): AbortSignal | undefined {
  if (limitMs === undefined) return signal;
  const limit = AbortSignal.timeout(limitMs);
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
}

/** What a short question comes to that was not answered within its own time. */
const LATE: FailedOutcome = { kind: "failure", failure: "timeout", message: "No reply in time", canRetry: false };

/** What a short question leaves out of the options: its budget is its own. */
const SHORT = { maxTokens: undefined, thinkingTokens: 0 } as const;

/** Reads llama.cpp's own times: tokens a second. */
function timed({ timings }: { readonly timings?: Fields }): Pick<ShortReply, "timings"> {
  if (timings === undefined) return {};
  const rate = (key: string): number | undefined => Number(timings[key]) > 0 ? Number(timings[key]) : undefined;
  const [reads, writes] = [rate("prompt_per_second"), rate("predicted_per_second")];
  return { timings: { ...(reads === undefined ? {} : { reads }), ...(writes === undefined ? {} : { writes }) } };
}

function checkKey(apiKey: string | undefined): string | undefined {
  const key = apiKey?.trim();
  if (key && !/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError(
      "Cannot open the endpoint as the key must be of visible ASCII characters: current value is not shown",
    );
  }
  return key || undefined;
}

/** The most characters of a server's message that a record keeps. */
const MOST_WORDS = 4000;

/** Cuts a message; secrets must be taken out before, or half of one could stay at its end. */
function shorten(message: string): string {
  return message.length > MOST_WORDS ? `${message.slice(0, MOST_WORDS)}…` : message;
}

/** How long is waited before a server that is loading its model is asked again. */
const LOADING_WAIT_MS = 2000;

/** The failure of a server that does not come up: like one that cannot be reached, it ends a run. */
function neverLoaded({ message }: FailedOutcome, waitedMs: number): FailedOutcome {
  return {
    kind: "failure",
    failure: "connection",
    message: `The server was still loading the model after ${waitedMs / 1000} seconds: ${message}`,
    canRetry: false,
  };
}

/** How long a question has waited already. */
interface Waits {
  /** How often it was sent and the server could not answer. */
  attempts: number;
  /** How long it waited for a busy server, in milliseconds. */
  busyMs: number;
}

/** Why all questions wait, and how long. */
function waitText({ failure, busy }: FailedOutcome, waitMs: number): string {
  const why = busy === "away" ? "the server is away" : failure === "rate_limit" ? "rate limit" : "the server is busy";
  return `${why}, all wait ${Math.max(1, Math.round(waitMs / 1000))} s`;
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<unknown> {
  return timer(milliseconds, undefined, signal ? { signal } : {});
}

/** Makes the template that samples are fitted with. Its name is part of sample ids, so it says what changes text or length. */
function makeTemplate(options: CheckedOptions): ChatTemplate {
  const { api, chatTemplate: template, systemMessage: system, answerPrefix, templateTokens } = options;
  const extraTokens = template.extraTokens + templateTokens + (options.thinkingInLength ? options.thinkingTokens : 0);
  const base = api === "completions" ? template.name : template.name === "base" ? "chat" : `chat-${template.name}`;
  const hasPrefix = template.answerPrefix && answerPrefix !== "none";
  // In a completion the system message is a part of the text, where the template has a place for it.
  const filled = api === "completions" && system !== undefined ? fillSystem(template, system) : undefined;
  const parts = [
    base,
    ...(system === undefined ? [] : [`system-${shortHash(system)}`]),
    ...(extraTokens === 0 ? [] : [`extra-${extraTokens}`]),
    ...(hasPrefix ? [] : ["no-prefix"]),
  ];
  return {
    name: parts.join("+"),
    before: (filled ?? template).before,
    after: (filled ?? template).after,
    ...(template.singular === undefined ? {} : { singular: template.singular }),
    ...(system === undefined || filled !== undefined ? {} : { system }),
    extraTokens,
    answerPrefix: hasPrefix,
  };
}

/** The JSON body of one request. */
function makeBody(
  sample: Pick<Sample, "prompt" | "answerRoom">,
  options: CheckedOptions,
  template: ChatTemplate,
): Readonly<Record<string, unknown>> {
  const { model, api, answerPrefix, continueFlags, extraBody } = options;
  const budget = (options.maxTokens ?? sample.answerRoom) + options.thinkingTokens;
  return {
    model,
    ...(api === "chat"
      ? { messages: renderMessages(sample.prompt, { template, answerPrefix }) }
      : { prompt: renderText(sample.prompt, template) }),
    [options.budgetField]: budget,
    ...requestFields(options),
    ...(continueFlags ? { continue_final_message: true, add_generation_prompt: false } : {}),
    ...extraBody,
  };
}

/** How often a prompt is sent to be counted, and the wait before the next time. */
const [ATTEMPTS, WAIT_MS] = [3, 1000];

/**
 * Counts the prompt of a sample in the server's own tokens, with what its template adds unseen; `undefined` where the server
 * does not count.
 */
export async function countSample(
  sample: Sample,
  parts: PreflightParts,
  { signal, delay, extraTokens }: {
    readonly signal?: AbortSignal | undefined;
    readonly delay: Delay;
    readonly extraTokens: number;
  },
): Promise<number | undefined> {
  const look = makeLook(parts, signal === undefined ? {} : { signal });
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const tokens = await countOnServer(look, parts.model, parts.textOf(sample));
    if (tokens !== undefined) return tokens + extraTokens;
    signal?.throwIfAborted();
    if (attempt < ATTEMPTS) await delay(WAIT_MS);
  }
  return undefined;
}
