import type { ProbeOptions, ServerReport } from "./server_report.ts";
import type { ChatTemplate, Sample } from "@/lib/generators/mod.ts";

/** Why a reply ended: by itself or at a stop text, at the output budget, by the provider's filter, or unknown. */
export type FinishReason = "stop" | "length" | "content_filter" | "unknown";

/** Why a call gave no answer; `unsolved` is an item that the simulated reader cannot solve. */
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

/** Why a request was sent again. */
export interface Resent {
  readonly failure: FailureKind;
  /** The message of the provider or the network, without keys; the first of those that differ only in numbers. */
  readonly message: string;
  /** The number of times. */
  readonly times: number;
  /** The sum of its waits, in milliseconds. */
  readonly waitedMs: number;
}

/** The answer of a model. */
export interface Answer {
  /** Distinguishes it from a failure. */
  readonly kind: "answer";
  /** The text after the answer prefix, without thinking. */
  readonly text: string;
  /** The model's thinking, if the server returns it. */
  readonly thinking?: string;
  readonly finishReason: FinishReason;
  /** The model that the server names: usually the version behind an alias. */
  readonly servedModel?: string;
  /** The server's `system_fingerprint`; the simulated reader's begins with `simulated`. */
  readonly fingerprint?: string;
  /** The provider's own count of the prompt's tokens. */
  readonly promptTokens?: number;
  /** How many of the prompt's tokens came from the provider's cache. */
  readonly cachedTokens?: number;
  /** The provider's own count of the tokens written, thinking included. */
  readonly completionTokens?: number;
  /** How many of those were thinking, which may be hidden. */
  readonly reasoningTokens?: number;
  /** Time from the last request to its whole reply, in milliseconds. */
  readonly latencyMs: number;
  /** Time from the last request to the first text of its reply, in milliseconds; only of a stream. */
  readonly firstTokenMs?: number;
  /** The number of times that the request was sent, from 1. */
  readonly attempts: number;
  /** Why it was sent more than once; old runs have only the number. */
  readonly resent?: readonly Resent[];
}

/** A call without an answer. It is counted, and no mean includes it. */
export interface Failure {
  /** Distinguishes it from an answer. */
  readonly kind: "failure";
  readonly failure: FailureKind;
  /** The message of the provider or the network, without keys. */
  readonly message: string;
  /** Time from the last request to its failure, in milliseconds. */
  readonly latencyMs: number;
  /** The number of times that the request was sent; 0 if it was not. */
  readonly attempts: number;
  /** Why it was sent more than once. */
  readonly resent?: readonly Resent[];
}

/** The result of asking a model. */
export type Reply = Answer | Failure;

/** Settings as records keep them: without secrets, and without values that change between equal runs. */
export type ModelSettings = Readonly<
  Record<string, string | number | boolean | null>
>;

/** The source of a reply: a real model, the simulated reader, or a file that does not name its model. */
export type ReplyOrigin = "measured" | "simulated" | "unknown";

/** Returns whether a value is the origin of a reply. */
export function isReplyOrigin(value: unknown): value is ReplyOrigin {
  return value === "measured" || value === "simulated" || value === "unknown";
}

/** Returns whether one of the names is that of a simulated reader: it begins with `sim:`, or an export of Fathom marked it. */
export function isSimulatedName(names: readonly string[]): boolean {
  return names.some((name) => /(^|\/)sim:|\(simulated\)$/.test(name));
}

/** A model that answers samples: an endpoint, the simulated reader, or a recorded run. */
export interface Model {
  /** Its name in records, tables and figures; the simulated reader's begin with `sim:`. */
  readonly name: string;
  /** Whether its answers are real (`measured`) or the simulated reader's, as far as known before it is asked. */
  readonly origin: "measured" | "simulated";
  /** All settings that shape its answers, for the record. */
  readonly settings: ModelSettings;
  /** The text and tokens around a prompt, which samples are fitted with. */
  readonly template: ChatTemplate;
  /** The maximum length of a sample, in tokens, if known. */
  readonly window?: number;
  /** Its short name in OpenCompass's files. */
  readonly abbr?: string;
  /** The context window that its authors claim, in tokens, if known. */
  readonly claimedWindow?: number;
  /**
   * Asks one sample. Errors of the model or the network do not reject: they are a {@linkcode Failure}.
   *
   * @param signal Ends the call early; the promise then rejects with the signal's reason.
   * @param onWait Called with the reason whenever the request waits for its server.
   */
  ask(sample: Sample, signal?: AbortSignal, onWait?: (reason: string) => void): Promise<Reply>;
  /**
   * Returns the concurrency limit, if the server has less capacity than was asked for (llama.cpp slots share one KV cache);
   * otherwise `undefined`.
   */
  mostAtOnce?(): number | undefined;
  /** Starts with few concurrent requests, and adds more while throughput grows. */
  findPace?(): void;
  /** Ends all waits for its server: waiting calls reject, as if their signal had been aborted. */
  endWaits?(): void;
  /**
   * Probes its server with few and cheap calls; a model without a server has no such method. Never rejects.
   *
   * @param samples Some samples whose tokens the server counts, one of each task.
   */
  probe?(samples: Iterable<Sample>, options: ProbeOptions): Promise<Probe>;
  /**
   * Counts the prompt of a sample, as it is sent, in the server's own tokens; `undefined` if the server does not count.
   */
  countTokens?(sample: Sample, signal?: AbortSignal): Promise<number | undefined>;
  /** The batches of its server, if its protocol has any. */
  readonly batches?: BatchServer;
  /**
   * Returns the model with the tokens of its server's own chat template taken off each length: those around a prompt, and those
   * of each message after the first. Defined only for an endpoint whose options do not set the first number.
   */
  readonly withTemplateTokens?: ((tokens: number, messageTokens?: number) => Model) | undefined;
}

/** The status of a batch, as OpenAI names it. */
export type BatchStatus =
  | "validating"
  | "failed"
  | "in_progress"
  | "finalizing"
  | "completed"
  | "expired"
  | "cancelling"
  | "cancelled";

/** A batch as its server reports it. */
export interface ServerBatch {
  readonly id: string;
  /** The uploaded file of its requests. */
  readonly file: string;
  readonly status: BatchStatus;
  /** When the server began it, in ISO 8601. */
  readonly begun: string;
  /** The number of answered requests. */
  readonly answered: number;
  /** The number of failed requests. */
  readonly failed: number;
  /** The files of replies and of failures. */
  readonly outputs: readonly string[];
  /** Why the server refused it; only with the status `failed`. */
  readonly refusal?: BatchRefusal;
}

/** Why a server refused a batch. */
export interface BatchRefusal {
  readonly message: string;
  /** Whether its queue is full, so that the batch may be accepted later. */
  readonly isFull: boolean;
  /** The maximum number of queued prompt tokens, if the server names it. */
  readonly mostTokens?: number;
}

/** A line of a batch's output. */
export interface BatchLine {
  /** The `custom_id` of the request. */
  readonly id: string;
  /** The reply; `undefined` if the batch ended before the request was tried. */
  readonly reply: Reply | undefined;
  /** The time of the reply, in ISO 8601, if the line has it. */
  readonly time?: string;
}

/** The batches of a server: requests in a file, answered within a day. */
export interface BatchServer {
  /** Rejects if the server has no batches, or cannot be reached. */
  check(signal?: AbortSignal): Promise<void>;
  /** Returns the request of a sample as a line of a batch file, without a line break. */
  lineOf(id: string, sample: Sample): string;
  /** Reads a line of a batch's output; `undefined` if it is none. */
  read(line: string): BatchLine | undefined;
  /** Uploads a file of requests and returns its id. */
  upload(path: string, signal?: AbortSignal): Promise<string>;
  /** Begins a batch, or returns the one that has begun with that file. */
  begin(file: string, labels: Readonly<Record<string, string>>, options?: BeginOptions): Promise<ServerBatch>;
  /** Returns the state of a batch. */
  look(id: string, signal?: AbortSignal): Promise<ServerBatch>;
  /** Ends a batch; its answers so far stay. */
  cancel(id: string, signal?: AbortSignal): Promise<ServerBatch>;
  /** Writes a file of the server to disk, atomically. */
  save(file: string, path: string, signal?: AbortSignal): Promise<void>;
}

/** Options of {@linkcode BatchServer.begin}. */
export interface BeginOptions {
  readonly signal?: AbortSignal | undefined;
  /** Batches with that file that the server refused. */
  readonly refused?: readonly string[];
  /** Whether a batch may have begun with the file before: the server is then asked first. */
  readonly isTried?: boolean;
}

/** The result of a probe of a server. */
export interface Probe {
  readonly report: ServerReport;
  /** Why the first question had no answer; left out if it had one, or none was asked. */
  readonly failure?: Failure;
}

/** The beginning of a served simulated reader's fingerprint. */
export const SIMULATED_FINGERPRINT = "simulated";

/**
 * Returns whether a reply is real or the simulated reader's.
 *
 * A served simulated reader marks every answer, so no name can disguise it.
 */
export function replyOrigin<Origin extends ReplyOrigin>(
  model: { readonly origin: Origin },
  reply: Reply,
): Origin | "simulated" {
  if (reply.kind === "failure") return model.origin;
  const { fingerprint = "", servedModel = "" } = reply;
  // A proxy can drop one of them.
  const isSimulated = fingerprint.startsWith(SIMULATED_FINGERPRINT) || servedModel.startsWith("sim:");
  return isSimulated ? "simulated" : model.origin;
}

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns whether a value is a JSON object, not a list and not null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
