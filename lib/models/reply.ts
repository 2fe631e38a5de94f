/** Why a reply ended: by itself or at a stop text, at the output budget, by the provider's filter, with a tool call, or unknown. */
export type FinishReason = "stop" | "length" | "content_filter" | "tool_call" | "unknown";

/**
 * Why a call gave no answer; `filtered` is a prompt that the provider's moderation refused, `unsolved`, in older runs, an item
 * that the simulated reader could not solve.
 */
export const FAILURE_KINDS = [
  ...["connection", "timeout", "rate_limit", "authentication", "not_found", "context_length", "bad_request"] as const,
  ...["server", "bad_reply", "filtered", "unsolved"] as const,
] as const;
/** One of {@linkcode FAILURE_KINDS}. */
export type FailureKind = typeof FAILURE_KINDS[number];

/** Why a request was sent again. */
export interface Resent {
  readonly failure: FailureKind;
  /** The message of the provider or the network, without keys; the first of those that differ only in numbers. */
  readonly message: string;
  /** How often. */
  readonly times: number;
  /** The sum of its waits. */
  readonly waitedMs: number;
}

/** The facts of a call, with or without an answer. */
export interface CallFacts {
  /** Time from the last request to its whole reply or its failure. */
  readonly latencyMs: number;
  /** How often the request was sent; 0 if it was not. */
  readonly attempts: number;
  /** Why it was sent more than once; old runs have only the number. */
  readonly resent?: readonly Resent[];
  /** How the request differed from the settings, as the server refuses some of their fields: `without temperature`. */
  readonly adapted?: readonly string[];
}

/** The answer of a model. */
export interface Answer extends CallFacts {
  readonly kind: "answer";
  /** The text after the answer prefix, without thinking. */
  readonly text: string;
  readonly thinking?: string;
  readonly finishReason: FinishReason;
  /** Set if the reply began with its prompt, which is no part of `text`. */
  readonly repeatsPrompt?: true;
  /** The model that the server names: usually the version behind an alias. */
  readonly servedModel?: string;
  /** The server's `system_fingerprint`; the simulated reader's begins with `simulated`. */
  readonly fingerprint?: string;
  /** The provider's own count of the prompt's tokens. */
  readonly promptTokens?: number;
  /** Those of the prompt that came from the provider's cache. */
  readonly cachedTokens?: number;
  /** The provider's own count of the tokens written, thinking included. */
  readonly completionTokens?: number;
  /** Those of thinking, which may be hidden. */
  readonly reasoningTokens?: number;
  /** Time from the last request to the first text of its reply; only of a stream. */
  readonly firstTokenMs?: number;
}

/** A call without an answer. It is counted, and no mean includes it. */
export interface Failure extends CallFacts {
  readonly kind: "failure";
  readonly failure: FailureKind;
  readonly message: string;
}

/** The result of asking a model. */
export type Reply = Answer | Failure;

/** Settings as records keep them: without secrets, and without values that change between equal runs. */
export type ModelSettings = Readonly<Record<string, string | number | boolean | null>>;

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

/** The beginning of a served simulated reader's fingerprint. */
export const SIMULATED_FINGERPRINT = "simulated";

/** Returns whether a reply is real or the simulated reader's, which marks every answer, so that no name can disguise it. */
export function replyOrigin<Origin extends ReplyOrigin>(
  { origin }: { readonly origin: Origin },
  reply: Reply,
): Origin | "simulated" {
  if (reply.kind === "failure") return origin;
  const { fingerprint = "", servedModel = "" } = reply;
  // A proxy can drop one of them.
  return fingerprint.startsWith(SIMULATED_FINGERPRINT) || servedModel.startsWith("sim:") ? "simulated" : origin;
}

/** Bounds of a model's own tokens for one local token, from the largest vocabularies to single bytes. */
const PLAUSIBLE = { least: 0.25, most: 8 };

/**
 * Whether a server's count of a prompt can be that of the whole prompt. Some servers leave out the tokens that they have cached, so
 * that a prompt of 900 tokens has 44.
 */
export function isPlausibleCount(counted: number, sent: number): boolean {
  return !(counted < PLAUSIBLE.least * sent || counted > PLAUSIBLE.most * sent);
}
