import type { PreflightOptions, ServerReport } from "./server_report.ts";
import type { ChatTemplate, Sample } from "@/lib/generators/mod.ts";

/** Why a model stopped writing: by itself or at a stop text, at the output budget, by the provider's filter, or unknown. */
export type FinishReason = "stop" | "length" | "content_filter" | "unknown";

/** Why a call gave no answer; `unsolved` is the simulated reader's, of an item that it cannot solve. */
export type FailureKind =
  | "connection"
  | "timeout"
  | "rate_limit"
  | "authentication"
  | "not_found"
  | "context_length"
  | "bad_request"
  | "server"
  | "bad_reply"
  | "unsolved";

/** What a model wrote. */
export interface Answer {
  /** Distinguishes it from a failure. */
  readonly kind: "answer";
  /** The text after the answer prefix, without thinking. */
  readonly text: string;
  /** The model's thinking, where it was given. */
  readonly thinking?: string;
  /** Why the model stopped writing. */
  readonly finishReason: FinishReason;
  /** The model that the server says wrote it: usually the version behind a name. */
  readonly servedModel?: string;
  /** The server's `system_fingerprint`; the simulated reader's begins with `simulated`. */
  readonly fingerprint?: string;
  /** The provider's own count of the prompt's tokens. */
  readonly promptTokens?: number;
  /** How many of the prompt's tokens came from the provider's cache. */
  readonly cachedTokens?: number;
  /** The provider's own count of the tokens written, thinking included. */
  readonly completionTokens?: number;
  /** Time from the last request to its whole reply, in milliseconds. */
  readonly latencyMs: number;
  /** How often the question was sent, from 1. */
  readonly attempts: number;
}

/** A call that gave no answer. It is counted, and stays out of every mean. */
export interface Failure {
  /** Distinguishes it from an answer. */
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

/** Settings as records keep them: nothing secret, nothing that changes between equal runs. */
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
  /** What it puts around a prompt; samples are fitted with it. */
  readonly template: ChatTemplate;
  /** The longest sample it can be asked, in tokens, where known. */
  readonly window?: number;
  /** Its short name in OpenCompass's files, where it has one. */
  readonly abbr?: string;
  /** The context window that its authors claim, in tokens, where known. */
  readonly claimedWindow?: number;
  /**
   * Asks one sample. Never rejects for what the model or the network does: that is a {@linkcode Failure}.
   *
   * @param sample What to ask.
   * @param signal Ends the call early; the promise then rejects with the signal's reason.
   * @param onWait Called with the reason whenever the question waits for its server, such as one that is still loading the model.
   */
  ask(sample: Sample, signal?: AbortSignal, onWait?: (reason: string) => void): Promise<Reply>;
  /**
   * How many questions are sent at a time, where the server could not hold more together, as llama.cpp's cannot whose slots share
   * one cache; `undefined` where it held all. A model without a server has no such method.
   */
  mostAtOnce?(): number | undefined;
  /** Sends few questions at a time at first, and more as long as its server does more in the same time. */
  findPace?(): void;
  /** Ends all waits for its server: the calls that wait reject, as when their signal had ended them. */
  endWaits?(): void;
  /**
   * Looks at its server with few and cheap calls; a model without a server has no such method. Never rejects.
   *
   * @param samples Some samples whose tokens are counted by the server, one of each task.
   */
  preflight?(samples: Iterable<Sample>, options: PreflightOptions): Promise<Preflight>;
  /**
   * Counts the prompt of a sample, as it is sent, in the tokens of its own server; `undefined` where that cannot count. A model
   * without a server has no such method.
   */
  countTokens?(sample: Sample, signal?: AbortSignal): Promise<number | undefined>;
  /**
   * Gives the model with so many tokens of its server's own chat template taken off each length. Only an endpoint for which
   * nobody gave that number has such a method.
   */
  readonly withTemplateTokens?: ((tokens: number) => Model) | undefined;
}

/** What a look at a server gave. */
export interface Preflight {
  readonly report: ServerReport;
  /** Why the first question had no answer; left out where it had one, or none was asked. */
  readonly failure?: Failure;
}

/** How the simulated reader's fingerprint begins, wherever it is served. */
export const SIMULATED_FINGERPRINT = "simulated";

/**
 * Whether a reply is real or the simulated reader's.
 *
 * A served simulated reader says so in every answer, so it cannot pass for a model by the name it is asked by.
 */
export function replyOrigin(model: Pick<Model, "origin">, reply: Reply): Model["origin"] {
  if (reply.kind === "failure") return model.origin;
  const { fingerprint = "", servedModel = "" } = reply;
  // A proxy can drop either.
  const isSimulated = fingerprint.startsWith(SIMULATED_FINGERPRINT) || servedModel.startsWith("sim:");
  return isSimulated ? "simulated" : model.origin;
}

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object, not a list and not null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
