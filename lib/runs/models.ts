import { type ModelEntry, MODELS_FILE, readModelEntries } from "./model_entries.ts";
import type { Study } from "./study.ts";
import { type Benchmark, listReaders } from "@/lib/benchmarks/mod.ts";
import { type ChatTemplate, PLAIN_TEMPLATE, type Prompt, type Sample } from "@/lib/generators/mod.ts";
import {
  joinPrompt,
  type Model,
  openEndpoint,
  openProfile,
  parseHeaders,
  PROFILE_NAMES,
  type PromptRead,
  readAs,
  readPrompt,
  type Reply,
} from "@/lib/models/mod.ts";

/** A model by name, and what replaces parts of its entry. */
export interface ModelChoice extends Omit<ModelEntry, "model" | "chatTemplate"> {
  /** An entry, a model as its server calls it, or a simulated reader such as `sim:ideal`. */
  readonly model: string;
  /**
   * The path of the file of models.
   *
   * @default {data/models.yaml}
   */
  readonly models?: string;
  /** A template, its name, or a text with `{task_template}` where the prompt goes. */
  readonly chatTemplate?: ChatTemplate | string;
}

/** A model with what its entry says of runs. */
export interface OpenedModel
  extends Model, Pick<ModelEntry, "tokenizer" | "concurrency" | "price" | "requestsPerMinute" | "tokensPerMinute"> {}

/** Counts a study with a model's own tokenizer, unless the study names one: an encoding of another model can be a third off. */
export function countedFor(study: Study, { tokenizer }: Pick<OpenedModel, "tokenizer">): Study {
  return tokenizer === undefined || study.tokenizer !== undefined ? study : { ...study, tokenizer };
}

/** Reads a variable of the environment; `undefined` where it is not set. */
export type ReadVariable = (name: string) => string | undefined;

/** Options for {@linkcode openModel}. */
export interface OpenModelOptions extends Pick<SimulatedModelOptions, "benchmarks" | "reads"> {
  /**
   * The wording of RULER that it will be asked. In the paper's, GPT-4 has an instruction of its own: without another chat template
   * a model called `gpt-4…` gets the one called `gpt-4`.
   */
  readonly variant?: Study["variant"] | undefined;
  /**
   * Reads a variable of the environment.
   *
   * @default {the process's}
   */
  readonly environment?: ReadVariable;
}

const OPENAI_URL = "https://api.openai.com/v1";
/** Names of GPT-4 at OpenAI, and at providers that put a maker before it. */
const GPT_4 = /(^|\/)gpt-4/i;

/**
 * Opens a model: the simulated reader for names that begin with `sim:`, otherwise the entry of that name in a file of models,
 * otherwise the model of that name at an OpenAI-compatible endpoint. Nothing is asked yet.
 *
 * The key is read from `OPENAI_API_KEY`, unless the entry has a header `authorization`. The address is the entry's, that of
 * `OPENAI_BASE_URL`, or OpenAI's. Further headers are read from `OPENAI_CUSTOM_HEADERS`, one `name: value` a line.
 *
 * @throws {RangeError} If there is no such model, or a setting is not what it should be.
 * @throws {SyntaxError} If a header of the environment cannot be read.
 *
 * @example The simulated reader needs nothing
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal((await openModel({ model: "sim:ideal" })).origin, "simulated");
 * ```
 */
export async function openModel(
  choice: ModelChoice,
  { environment = (name) => Deno.env.get(name) || undefined, benchmarks, reads, variant }: OpenModelOptions = {},
): Promise<OpenedModel> {
  if (isSimulatedReader(choice)) return simulatedModel(choice.model, { benchmarks, reads });
  const entry = await findEntry(choice, environment);
  const { models: _file, tokenizer, window, abbr, claimedWindow, concurrency, price, chatTemplate, ...options } = {
    ...entry,
    ...choice,
    ...(entry === undefined ? {} : { name: choice.model }),
    model: entry?.model ?? choice.model,
  };
  const apiKey = environment("OPENAI_API_KEY");
  const template = chatTemplate ?? (variant === "paper" && GPT_4.test(options.model) ? "gpt-4" : undefined);
  const model = openEndpoint({
    ...options,
    ...(template === undefined ? {} : { chatTemplate: template as ChatTemplate }),
    baseUrl: options.baseUrl ?? environment("OPENAI_BASE_URL") ?? OPENAI_URL,
    headers: {
      ...parseHeaders(environment("OPENAI_CUSTOM_HEADERS") ?? ""),
      ...fillHeaders(entry?.headers ?? {}, { model: choice.model, environment }),
      ...choice.headers,
    },
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  const { requestsPerMinute, tokensPerMinute } = options;
  const thinking = options.thinkingInLength ? 0 : options.thinkingTokens ?? 0;
  return {
    ...model,
    ...(window === undefined ? {} : { window: window - thinking }),
    ...(abbr === undefined ? {} : { abbr }),
    ...(claimedWindow === undefined ? {} : { claimedWindow }),
    ...(tokenizer === undefined ? {} : { tokenizer }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(price === undefined ? {} : { price }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(tokensPerMinute === undefined ? {} : { tokensPerMinute }),
  };
}

/** Whether a simulated reader answers; with a URL, the name is that of a served one (`fathom serve`). */
export function isSimulatedReader({ model, baseUrl }: ModelChoice): boolean {
  return model.startsWith("sim:") && baseUrl === undefined;
}

/** Finds the entry of a model; `undefined` where it has none and it is clear which server to ask. */
async function findEntry(
  { model, models = MODELS_FILE, baseUrl }: ModelChoice,
  environment: ReadVariable,
): Promise<ModelEntry | undefined> {
  const entries = await readModelEntries(models);
  const entry = entries.find(model);
  if (entry !== undefined) return entry;
  const isOwnFile = models !== MODELS_FILE;
  const hasServer = environment("OPENAI_BASE_URL") !== undefined || environment("OPENAI_API_KEY") !== undefined;
  if (baseUrl !== undefined || (hasServer && !isOwnFile)) return undefined;
  const hint = PROFILE_NAMES.includes(model) ? `; the simulated reader's profile is "sim:${model}"` : "";
  const names = entries.names.join(", ") || "(none)";
  throw new RangeError(
    `Cannot open the model as its name must be one of ${names} in "${models}", or a base URL (--base-url${
      isOwnFile ? "" : " or OPENAI_BASE_URL"
    }) ${isOwnFile ? "" : "or a key (OPENAI_API_KEY) "}must be given${hint}: current value is "${model}"`,
  );
}

/** Fills in the environment's variables that an entry's headers name, as in `Bearer ${MY_KEY}`. */
function fillHeaders(
  headers: Readonly<Record<string, string>>,
  { model, environment }: { readonly model: string; readonly environment: ReadVariable },
): Record<string, string> {
  const fill = (header: string, value: string): string =>
    value.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => {
      const held = environment(variable);
      if (held !== undefined) return held;
      throw new RangeError(
        `Cannot open model "${model}" as ${variable}, which its header ${header} names, must be set in the environment: current value is empty`,
      );
    });
  return Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, fill(header, value)]));
}

/** Raised whenever the reader answers the same prompt differently; part of every record's settings. */
export const SIMULATION_VERSION = 2;

/** Options for {@linkcode simulatedModel}. */
export interface SimulatedModelOptions {
  /**
   * The latency that replies report, in milliseconds; nothing waits for it.
   *
   * @default {0}
   */
  readonly latencyMs?: number;
  /** The benchmarks whose tasks it can read; those that come with Fathom by default. */
  readonly benchmarks?: readonly Benchmark[] | undefined;
  /** What was read of prompts so far, shared by several readers of the same samples: each prompt is read once. */
  readonly reads?: PromptReads | undefined;
}

/** What was read of prompts; `null` where nobody knows the task. */
export type PromptReads = WeakMap<Prompt, PromptRead | null>;

/**
 * Makes a model of the simulated reader, which needs no key and no network.
 *
 * It gets the prompt's text alone, never the references or facts of a sample. Its replies are not cut to the answer room. An item
 * that it cannot solve, such as a question of the user's own, is a failed call and no wrong answer. The window that it claims is
 * that of the model it imitates.
 *
 * @param name A profile's name, with or without `sim:` before it.
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
  const { latencyMs = 0, benchmarks, reads = new WeakMap() } = options;
  const [profile, readers] = [openProfile(name), listReaders(benchmarks)];
  const ask = ({ prompt }: Sample, signal?: AbortSignal): Reply => {
    if (signal?.aborted) {
      return { kind: "failure", failure: "connection", message: "The call was ended", latencyMs, attempts: 0 };
    }
    const joined = joinPrompt(prompt);
    const read = reads.has(prompt) ? reads.get(prompt)! : readPrompt(joined, readers);
    reads.set(prompt, read);
    const { text, mistakes, unsolved } = readAs(joined, { profile, readers, read });
    // No wrong answer, but none: a score of 0 would say something of the reader's memory.
    if (unsolved !== undefined) {
      return { kind: "failure", failure: "unsolved", message: unsolved, latencyMs, attempts: 1 };
    }
    const isLooped = mistakes.some(({ kind }) => kind === "looped" || kind === "again");
    return { kind: "answer", text, finishReason: isLooped ? "length" : "stop", latencyMs, attempts: 1 };
  };
  return {
    name: `sim:${profile.name}`,
    origin: "simulated",
    settings: { profile: profile.name, simulation: SIMULATION_VERSION },
    template: PLAIN_TEMPLATE,
    ...(profile.claimedWindow === undefined ? {} : { claimedWindow: profile.claimedWindow }),
    ask: (sample, signal) => Promise.resolve(ask(sample, signal)),
  };
}
