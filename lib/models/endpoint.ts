import { createHash } from "node:crypto";
import { setTimeout as timer } from "node:timers/promises";
import { readAddress, redactor } from "./address.ts";
import {
  type CheckedOptions,
  checkOptions,
  type EndpointOptions,
  recordOptions,
  requestFields,
} from "./endpoint_options.ts";
import { renderMessages, renderText } from "./render.ts";
import type { Model, Reply } from "./reply.ts";
import { type FailedOutcome, makeSend } from "./send.ts";
import type { ChatTemplate, Sample } from "@/lib/generators/mod.ts";

/**
 * Opens an OpenAI-compatible endpoint as a model.
 *
 * Nothing is sent until a sample is asked. What the server or the network does wrong is a typed failure; `ask` rejects only
 * with the reason of its own signal.
 *
 * @param options Where the model is, how it is asked, and how patiently.
 * @throws {RangeError} If an option is outside its range or two of them exclude each other.
 * @throws {TypeError} If the key has characters that no header can carry.
 *
 * @example A model on one's own machine
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const model = openEndpoint({ baseUrl: "http://name:secret@127.0.0.1:8000/v1", model: "llama-3.1-8b" });
 * equal(model.settings.baseUrl, "http://127.0.0.1:8000/v1");
 * ```
 */
export function openEndpoint(options: EndpointOptions): Model {
  const apiKey = checkKey(options.apiKey);
  const address = readAddress(options.baseUrl);
  const checked = checkOptions(options, address);
  const template = makeTemplate(checked);
  // `Bearer` is no secret, what stands behind it is one.
  const inHeaders = Object.values(checked.headers).flatMap((value) => [value, ...value.split(" ").slice(1)]);
  const redact = redactor([...(apiKey ? [apiKey] : []), ...address.secrets, ...inHeaders]);
  const send = makeSend(address, { ...checked, ...(apiKey ? { apiKey } : {}) });
  const { delay = wait, random = Math.random } = options;
  async function ask(sample: Sample, signal?: AbortSignal): Promise<Reply> {
    const body = makeBody(sample, checked, template);
    for (let attempts = 1;; attempts++) {
      const start = performance.now();
      const outcome = await send(body, signal);
      const facts = { latencyMs: Math.round(performance.now() - start), attempts };
      if (outcome.kind === "answer") return { kind: "answer", ...outcome.answer, ...facts };
      const waitMs = waitBefore(outcome, attempts, random);
      if (!outcome.canRetry || attempts >= checked.attempts || waitMs > 1000 * checked.maxRetryWaitSeconds) {
        return { kind: "failure", failure: outcome.failure, message: shorten(redact(outcome.message)), ...facts };
      }
      await delay(waitMs, signal).catch((error) => {
        signal?.throwIfAborted();
        throw error;
      });
    }
  }
  return {
    name: options.name ?? options.model,
    // A simulated reader that is served is asked like any model, and is still none.
    origin: options.model.startsWith("sim:") ? "simulated" : "measured",
    settings: { baseUrl: address.shown, ...recordOptions(checked, { redact }) },
    template,
    ask,
  };
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

/** The most of a server's words that a record keeps. */
const MOST_WORDS = 500;

/** Cuts a message after secrets are taken out, so that no half of one is left at its end. */
function shorten(message: string): string {
  return message.length > MOST_WORDS ? `${message.slice(0, MOST_WORDS)}…` : message;
}

const FIRST_WAIT_MS = 1000;
const MOST_BACKOFF_MS = 60_000;

/** How long to wait: what the server asks for, or twice as long each time; spread, so that calls do not come back together. */
function waitBefore({ waitMs }: FailedOutcome, attempts: number, random: () => number): number {
  if (waitMs !== undefined) return Math.ceil(waitMs + random() * FIRST_WAIT_MS);
  const backoff = Math.min(MOST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
  return Math.ceil(backoff * (1 + random()) / 2);
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<unknown> {
  return timer(milliseconds, undefined, signal ? { signal } : {});
}

/** Makes what samples are fitted with. Its name stands in sample ids, so it tells what changes a sample's text or length. */
function makeTemplate(options: CheckedOptions): ChatTemplate {
  const { api, chatTemplate: template, systemMessage: system, answerPrefix, templateTokens } = options;
  const extraTokens = template.extraTokens + templateTokens + (options.thinkingInLength ? options.thinkingTokens : 0);
  const base = api === "completions" ? template.name : template.name === "base" ? "chat" : `chat-${template.name}`;
  const hasPrefix = template.answerPrefix && answerPrefix !== "none";
  const parts = [
    base,
    ...(system === undefined ? [] : [`system-${hash(system)}`]),
    ...(extraTokens === 0 ? [] : [`extra-${extraTokens}`]),
    ...(hasPrefix ? [] : ["no-prefix"]),
  ];
  return {
    name: parts.join("+"),
    before: template.before,
    after: template.after,
    ...(template.singular === undefined ? {} : { singular: template.singular }),
    ...(system === undefined ? {} : { system }),
    extraTokens,
    answerPrefix: hasPrefix,
  };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** Gives the JSON body of one request: an endpoint's settings and a sample's prompt. */
function makeBody(
  sample: Sample,
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
