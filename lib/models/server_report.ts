/** What a server says of itself, without being asked to write anything. */
export interface ServerFacts {
  /** The server's software with its version, such as `vLLM 0.11.0`. */
  readonly software?: string;
  /** The names that it serves, without aliases. */
  readonly served?: readonly string[];
  /** Whether the model is among them by name or alias; left out where the server lists none. */
  readonly isServed?: boolean;
  /** The tokens that one prompt and its answer may have together. */
  readonly window?: number;
  /** The window that the model was trained with, where the server says it. */
  readonly trainedWindow?: number;
}

/** What one look at a server found before the first question; what it does not say is left out. */
export interface ServerReport extends ServerFacts {
  /** The server's address, without secrets. */
  readonly address: string;
  /** When it was looked at, in ISO 8601. */
  readonly time: string;
  /** Tokens that the server puts around a prompt: its chat template, and the marker of a text's start. */
  readonly templateTokens?: number;
  /** What it does with a last message of the assistant's; left out where none is sent. */
  readonly prefix?: PrefixFinding;
  /** Whether it counts tokens by `/tokenize`. */
  readonly canTokenize: boolean;
  /** How many of the model's tokens is one of ours, by task; what the server puts around a prompt is left out. */
  readonly tokenRatios: Readonly<Record<string, number>>;
  /** Whether it streams replies, with counts of tokens at their end; left out where no stream is asked for. */
  readonly streams?: boolean;
  /** Prompt tokens that it reads a second, about. */
  readonly readsPerSecond?: number;
  /** Tokens that it writes a second, about. */
  readonly writesPerSecond?: number;
  /** What further servers of the same model said, where several share the work. */
  readonly others?: readonly OtherServer[];
  /** Whether the server timed itself; otherwise the speeds are from whole calls, and so the least that they can be. */
  readonly isTimedByServer: boolean;
}

/** One of several servers of a model. */
export interface OtherServer
  extends Pick<ServerReport, "address" | "software" | "isServed" | "window" | "templateTokens" | "prefix"> {
  /** Why it did not answer; left out where it did. */
  readonly failure?: string;
}

/**
 * What a server does with a last message of the assistant's: it continues it, continues it and repeats it in the reply, begins
 * a new message, or refuses it. `unknown` where its count of tokens does not tell.
 */
export type PrefixFinding = "continued" | "repeated" | "not continued" | "refused" | "unknown";

/** Options for a look at a server. */
export interface PreflightOptions {
  /** Counts a text as the samples are counted. */
  readonly count: (text: string) => number;
  /**
   * Whether to ask short questions as well; without them only what costs nothing is found out, and a slow server is left alone.
   *
   * @default {true}
   */
  readonly asks?: boolean;
  /** Ends the look early; what was found so far is reported. */
  readonly signal?: AbortSignal;
  /** Called again and again while the server is still loading the model, which is waited for. */
  readonly onWait?: (reason: string) => void;
}
