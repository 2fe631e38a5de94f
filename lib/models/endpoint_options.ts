import type { Frame } from "@/lib/generators/mod.ts";
import type { PrefixPlace } from "./render.ts";

/** Waits before a request is sent again; ends early when the signal does. */
export type Delay = (milliseconds: number, signal?: AbortSignal) => Promise<unknown>;

/** How {@linkcode openEndpoint} asks a model. */
export interface EndpointOptions {
  /**
   * The part of the address before `/chat/completions` or `/completions`, such as `http://127.0.0.1:8000/v1`.
   *
   * A name and password in it are sent as basic authorization in the place of the key, and shown nowhere.
   */
  readonly baseUrl: string;
  /** The model, as the server calls it; answers of one that begins with `sim:`, or that say so themselves, are kept as simulated. */
  readonly model: string;
  /** The key; many servers of one's own need none. It is sent as a header and stands in no setting and no message. */
  readonly apiKey?: string;
  /**
   * Further headers of every request, such as `{ "api-key": … }` for Azure. Their names stand in the record, what they hold
   * nowhere; one called `authorization` takes the place of the key's.
   *
   * @default {{}}
   */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * What the model is called in records and figures.
   *
   * @default {model}
   */
  readonly name?: string;
  /**
   * Which interface is asked.
   *
   * @default {"chat"}
   */
  readonly api?: "chat" | "completions";
  /**
   * What stands round the prompt: a chat template for completions ({@linkcode frameOf}), or further words for a chat.
   *
   * @default {BASE_FRAME}
   */
  readonly template?: Frame;
  /** A system message. Chat only. */
  readonly system?: string;
  /**
   * Where the answer prefix goes. Completions have it after the template.
   *
   * @default {"appended"}
   */
  readonly answerPrefix?: PrefixPlace;
  /**
   * Whether `continue_final_message: true` and `add_generation_prompt: false` go with an answer prefix of the assistant's:
   * vLLM, SGLang and newer llama.cpp want them, other servers refuse them.
   *
   * @default {false}
   */
  readonly continueFlags?: boolean;
  /**
   * Texts at which the model stops, at most four on most servers.
   *
   * @default {[]}
   */
  readonly stop?: readonly string[];
  /**
   * Temperature, in [0, 2]; `null` leaves it out, for models that refuse any.
   *
   * @default {0}
   */
  readonly temperature?: number | null;
  /** Nucleus sampling, in (0, 1]; left out unless given. */
  readonly topP?: number;
  /** The server's sampling seed; left out unless given. */
  readonly seed?: number;
  /** Output budget, in tokens, without thinking; the sample's answer room unless given. */
  readonly maxTokens?: number;
  /**
   * Tokens added to the output budget for a model that thinks before it answers.
   *
   * @default {0}
   */
  readonly thinkingTokens?: number;
  /**
   * Whether prompts are made shorter by the thinking tokens, so that both fit the sample's length. As a rule they are not: a
   * length then means as much text for a model that thinks as for one that does not, and the window must be larger than the
   * length by the thinking tokens.
   *
   * @default {false}
   */
  readonly thinkingInside?: boolean;
  /**
   * The field that carries the output budget: OpenAI's thinking models know only the second.
   *
   * @default {"max_tokens"}
   */
  readonly budgetField?: "max_tokens" | "max_completion_tokens";
  /**
   * Tokens that the server's own template adds; prompts are made shorter by as many. For chats with api.openai.com 4 for each
   * message and 3 for the start of the reply (OpenAI's cookbook: 3 a message, 1 for its role, 3 to prime the reply), elsewhere
   * 0 unless given, as each model's template is another.
   */
  readonly templateTokens?: number;
  /**
   * Further fields of the request, such as `{ reasoning_effort: "low" }`; none that has an option here.
   *
   * @default {{}}
   */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /**
   * Time for one whole reply, in milliseconds. Range: 1 to a day. A request that takes longer is not sent again.
   *
   * @default {600000}
   */
  readonly timeoutMs?: number;
  /**
   * How often one question is sent at most, from 1 to 100. It is sent again after rate limits, errors of the server's own and
   * broken connections alone.
   *
   * @default {5}
   */
  readonly attempts?: number;
  /**
   * The longest wait before a question is sent again, in milliseconds; a server that asks for more is not asked again.
   *
   * @default {120000}
   */
  readonly longestWaitMs?: number;
  /**
   * Waits between attempts.
   *
   * @default {a timer}
   */
  readonly delay?: Delay;
  /**
   * Draws from [0, 1), to spread waits; no answer depends on it.
   *
   * @default {Math.random}
   */
  readonly random?: () => number;
}
