/** Facts that a server reports about itself without generating text. */
export interface ServerFacts {
  /** The server's software with its version, such as `vLLM 0.11.0`. */
  readonly software?: string;
  /** The names of its models, without aliases. */
  readonly served?: readonly string[];
  /** Whether the model is among them by name or alias; left out if the server lists none. */
  readonly isServed?: boolean;
  /** The maximum tokens of a prompt and its answer together. */
  readonly window?: number;
  /** The window that the model was trained with, if the server reports it. */
  readonly trainedWindow?: number;
}

/** The findings of a probe before the first question; facts that the server does not give are left out. */
export interface ServerReport extends ServerFacts {
  /** The server's address, without secrets. */
  readonly address: string;
  /** The time of the probe, in ISO 8601. */
  readonly time: string;
  /** Tokens that the server adds to a prompt: its chat template, and the token that starts a text. */
  readonly templateTokens?: number;
  /** Tokens that the chat template adds for each message after the first; measured only for prompts of several turns. */
  readonly messageTokens?: number;
  /** How it treats a last message of the assistant; left out if none is sent. */
  readonly prefix?: PrefixFinding;
  /** Whether it counts the tokens of texts or requests. */
  readonly canTokenize: boolean;
  /** Ratio of server tokens to local tokens, by task, without the tokens that the server adds. */
  readonly tokenRatios: Readonly<Record<string, number>>;
  /** Whether it streams replies, with token counts at their end; left out if no stream is requested. */
  readonly streams?: boolean;
  /** Approximate prompt tokens read per second. */
  readonly readsPerSecond?: number;
  /** Approximate tokens written per second. */
  readonly writesPerSecond?: number;
  /** Whether the server timed itself; otherwise the speeds are those of whole calls, which are lower bounds. */
  readonly isTimedByServer: boolean;
}

/**
 * How a server treats a last message of the assistant: continues it, continues it and repeats it in the reply, begins a new
 * message, or refuses it; `unknown` if its token counts do not decide.
 */
export type PrefixFinding = "continued" | "repeated" | "not continued" | "refused" | "unknown";

/** Options for a probe of a server. */
export interface ProbeOptions {
  /** Counts a text in the tokens of the samples. */
  readonly count: (text: string) => number;
  /**
   * Whether to ask short questions; without them the probe costs nothing, and does not wait for a slow server.
   *
   * @default {true}
   */
  readonly asks?: boolean;
  /** Ends the probe early; the report has what was found so far. */
  readonly signal?: AbortSignal;
  /** Called repeatedly while the server is loading the model. */
  readonly onWait?: (reason: string) => void;
}
