import type { ProbeOptions, ServerReport } from "./server_report.ts";
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

/** Why a question was sent again. */
export interface Resent {
  readonly failure: FailureKind;
  /** What the provider or the network said, keys left out; the first of several that differ in numbers alone. */
  readonly message: string;
  /** How often. */
  readonly times: number;
  /** How long it waited each time, added up, in milliseconds. */
  readonly waitedMs: number;
}

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
  /** How many of those were thinking, which may be hidden. */
  readonly reasoningTokens?: number;
  /** Time from the last request to its whole reply, in milliseconds. */
  readonly latencyMs: number;
  /** Time from the last request to the first text of its reply, in milliseconds, where that came as a stream. */
  readonly firstTokenMs?: number;
  /** How often the question was sent, from 1. */
  readonly attempts: number;
  /** Which server answered, where several share the work: its address, without secrets. */
  readonly server?: string;
  /** Why it was sent more than once; runs from before this was kept have only the number. */
  readonly resent?: readonly Resent[];
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
  /** Which server failed last, where several share the work: its address, without secrets. */
  readonly server?: string;
  /** Why it was sent more than once. */
  readonly resent?: readonly Resent[];
}

/** What came back when a model was asked. */
export type Reply = Answer | Failure;

/** Settings as records keep them: nothing secret, nothing that changes between equal runs. */
export type ModelSettings = Readonly<
  Record<string, string | number | boolean | null>
>;

/** Where a reply comes from: a real model, the simulated reader, or a file that does not tell which. */
export type ReplyOrigin = "measured" | "simulated" | "unknown";

/** Whether a value names the origin of a reply. */
export function isReplyOrigin(value: unknown): value is ReplyOrigin {
  return value === "measured" || value === "simulated" || value === "unknown";
}

/** Whether one of some models' names is that of a simulated reader: it begins with `sim:`, or an export of Fathom has marked it. */
export function isSimulatedName(names: readonly string[]): boolean {
  return names.some((name) => /(^|\/)sim:|\(simulated\)$/.test(name));
}

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
  /** What the user should know of its servers after a run: which of several were left. */
  serverNotes?(): readonly string[];
  /** Ends all waits for its server: the calls that wait reject, as when their signal had ended them. */
  endWaits?(): void;
  /**
   * Probes its server with few and cheap calls; a model without a server has no such method. Never rejects.
   *
   * @param samples Some samples whose tokens the server counts, one of each task.
   */
  probe?(samples: Iterable<Sample>, options: ProbeOptions): Promise<Probe>;
  /**
   * Counts the prompt of a sample, as it is sent, in the tokens of its own server; `undefined` where that cannot count. A model
   * without a server has no such method.
   */
  countTokens?(sample: Sample, signal?: AbortSignal): Promise<number | undefined>;
  /** The batches of its server; a model without a server has none. */
  readonly batches?: BatchServer;
  /**
   * Returns the model with the tokens of its server's own chat template taken off each length: those around a prompt, and those
   * of each message after the first. Defined only for an endpoint whose options do not set the first number.
   */
  readonly withTemplateTokens?: ((tokens: number, messageTokens?: number) => Model) | undefined;
}

/** How far a batch is, in OpenAI's words. */
export type BatchStatus =
  | "validating"
  | "failed"
  | "in_progress"
  | "finalizing"
  | "completed"
  | "expired"
  | "cancelling"
  | "cancelled";

/** A batch as its server tells it. */
export interface ServerBatch {
  readonly id: string;
  /** The uploaded file of its requests. */
  readonly file: string;
  readonly status: BatchStatus;
  /** When the server began it, in ISO 8601. */
  readonly begun: string;
  /** How many of its requests are answered. */
  readonly answered: number;
  /** How many of them failed. */
  readonly failed: number;
  /** The files of replies and of failures, once there are any. */
  readonly outputs: readonly string[];
  /** Why the server refused it; only with the status `failed`. */
  readonly refusal?: BatchRefusal;
}

/** Why a server took no batch. */
export interface BatchRefusal {
  readonly message: string;
  /** Whether its queue is full, so that the batch can be taken later. */
  readonly isFull: boolean;
  /** The most prompt tokens that may be queued, where it says so. */
  readonly mostTokens?: number;
}

/** A line of a batch's output. */
export interface BatchLine {
  /** The `custom_id` of the request. */
  readonly id: string;
  /** What came back; `undefined` where the batch ended before the request was tried. */
  readonly reply: Reply | undefined;
  /** When the reply was made, in ISO 8601, where the line says so. */
  readonly time?: string;
}

/** The batches of a server: requests in a file, answered within a day. */
export interface BatchServer {
  /** Rejects where the server has no batches, or cannot be asked. */
  check(signal?: AbortSignal): Promise<void>;
  /** The request of a sample as a line of a batch's file, without a line break. */
  lineOf(id: string, sample: Sample): string;
  /** Reads a line of a batch's output; `undefined` where it is none. */
  read(line: string): BatchLine | undefined;
  /** Uploads a file of requests; gives its id. */
  upload(path: string, signal?: AbortSignal): Promise<string>;
  /** Begins a batch, or gives the one that has begun with that file already. */
  begin(file: string, labels: Readonly<Record<string, string>>, options?: BeginOptions): Promise<ServerBatch>;
  /** Asks how far a batch is. */
  look(id: string, signal?: AbortSignal): Promise<ServerBatch>;
  /** Ends a batch; what is answered by then stays. */
  cancel(id: string, signal?: AbortSignal): Promise<ServerBatch>;
  /** Writes a file of the server to disk, whole or not at all. */
  save(file: string, path: string, signal?: AbortSignal): Promise<void>;
}

/** Options of {@linkcode BatchServer.begin}. */
export interface BeginOptions {
  readonly signal?: AbortSignal | undefined;
  /** Batches with that file that do not count, as the server refused them. */
  readonly refused?: readonly string[];
  /** Whether the file may have been given to the server before: then it is asked first. */
  readonly isTried?: boolean;
}

/** The result of a probe of a server. */
export interface Probe {
  readonly report: ServerReport;
  /** Why the first question had no answer; left out if it had one, or none was asked. */
  readonly failure?: Failure;
}

/** How the simulated reader's fingerprint begins, wherever it is served. */
export const SIMULATED_FINGERPRINT = "simulated";

/**
 * Whether a reply is real or the simulated reader's.
 *
 * A served simulated reader says so in every answer, so it cannot pass for a model by the name it is asked by.
 */
export function replyOrigin<Origin extends ReplyOrigin>(
  model: { readonly origin: Origin },
  reply: Reply,
): Origin | "simulated" {
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
