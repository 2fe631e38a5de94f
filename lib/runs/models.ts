import { type Benchmark, readSimulated } from "@/lib/benchmarks/mod.ts";
import { PLAIN_TEMPLATE, type Sample } from "@/lib/generators/mod.ts";
import {
  chatTemplate,
  type EndpointOptions,
  joinPrompt,
  type Model,
  openEndpoint,
  openProfile,
  parseHeaders,
  PROFILE_NAMES,
  type Reply,
} from "@/lib/models/mod.ts";

/** A model by name, with what an endpoint needs beside it. */
export interface ModelChoice extends Partial<Omit<EndpointOptions, "model" | "template" | "apiKey">> {
  /** A model as its server calls it, or a profile of the simulated reader such as `sim:ideal`. */
  readonly model: string;
  /** The name of a chat template for completions; see {@linkcode CHAT_TEMPLATES}. */
  readonly template?: string;
}

/** Where models are when neither a flag nor the environment names another place. */
const OPENAI_URL = "https://api.openai.com/v1";

/**
 * Opens a model: the simulated reader for names that begin with `sim:`, an OpenAI-compatible endpoint for all others.
 *
 * The key is read from `OPENAI_API_KEY`. Without a base URL, that of `OPENAI_BASE_URL` is taken, then OpenAI's own. Further
 * headers are read from `OPENAI_CUSTOM_HEADERS`, one `name: value` a line.
 *
 * @param choice The model and its settings.
 * @param environment Reads a variable of the environment.
 * @param simulated Whose tasks the simulated reader can read, where it is the one that is asked.
 * @returns The model; nothing has been asked yet.
 * @throws {RangeError} If there is no such profile, or the endpoint's options are not what they should be.
 * @throws {SyntaxError} If the headers of the environment are none.
 *
 * @example The simulated reader needs nothing
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(openModel({ model: "sim:ideal" }, () => undefined).origin, "simulated");
 * ```
 */
export function openModel(
  choice: ModelChoice,
  environment: (name: string) => string | undefined,
  simulated: SimulatedModelOptions = {},
): Model {
  const { model, template, baseUrl = environment("OPENAI_BASE_URL"), ...options } = choice;
  // With a URL of its own, the name is that of a served reader (`fathom serve`), which is still a simulated one.
  if (model.startsWith("sim:") && choice.baseUrl === undefined) return simulatedModel(model, simulated);
  const apiKey = environment("OPENAI_API_KEY");
  if (baseUrl === undefined && apiKey === undefined) {
    const hint = PROFILE_NAMES.includes(model) ? `, or the model "sim:${model}"` : "";
    throw new RangeError(
      `Cannot open the model as a base URL (--base-url or OPENAI_BASE_URL) or a key (OPENAI_API_KEY) must be given${hint}: current value is "${model}"`,
    );
  }
  return openEndpoint({
    ...options,
    model,
    baseUrl: baseUrl ?? OPENAI_URL,
    headers: { ...parseHeaders(environment("OPENAI_CUSTOM_HEADERS") ?? ""), ...options.headers },
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(template === undefined ? {} : { template: chatTemplate(template) }),
  });
}

/** Raised whenever the reader answers the same prompt differently; part of every record's settings. */
export const SIMULATION_VERSION = 1;

/** Options for {@linkcode simulatedModel}. */
export interface SimulatedModelOptions {
  /**
   * The latency that replies tell, in milliseconds. Nothing waits for it.
   *
   * @default {0}
   */
  readonly latencyMs?: number;
  /** Whose tasks it can read; those that come with Fathom unless given. */
  readonly benchmarks?: readonly Benchmark[] | undefined;
}

/**
 * Makes a model of the simulated reader, to be asked as any other model is. It needs no key and no network.
 *
 * It sees the prompt's text alone, never the references or facts of a sample. Its replies are not cut to the answer room.
 *
 * @param name A profile's name, with or without `sim:` before it.
 * @param options What replies tell of time.
 * @returns The model, named `sim:` and the profile's name; its origin is `simulated`.
 * @throws {RangeError} If there is no such profile; the message lists them.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(simulatedModel("gpt-4").name, "sim:gpt-4");
 * equal(simulatedModel("gpt-4").origin, "simulated");
 * ```
 */
export function simulatedModel(name: string, options: SimulatedModelOptions = {}): Model {
  const { latencyMs = 0, benchmarks } = options;
  const profile = openProfile(name);
  const ask = ({ prompt }: Sample, signal?: AbortSignal): Reply => {
    if (signal?.aborted) {
      return { kind: "failure", failure: "connection", message: "The call was ended", latencyMs, attempts: 0 };
    }
    const { text, mistakes } = readSimulated(joinPrompt(prompt), profile, benchmarks);
    const isLooped = mistakes.some(({ kind }) => kind === "looped");
    return { kind: "answer", text, finishReason: isLooped ? "length" : "stop", latencyMs, attempts: 1 };
  };
  return {
    name: `sim:${profile.name}`,
    origin: "simulated",
    settings: { profile: profile.name, simulation: SIMULATION_VERSION },
    frame: PLAIN_TEMPLATE,
    ask: (sample, signal) => Promise.resolve(ask(sample, signal)),
  };
}
