import type { BatchServer } from "./batches.ts";
import type { Failure, ModelSettings, Reply } from "./reply.ts";
import type { ChatTemplate, Sample } from "@/lib/generators/mod.ts";
import type { Likelihood, LikelihoodWay, RightAnswer } from "@/lib/scorers/mod.ts";

/** A model that answers samples: an endpoint, the simulated reader, or a recorded run. */
export interface Model {
  /** The simulated reader's begin with `sim:`. */
  readonly name: string;
  /** As far as known before it is asked. */
  readonly origin: "measured" | "simulated";
  readonly settings: ModelSettings;
  /** The text and tokens around a prompt, which samples are fitted with. */
  readonly template: ChatTemplate;
  /** The maximum length of a sample, in tokens, if known. */
  readonly window?: number;
  /** The context window that its authors claim, in tokens, if known. */
  readonly claimedWindow?: number;
  /** Its short name in OpenCompass's files. */
  readonly abbr?: string;
  /**
   * Asks one sample. Errors of the model or the network do not reject: they are a {@linkcode Failure}.
   *
   * @param signal Ends the call early; the promise then rejects with the signal's reason.
   * @param onWait Called with the reason whenever the request waits for its server.
   */
  ask(sample: Sample, signal?: AbortSignal, onWait?: (reason: string) => void): Promise<Reply>;
  /**
   * Returns the probabilities of right answers after the prompt of a sample, in the model's own tokens; a model whose API has no
   * log-probabilities has no such method.
   */
  weigh?(sample: Sample, answers: readonly RightAnswer[], signal?: AbortSignal): Promise<Likelihood | Failure>;
  /** Returns the concurrency limit if the server has less capacity than was asked for (llama.cpp slots share one cache). */
  mostAtOnce?(): number | undefined;
  /** Ends all waits for its server: waiting calls reject, as if their signal had been aborted. */
  endWaits?(): void;
  /**
   * Probes its server with few and cheap calls; a model without a server has no such method. Never rejects.
   *
   * @param samples Some samples whose tokens the server counts, one of each task.
   */
  probe?(samples: Iterable<Sample>, options: ProbeOptions): Promise<Probe>;
  /** Counts the prompt of a sample, as it is sent, in the server's own tokens; `undefined` if the server does not count. */
  countTokens?(sample: Sample, signal?: AbortSignal): Promise<number | undefined>;
  /** The batches of its server, if its protocol has any. */
  readonly batches?: BatchServer;
  /**
   * Returns the model with the tokens of its server's own chat template taken off each length: those around a prompt, and those
   * of each message after the first. Defined only for an endpoint whose options do not set the first number.
   */
  readonly withTemplateTokens?: ((tokens: number, messageTokens?: number) => Model) | undefined;
}

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
  /** The path or the name of the model's weights. */
  readonly weights?: string;
}

/** The findings of a probe before the first question; facts that the server does not give are left out. */
export interface ServerReport extends ServerFacts {
  /** Without secrets. */
  readonly address: string;
  /** In ISO 8601. */
  readonly time: string;
  /** Tokens that the server adds to a prompt: its chat template, and the token that starts a text. */
  readonly templateTokens?: number;
  /** Tokens that the chat template adds for each message after the first; measured only for prompts of several turns. */
  readonly messageTokens?: number;
  /** How it treats a last message of the assistant; `unknown` if its token counts do not decide. Left out if none is sent. */
  readonly prefix?: "continued" | "repeated" | "not continued" | "refused" | "unknown";
  /** How requests differ from the settings, as it refuses some of their fields: `without temperature`. */
  readonly adapted?: readonly string[];
  /** Whether its replies begin with their prompts; left out if not. */
  readonly repeatsPrompt?: boolean;
  readonly canTokenize: boolean;
  /** How it gives the probability of a text; left out if that was not tried. */
  readonly weighs?: LikelihoodWay | "not at all";
  /** Ratio of server tokens to local tokens, by task, without the tokens that the server adds. */
  readonly tokenRatios: Readonly<Record<string, number>>;
  /** Whether it streams replies, with token counts at their end; left out if no stream is requested. */
  readonly streams?: boolean;
  /** Prompt tokens read per second in a whole call: a lower bound. */
  readonly readsPerSecond?: number;
  /** Tokens written per second in a whole call: a lower bound. */
  readonly writesPerSecond?: number;
}

/** Options for a probe of a server. */
export interface ProbeOptions {
  /** Counts a text in the tokens of the samples. */
  readonly count: (text: string) => number;
  /**
   * Whether to ask short questions; without them the probe costs nothing.
   *
   * @default {true}
   */
  readonly asks?: boolean;
  /** Whether to find out how the server gives the probability of a text. */
  readonly weighs?: boolean | undefined;
  /** Ends the probe early; the report has what was found so far. */
  readonly signal?: AbortSignal;
  /** Called repeatedly while the server is loading the model. */
  readonly onWait?: (reason: string) => void;
}

/** The result of a probe of a server. */
export interface Probe {
  readonly report: ServerReport;
  /** Why the first question had no answer; left out if it had one, or none was asked. */
  readonly failure?: Failure;
}
