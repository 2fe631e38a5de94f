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
