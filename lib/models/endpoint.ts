import { setTimeout as timer } from "node:timers/promises";
import type { Sample } from "@/lib/generators/mod.ts";
import { readAddress } from "./_address.ts";
import { makeFrame } from "./_endpoint_frame.ts";
import { checkOptions } from "./_endpoint_options.ts";
import { listSettings } from "./_endpoint_settings.ts";
import type { FailedOutcome } from "./_outcome.ts";
import { redactor } from "./_redact.ts";
import { makeBody } from "./_request_body.ts";
import { makeSend } from "./_send.ts";
import type { Model } from "./model.ts";
import type { EndpointOptions } from "./endpoint_options.ts";
import type { Reply } from "./reply.ts";

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
