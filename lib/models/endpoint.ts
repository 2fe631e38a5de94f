import { createHash } from "node:crypto";
import { setTimeout as timer } from "node:timers/promises";
import { type CheckedOptions, checkOptions, type EndpointOptions } from "./endpoint_options.ts";
import type { Model, ModelSettings, Reply } from "./reply.ts";
import { type FailedOutcome, makeBody, makeSend, type Redact, redactor } from "./send.ts";
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
  const checked = checkOptions(options, address.isOpenai);
  const frame = makeFrame(checked);
  const redact = redactor([...(apiKey ? [apiKey] : []), ...address.secrets, ...Object.values(checked.headers)]);
  const send = makeSend(address, { ...checked, ...(apiKey ? { apiKey } : {}) });
  const { delay = wait, random = Math.random } = options;
  async function ask(sample: Sample, signal?: AbortSignal): Promise<Reply> {
    const body = makeBody(sample, checked, frame);
    for (let attempts = 1;; attempts++) {
      const start = performance.now();
      const outcome = await send(body, signal);
      const facts = { latencyMs: Math.round(performance.now() - start), attempts };
      if (outcome.kind === "answer") return { kind: "answer", ...outcome.answer, ...facts };
      const waitMs = waitBefore(outcome, attempts, random);
      if (!outcome.canRetry || attempts >= checked.attempts || waitMs > checked.longestWaitMs) {
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
    settings: listSettings(checked, address.shown, redact),
    frame,
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

/** Where an endpoint is, with what is secret kept apart. */
export interface Address {
  /** What is called, without a name and password. */
  readonly url: string;
  /** What may be shown: without them and without the values of query fields. */
  readonly shown: string;
  /** The header that a name and password in the address make. */
  readonly authorization?: string;
  /** Whether the host counts tokens of messages as OpenAI does. */
  readonly isOpenai: boolean;
  /** What must not be shown. */
  readonly secrets: readonly string[];
}

/** Takes a base URL apart. */
function readAddress(baseUrl: string): Address {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "") {
    throw refuse("an address that begins with http:// or https://", baseUrl);
  }
  url.pathname = url.pathname.replace(/\/+$/, "");
  if (/\/completions$/.test(url.pathname)) throw refuse("the part before /chat/completions", baseUrl);
  const { username, password } = url;
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const basic = new TextEncoder().encode(login).toBase64();
  const hasLogin = username !== "" || password !== "";
  url.username = "";
  url.password = "";
  url.hash = "";
  const values = [...url.searchParams.values()];
  return {
    url: url.href.replace(/\/(?=$|\?)/, ""),
    shown: `${url.origin}${url.pathname === "/" ? "" : url.pathname}${listFields(url.searchParams)}`,
    ...(hasLogin ? { authorization: `Basic ${basic}` } : {}),
    isOpenai: url.hostname === "api.openai.com",
    secrets: hasLogin ? [decodeURIComponent(password), login, basic, ...values] : values,
  };
}

function listFields(fields: URLSearchParams): string {
  const names = [...fields.keys()];
  return names.length === 0 ? "" : `?${names.map((name) => `${name}=…`).join("&")}`;
}

function refuse(wanted: string, baseUrl: string): RangeError {
  // A bad address can still hold a password or a key.
  const shown = baseUrl.replace(/\/\/[^/]*@/, "//…@").replace(/\?.*$/s, "?…");
  return new RangeError(`Cannot open the endpoint as base URL must be ${wanted}: current value is "${shown}"`);
}

/**
 * Makes the frame that an endpoint's samples are fitted with.
 *
 * A frame's name stands in sample ids, so it tells everything that changes a sample's text or its length.
 */
function makeFrame(options: CheckedOptions): ChatTemplate {
  const { api, template, system, answerPrefix, templateTokens, thinkingInside, thinkingTokens } = options;
  const extraTokens = template.extraTokens + templateTokens + (thinkingInside ? thinkingTokens : 0);
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

/**
 * Lists everything that shapes an endpoint's answers, for the record.
 *
 * How long is waited and how often is asked are not among them: they decide whether there is an answer, not which one, and a
 * run may be resumed with others.
 */
function listSettings(options: CheckedOptions, baseUrl: string, redact: Redact): ModelSettings {
  const { stop, extraBody } = options;
  const headers = Object.keys(options.headers).sort().join(", ");
  return {
    baseUrl,
    model: options.model,
    api: options.api,
    template: options.template.name,
    system: options.system ?? null,
    answerPrefix: options.answerPrefix,
    continueFlags: options.continueFlags,
    temperature: options.temperature,
    topP: options.topP ?? null,
    seed: options.seed ?? null,
    stop: stop.length === 0 ? null : JSON.stringify(stop),
    maxTokens: options.maxTokens ?? "answer room",
    thinkingTokens: options.thinkingTokens,
    thinkingInside: options.thinkingInside,
    budgetField: options.budgetField,
    templateTokens: options.templateTokens,
    extraBody: Object.keys(extraBody).length === 0 ? null : redact(JSON.stringify(extraBody)),
    // Left out where there are none, so that runs go on that were begun before there could be any.
    ...(headers === "" ? {} : { headers }),
  };
}
