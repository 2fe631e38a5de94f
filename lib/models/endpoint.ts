import { defined, type Fields, hashBytes, once } from "@/lib/base/mod.ts";
import { openBatches } from "./batches.ts";
import { fillSystem } from "./chat_templates.ts";
import { openRedaction, readAddress, refuseUnshown, rootOf } from "./address.ts";
import { endWith } from "./client.ts";
import type { CheckedOptions, EndpointOptions } from "./endpoint_options.ts";
import { checkOptions, recordOptions, REPLY_SECONDS, requestFields } from "./endpoint_options.ts";
import { backoffMs, type Entry, openGate } from "./gate.ts";
import type { ProbeParts } from "./probe.ts";
import type { Weigher, WeighParts } from "./weigh.ts";
import type { Likelihood } from "@/lib/scorers/mod.ts";
import { addResent, type Outcome, type Send, wholeReplies } from "./protocols/protocol.ts";
import { FailedCall, type FailedOutcome, shorten } from "./protocols/refusals.ts";
import type { Model } from "./model.ts";
import type { CallFacts, Failure, Reply, Resent } from "./reply.ts";
import { adaptFields, describeRefused, type RefusedFields, withoutRefused } from "./rejected_fields.ts";
import { withoutPrompt } from "./protocols/normal_form.ts";
import { type Habits, makeSend } from "./send.ts";
import { setTimeout as timer } from "node:timers/promises";
import type { ChatTemplate, Prompt, Sample } from "@/lib/generators/mod.ts";

/**
 * Opens one endpoint as a model; nothing is sent until a sample is asked.
 *
 * Errors of the server or the network are typed failures; `ask` rejects only with the reason of its own signal.
 *
 * @throws {RangeError} If an option is outside its range or two of them exclude each other.
 * @throws {TypeError} If the key has characters that no header can carry.
 */
export function openEndpoint(options: EndpointOptions): Model {
  return openWith(options, new Map(), { namesReasons: false, opensThinking: false });
}

/** Opens an endpoint of which the fields that it refuses and the habits of its replies are known. */
function openWith(options: EndpointOptions, refused: RefusedFields, habits: Habits): Model {
  const apiKey = options.apiKey?.trim() || undefined;
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError(refuseUnshown("open the endpoint", "the key must be of visible ASCII characters"));
  }
  const address = readAddress(options.baseUrl);
  const checked = checkOptions(options, address);
  const { protocol, budgetField } = checked;
  const template = makeTemplate(checked);
  // The part of a header after `Bearer` is a secret too.
  const inHeaders = Object.values(checked.headers).flatMap((value) => [value, ...value.split(" ").slice(1)]);
  const { ofMessage: redact, ofReply } = openRedaction([...(apiKey ? [apiKey] : []), ...address.secrets, ...inHeaders]);
  const headers = { ...protocol.headers(apiKey), ...checked.headers };
  const send = adaptFields(makeSend(address, { ...checked, headers }, habits), refused, protocol.budgetFields);
  const { delay = (ms, signal) => timer(ms, undefined, defined({ signal })), random = Math.random } = options;
  const { now = () => performance.now() } = options;
  const gate = openGate({ ...checked, delay, random, now });
  let longestAnswered = 0;
  const patienceMs = 1000 * checked.patienceSeconds;
  const mostWaitMs: Readonly<Record<Hold, number>> = {
    crowded: Number.MAX_VALUE,
    // The last wait may begin before that time.
    loading: 1000 * (checked.timeoutSeconds ?? REPLY_SECONDS.atOnce) + LOADING_WAIT_MS - 1,
    busy: patienceMs,
    failed: Infinity,
  };
  function holdOf({ canRetry, busy, waitMs = 0 }: FailedOutcome): Hold | undefined {
    if (busy === "crowded" || busy === "loading") return busy;
    // A server that asks for too long a wait is not waited for.
    if (!canRetry || waitMs > patienceMs) return undefined;
    // A server that is overloaded, or one that has answered before and is unreachable for a moment.
    return busy === "limited" || (busy === "away" && longestAnswered > 0) ? "busy" : "failed";
  }
  /** Ends a request at the gate and returns the wait before the next one, in milliseconds; infinite if there is none. */
  function leaveGate(hold: Hold, entry: Entry, times: number, waitMs?: number): number {
    if (hold === "crowded") return gate.crowd(entry) ? 0 : Infinity;
    if (hold === "busy") return gate.refuse(entry, waitMs);
    gate.leave();
    return hold === "loading" ? LOADING_WAIT_MS : backoffMs(times, random);
  }
  async function deliver(body: Fields, sending: Sending, sendOnce: Send = send): Promise<Delivered> {
    const { signal, onWait, tokens } = sending;
    const waits = new Map<Hold, Pick<Resent, "times" | "waitedMs">>();
    let [attempts, wantsAlone] = [1, false];
    let [resent, askedMs]: [readonly Resent[] | undefined, number | undefined] = [undefined, undefined];
    for (;;) {
      const ends = tokens === undefined ? endWith(AbortSignal.timeout(SHORT.limitMs), signal) : signal;
      const isAgain = attempts > 1 || wantsAlone;
      const entry = await gate.enter({ tokens: tokens ?? 0, signal: ends, isAgain, waitMs: askedMs, wantsAlone });
      const start = performance.now();
      const outcome = await sendOnce(body, ends).catch((error) => {
        gate.leave();
        throw error;
      });
      const adapted = refused.size === 0 ? undefined : describeRefused(refused);
      const facts = { latencyMs: Math.round(performance.now() - start), attempts, ...defined({ resent, adapted }) };
      const hold = outcome.kind === "failure" ? holdOf(outcome) : undefined;
      if (outcome.kind === "answer" || hold === undefined) {
        if (outcome.kind === "answer" && tokens !== undefined) gate.answer(entry);
        else gate.leave();
        return { outcome, facts };
      }
      const { times, waitedMs } = waits.get(hold) ?? { times: 0, waitedMs: 0 };
      const waitMs = leaveGate(hold, entry, times + 1, outcome.waitMs);
      waits.set(hold, { times: times + 1, waitedMs: waitedMs + waitMs });
      const isAttempt = hold === "busy" || hold === "failed";
      const isLast = waitedMs + waitMs > mostWaitMs[hold] || (hold === "failed" && times + 1 >= checked.attempts);
      // A short question is asked at most twice.
      if (isLast || (isAttempt && tokens === undefined && attempts > 1)) {
        // Like a server that cannot be reached, one that does not come up ends a run.
        return { outcome: hold === "loading" ? { ...outcome, failure: "connection" } : outcome, facts };
      }
      wantsAlone = hold === "crowded";
      askedMs = hold === "busy" && outcome.waitMs !== undefined ? waitMs : undefined;
      if (isAttempt) {
        attempts++;
        const { failure, message } = outcome;
        resent = addResent(resent ?? [], { failure, message: redact(message), times: 1, waitedMs: waitMs });
      }
      if (hold === "loading") onWait?.("the server is loading the model");
      if (hold === "busy" && waitMs >= 1000) onWait?.(describeWait(outcome, waitMs));
      // The gate itself delays requests to a busy server.
      if (hold === "loading" || hold === "failed") await gate.wait(waitMs, signal);
    }
  }
  async function ask(sample: Sample, signal?: AbortSignal, onWait?: (reason: string) => void): Promise<Reply> {
    const body = makeBody(sample, checked, template);
    const tokens = sample.promptTokens + Number(body[budgetField]);
    const { outcome, facts } = await deliver(body, { signal, onWait, tokens });
    if (outcome.kind === "answer") longestAnswered = Math.max(longestAnswered, sample.promptTokens);
    const reply = toReply(explainByLength(outcome, sample.promptTokens, longestAnswered), facts);
    return withoutPrompt(reply, sample.prompt);
  }
  /** Makes the recorded reply, without secrets. */
  function toReply(outcome: Outcome, facts: Delivered["facts"]): Reply {
    const { kind } = outcome;
    if (kind === "failure") {
      return { kind, failure: outcome.failure, message: shorten(redact(outcome.message)), ...facts };
    }
    const clean = (value: unknown): unknown => typeof value === "string" ? ofReply(value) : value;
    const parts = Object.entries(outcome.answer).map(([name, value]) => [name, clean(value)]);
    return { kind, ...Object.fromEntries(parts), ...facts };
  }
  /** Asks a short question; waits while the server is loading the model. */
  async function askShort(prompt: Prompt, budget: number, sending: Sending): Promise<Reply> {
    const body = makeBody({ prompt, answerRoom: budget }, { ...checked, ...SHORT.options }, template);
    const { outcome, facts } = await deliver(body, sending).catch(() => LATE);
    return toReply(outcome, facts);
  }
  const callsOf: WeighParts["callsOf"] = ({ tokens, signal }) => async (path, body, isRoot = false) => {
    const place = isRoot ? { ...address, url: rootOf(address.url) } : address;
    const whole = { ...checked, headers, stream: "off", protocol: wholeReplies(protocol, path) } as const;
    const sendOnce = makeSend(place, whole, habits, tokens);
    const sent = deliver(withoutRefused(body, refused), { signal, tokens }, sendOnce);
    const { outcome } = tokens === undefined && !signal?.aborted ? await sent.catch(() => LATE) : await sent;
    if (outcome.kind === "failure") throw new FailedCall(outcome);
    return outcome.fields ?? {};
  };
  const served = { address, headers, options: checked, template };
  const weigher = once(async (): Promise<Weigher> => {
    const { openWeigher } = await import("./weigh.ts");
    return openWeigher({ ...served, habits, callsOf, bodyOf: (question) => makeBody(question, checked, template) });
  });
  async function weigh(...asked: Parameters<Weigher["weigh"]>): Promise<Likelihood | Failure> {
    try {
      return await (await weigher()).weigh(...asked);
    } catch (error) {
      if (error instanceof FailedCall) return toReply(error.outcome, ONCE) as Failure;
      throw error;
    }
  }
  const parts: ProbeParts = {
    ...served,
    ask: askShort,
    adapted: () => describeRefused(refused),
    findWay: async (signal) => await (await weigher()).findWay(signal),
  };
  const batches = openBatches({
    ...checked,
    address,
    headers,
    redact: (text) => shorten(redact(text)),
    bodyOf: (sample) => withoutRefused(makeBody(sample, checked, template), refused),
    toReply: (outcome) => toReply(outcome, ONCE),
  });
  const withTemplateTokens = (templateTokens: number, messageTokens = options.messageTokens): Model =>
    openWith({ ...options, templateTokens, messageTokens }, refused, habits);
  return {
    name: options.name ?? options.model,
    // A served simulated reader is asked like any model.
    origin: options.model.startsWith("sim:") ? "simulated" : "measured",
    settings: { baseUrl: address.shown, ...recordOptions(checked, redact) },
    template,
    ask,
    mostAtOnce: gate.mostTogether,
    endWaits: gate.endWaits,
    // Both are imported when used, as only a run asks its server for more than replies.
    probe: async (samples, given) => (await import("./probe.ts")).probeServer(samples, parts, given),
    ...defined({ batches, weigh: protocol.canWeigh ? weigh : undefined }),
    countTokens: async (sample, signal) =>
      (await import("./server_paths.ts")).countSample(sample, parts, { signal, delay }),
    ...(options.templateTokens === undefined && { withTemplateTokens }),
  };
}

/** Why a request is sent again. */
type Hold = "crowded" | "loading" | "busy" | "failed";

interface Delivered {
  readonly outcome: Outcome;
  readonly facts: CallFacts;
}

interface Sending {
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: ((reason: string) => void) | undefined;
  /** Its tokens, for the limit of a minute; left out for a short question, which is sent at most twice, has its own time limit and does not show the pace. */
  readonly tokens?: number | undefined;
}

/** A prompt is longer than all answered ones if it has more tokens by this factor. */
const CLEARLY_LONGER = 1.2;

/** Explains a refusal in unknown words: of a prompt longer than all that are answered, it is most likely about its length. */
function explainByLength(outcome: Outcome, tokens: number, longestAnswered: number): Outcome {
  const isShort = longestAnswered === 0 || tokens < CLEARLY_LONGER * longestAnswered;
  if (outcome.kind === "answer" || !outcome.isUnexplained || isShort) return outcome;
  const message =
    `${outcome.message} (taken for too long: prompts of up to ${longestAnswered} tokens are answered, this has ${tokens})`;
  return { ...outcome, failure: "context_length", message };
}

/** The facts of a request whose time is not known. */
const ONCE = { latencyMs: 0, attempts: 1 } as const;

/** The outcome of a short question that ran into its own time limit. */
const LATE: Delivered = {
  outcome: { kind: "failure", failure: "timeout", message: "No reply in time", canRetry: false },
  facts: ONCE,
};

/** A short question has its own time limit and budget, without reasoning. */
const SHORT = { limitMs: 30_000, options: { maxTokens: undefined, thinkingTokens: 0, reasoning: undefined } } as const;

const LOADING_WAIT_MS = 2000;

function describeWait({ failure, busy }: FailedOutcome, waitMs: number): string {
  const overloaded = failure === "rate_limit" ? "rate limit" : "the server is busy";
  return `${busy === "away" ? "the server is away" : overloaded}, all wait ${Math.max(1, Math.round(waitMs / 1000))} s`;
}

/** Makes the template that samples are fitted with. Its name is part of sample ids, so it names all that changes text or length. */
function makeTemplate(options: CheckedOptions): ChatTemplate {
  const { protocol: { hasChatTemplate: isChat }, chatTemplate: template, systemMessage: system } = options;
  const thinking = options.thinkingInLength ? options.thinkingTokens : 0;
  const extraTokens = template.extraTokens + options.templateTokens + thinking;
  const chatName = template.name === "base" ? "chat" : `chat-${template.name}`;
  const hasPrefix = template.answerPrefix && options.answerPrefix !== "none";
  // In a completion the system message is a part of the text, if the template has a place for it.
  const filled = !isChat && system !== undefined ? fillSystem(template, system) : undefined;
  const parts = [
    isChat ? chatName : template.name,
    system === undefined ? "" : `system-${hashBytes(system).slice(0, 8)}`,
    extraTokens === 0 ? "" : `extra-${extraTokens}`,
    hasPrefix ? "" : "no-prefix",
  ];
  const { before, after } = filled ?? template;
  return {
    name: parts.filter(Boolean).join("+"),
    before,
    after,
    ...defined({
      singular: template.singular,
      system: filled === undefined ? system : undefined,
      messageTokens: isChat ? options.messageTokens ?? 0 : undefined,
      turns: isChat ? undefined : template.turns,
      withSystem: isChat || filled !== undefined ? undefined : template.withSystem,
    }),
    extraTokens,
    answerPrefix: hasPrefix,
  };
}

type Question = Pick<Sample, "prompt" | "answerRoom">;

function makeBody({ prompt, answerRoom }: Question, options: CheckedOptions, template: ChatTemplate): Fields {
  const { model, protocol, answerPrefix, maxTokens = Math.max(answerRoom, protocol.minBudget ?? 1) } = options;
  return {
    model,
    ...protocol.prompt(prompt, { template, answerPrefix }),
    [options.budgetField]: maxTokens + options.thinkingTokens,
    ...requestFields(options),
  };
}
