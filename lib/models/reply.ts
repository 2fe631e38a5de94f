import type { ChatTemplate, Sample } from "@/lib/generators/mod.ts";

/** Why a model stopped writing: of itself or at a stop text, at the output budget, by the provider's filter, or unknown. */
export type FinishReason = "stop" | "length" | "content_filter" | "unknown";

/** Why a call gave no answer. */
export type FailureKind =
  | "connection"
  | "timeout"
  | "rate_limit"
  | "authentication"
  | "not_found"
  | "context_length"
  | "bad_request"
  | "server"
  | "bad_reply";

/** What a model wrote. */
export interface Answer {
  /** Tells it from a failure. */
  readonly kind: "answer";
  /** The text after the answer prefix; thinking is kept apart. */
  readonly text: string;
  /** The model's thinking, where it was given. */
  readonly thinking?: string;
  /** Why the model stopped writing. */
  readonly finishReason: FinishReason;
  /** The model that wrote, by the server's own account, where it tells: the version behind a name, as a rule. */
  readonly servedModel?: string;
  /** The server's `system_fingerprint`, where it tells; the simulated reader's begins with `simulated`. */
  readonly fingerprint?: string;
  /** The provider's own count of the prompt's tokens, where it tells. */
  readonly promptTokens?: number;
  /** How many of the prompt's tokens the provider had in its cache, where it tells. */
  readonly cachedTokens?: number;
  /** The provider's own count of the tokens written, thinking included, where it tells. */
  readonly completionTokens?: number;
  /** Time from the last request to its whole reply, in milliseconds. */
  readonly latencyMs: number;
  /** How often the question was sent, from 1. */
  readonly attempts: number;
}

/** A call that gave no answer. It is counted, and stays out of every mean. */
export interface Failure {
  /** Tells it from an answer. */
  readonly kind: "failure";
  /** Why there is no answer. */
  readonly failure: FailureKind;
  /** What the provider or the network said, keys left out. */
  readonly message: string;
  /** Time from the last request to its failure, in milliseconds. */
  readonly latencyMs: number;
  /** How often the question was sent; 0 where it was not. */
  readonly attempts: number;
}

/** What came back when a model was asked. */
export type Reply = Answer | Failure;

/** Settings as they stand in records: nothing secret, nothing that changes between equal runs. */
export type ModelSettings = Readonly<
  Record<string, string | number | boolean | null>
>;

/** Something that answers samples: an endpoint, the simulated reader, or a recorded run. */
export interface Model {
  /** Its name in records, tables and figures; the simulated reader's begin with `sim:`. */
  readonly name: string;
  /** Whether its answers are real (`measured`) or made by the simulated reader, as far as is known before it is asked. */
  readonly origin: "measured" | "simulated";
  /** Everything that shapes its answers, for the record. */
  readonly settings: ModelSettings;
  /** What it puts round a prompt; samples are fitted with it. */
  readonly template: ChatTemplate;
  /** The longest sample it can be asked, in tokens, where that is known. */
  readonly window?: number;
  /**
   * Asks one sample. Never rejects for what the model or the network does: that is a {@linkcode Failure}.
   *
   * @param sample What to ask.
   * @param signal Ends the call early; the promise then rejects with the signal's reason.
   */
  ask(sample: Sample, signal?: AbortSignal): Promise<Reply>;
}

/** How the simulated reader's fingerprint begins, wherever it is served. */
export const SIMULATED_FINGERPRINT = "simulated";

/**
 * Tells whose a reply is: a real model's, or the simulated reader's.
 *
 * A served simulated reader says so in every answer, so that it cannot pass for a model by the name it is asked by.
 *
 * @param model Who was asked.
 * @param reply What came back.
 * @returns `simulated` where the model is known to be, or the answer says so.
 *
 * @example A simulated reader behind another name
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const told = { servedModel: "sim:gpt-4", fingerprint: "simulated-1" };
 * const reply = { kind: "answer", text: "17", finishReason: "stop", latencyMs: 9, attempts: 1, ...told } as const;
 * equal(replyOrigin({ origin: "measured" }, reply), "simulated");
 * ```
 */
export function replyOrigin(model: Pick<Model, "origin">, reply: Reply): Model["origin"] {
  if (reply.kind === "failure") return model.origin;
  const { fingerprint = "", servedModel = "" } = reply;
  // A server in between can drop the one or the other.
  const isSimulated = fingerprint.startsWith(SIMULATED_FINGERPRINT) || servedModel.startsWith("sim:");
  return isSimulated ? "simulated" : model.origin;
}

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Tells whether a value is a JSON object, no list and not null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
