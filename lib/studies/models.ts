import process from "node:process";
import { defined } from "@/lib/base/mod.ts";
import { type ModelEntry, MODELS_FILE, readModelEntries } from "./model_entries.ts";
import type { Study } from "./study.ts";
import type { ChatTemplate } from "@/lib/generators/mod.ts";
import {
  type Model,
  openEndpoint,
  parseHeaders,
  type ProtocolEnvironment,
  protocolEnvironment,
  readAddress,
} from "@/lib/models/mod.ts";
import { PROFILE_NAMES, simulatedModel } from "@/lib/simulated/mod.ts";

/** A model by name, and what replaces parts of its entry. */
export interface ModelChoice extends Omit<ModelEntry, "model" | "chatTemplate"> {
  /** An entry, a model as its server calls it, or a simulated reader such as `sim:ideal`. */
  readonly model: string;
  readonly models?: string;
  /** A template, its name, or a text with `{task_template}` in place of the prompt. */
  readonly chatTemplate?: ChatTemplate | string;
}

/** A model with the run settings of its entry. */
export interface OpenedModel
  extends Model, Pick<ModelEntry, "tokenizer" | "concurrency" | "price" | "requestsPerMinute" | "tokensPerMinute"> {
  readonly destination?: Destination;
}

/** Where requests go, and which secrets go with them. */
export interface Destination {
  readonly address: string;
  /** The variables of the environment that are sent, each with its headers: `OPENAI_API_KEY (authorization)`. */
  readonly variables: readonly string[];
  /** Whether the user gave the address; otherwise it is that of a recorded run or of a models file from elsewhere. */
  readonly isGiven: boolean;
}

/** Describes the address of requests, and the variables of the environment that are sent with them. */
export function destinationText({ address, variables }: Destination): string {
  const sent = variables.length === 0 ? "nothing" : variables.join(", ");
  return `Server ${address}; sent from the environment: ${sent}`;
}

/** Counts a study with a model's own tokenizer, unless the study names one: an encoding of another model can be a third off. */
export function countedFor(study: Study, { tokenizer }: Pick<OpenedModel, "tokenizer">): Study {
  return tokenizer === undefined || study.tokenizer !== undefined ? study : { ...study, tokenizer };
}

/** Reads a variable of the environment; `undefined` if it is not set. */
export type ReadVariable = (name: string) => string | undefined;

/** Options for {@linkcode openModel}. */
export interface OpenModelOptions {
  /** The edition of RULER's prompts: in the paper's, a model called `gpt-4…` has a chat template of its own. */
  readonly variant?: Study["variant"] | undefined;
  readonly environment?: ReadVariable;
  readonly allowedVariables?: readonly string[] | undefined;
  /** Whether the model is planned for and not asked, so that no key is needed. Default: false. */
  readonly asksNothing?: boolean | undefined;
  /**
   * The run that the address of the choice is taken from. That address is asked only if it is confirmed, or is the user's own by
   * an entry or the environment.
   */
  readonly recordedIn?: { readonly name: string; readonly isConfirmed: boolean } | undefined;
}

/** Names of GPT-4 at OpenAI, and at providers that put a maker before it. */
const GPT_4 = /(^|\/)gpt-4/i;

/**
 * Opens a model: the simulated reader for names that begin with `sim:`, otherwise the entry of that name in a file of models,
 * otherwise the model of that name at an OpenAI-compatible endpoint. Nothing is asked yet.
 *
 * The key is read from `OPENAI_API_KEY`, unless the entry has a header `authorization`. The address is the entry's, that of
 * `OPENAI_BASE_URL`, or OpenAI's. Further headers are read from `OPENAI_CUSTOM_HEADERS`, one `name: value` a line. A models file
 * or a recorded run from elsewhere gets nothing of the environment unless the user allows it.
 *
 * @throws {RangeError} If there is no such model, a setting is not what it should be, or a secret would be sent that must not be.
 * @throws {SyntaxError} If a header of the environment cannot be read.
 */
export async function openModel(
  choice: ModelChoice,
  given: OpenModelOptions = {},
): Promise<OpenedModel> {
  const { environment = readVariable, variant, asksNothing = false } = given;
  if (isSimulatedReader(choice)) return simulatedModel(choice.model);
  const { entry, isTrusted } = await findEntry(choice, { environment, asksNothing });
  const variables = protocolEnvironment(choice.api ?? entry?.api);
  const { models: _file, tokenizer, window, abbr, claimedWindow, concurrency, price, chatTemplate, ...options } = {
    ...entry,
    ...choice,
    ...(entry && { name: choice.model }),
    model: entry?.model ?? choice.model,
  };
  const custom = parseHeaders(environment(variables.customHeaders) ?? "");
  const headers = {
    ...custom,
    ...fillHeaders(entry?.headers ?? {}, { model: choice.model, environment, asksNothing }),
    ...choice.headers,
  };
  // Headers of the user replace the key.
  const ownHeaders = Object.keys(headers).map((header) => header.toLowerCase());
  const isReplaced = ["authorization", variables.keyHeader].some((header) => ownHeaders.includes(header));
  const apiKey = isReplaced ? undefined : environment(variables.key);
  const { baseUrl, ...destination } = settleAddress(choice, {
    ...given,
    environment,
    variables,
    hasKey: apiKey !== undefined,
    entry,
    isTrusted,
    headers,
    customHeaders: Object.keys(custom),
  });
  const template = chatTemplate ?? (variant === "paper" && GPT_4.test(options.model) ? "gpt-4" : undefined);
  const model = openEndpoint({
    ...options,
    ...defined({ chatTemplate: template as ChatTemplate | undefined, apiKey }),
    baseUrl,
    headers,
  });
  const { requestsPerMinute, tokensPerMinute } = options;
  // The settings also have the thinking budget that `reasoning` sets.
  const { thinkingInside, thinkingTokens } = model.settings;
  const thinking = thinkingInside ? 0 : Number(thinkingTokens);
  return {
    ...model,
    destination,
    ...defined({ window: window && window - thinking, abbr, claimedWindow, tokenizer, concurrency, price }),
    ...defined({ requestsPerMinute, tokensPerMinute }),
  };
}

/** Whether a simulated reader answers; with a URL, the name is that of a served one (`deno task serve`). */
export function isSimulatedReader({ model, baseUrl }: ModelChoice): boolean {
  return model.startsWith("sim:") && baseUrl === undefined;
}

function readVariable(name: string): string | undefined {
  return name === "" ? undefined : process.env[name] || undefined;
}

interface FoundEntry {
  readonly entry: ModelEntry | undefined;
  readonly isTrusted: boolean;
}

/** Finds the entry of a model; `undefined` if it has none and it is clear which server to ask. */
async function findEntry(
  { model, models = MODELS_FILE, baseUrl, api }: ModelChoice,
  { environment, asksNothing }: Required<Pick<OpenModelOptions, "environment">> & { readonly asksNothing: boolean },
): Promise<FoundEntry> {
  const entries = await readModelEntries(models);
  const { isTrusted } = entries;
  const entry = entries.find(model);
  if (entry !== undefined) return { entry, isTrusted };
  const isOwnFile = models !== MODELS_FILE;
  const { key, baseUrl: url } = protocolEnvironment(api);
  const hasServer = asksNothing || environment(url) !== undefined || environment(key) !== undefined;
  if (baseUrl !== undefined || (hasServer && !isOwnFile)) return { entry, isTrusted };
  const hint = PROFILE_NAMES.includes(model) ? `; the simulated reader's profile is "sim:${model}"` : "";
  const names = entries.names.join(", ") || "(none)";
  throw new RangeError(
    `Cannot open the model as a base URL (--base-url${isOwnFile || url === "" ? "" : ` or ${url}`}) ${
      isOwnFile ? "" : `or a key (${key}) `
    }must be given${hint}, or its name be one of ${names} in "${models}": current value is "${model}"`,
  );
}

/**
 * Determines the address of requests. The user gives an address by the command, a trusted models file or the environment. The address of any
 * other file, or of a recorded run, gets no secret unless the user allows it.
 */
function settleAddress(
  choice: ModelChoice,
  { entry, isTrusted, environment, variables, hasKey, recordedIn, allowedVariables = [], customHeaders, headers }:
    & FoundEntry
    & Pick<OpenModelOptions, "recordedIn" | "allowedVariables">
    & {
      readonly environment: ReadVariable;
      readonly variables: ProtocolEnvironment;
      readonly hasKey: boolean;
      readonly customHeaders: readonly string[];
      readonly headers: Readonly<Record<string, string>>;
    },
): Destination & { readonly baseUrl: string } {
  const inEnvironment = environment(variables.baseUrl);
  const named = Object.entries(entry?.headers ?? {}).flatMap(([header, value]) =>
    Array.from(value.matchAll(VARIABLE), ({ 1: variable = "" }): Sent => ({ variable, header }))
  );
  const usual = entry?.baseUrl ?? inEnvironment ?? variables.vendorUrl;
  const isUsers = isTrusted || entry?.baseUrl === undefined ||
    (inEnvironment !== undefined && JSON.stringify(readAddress(inEnvironment)) === JSON.stringify(readAddress(usual)));
  const given = [...(isUsers ? [usual] : []), ...(named.length === 0 && inEnvironment ? [inEnvironment] : [])];
  // A record lacks the query of the user's own address.
  const own = recordedIn && choice.baseUrl &&
    given.find((url) => readAddress(url).shown === readAddress(choice.baseUrl!).shown);
  const baseUrl = own ?? choice.baseUrl ?? usual;
  const { isLoopback, shown: address } = readAddress(baseUrl);
  const sent: readonly Sent[] = [
    ...(hasKey ? [{ variable: variables.key, header: variables.keyHeader }] : []),
    ...customHeaders.map((header) => ({ variable: variables.customHeaders, header })),
    ...named,
  ];
  const destination = {
    address,
    variables: sentTexts(sent),
    isGiven: own !== undefined || (recordedIn === undefined && (choice.baseUrl !== undefined || isUsers)),
  };
  // A header without a variable can hold a secret too.
  const isBare = !hasKey && Object.keys(headers).length === 0;
  const isLocal = isBare && isLoopback;
  if (recordedIn !== undefined && own === undefined && !recordedIn.isConfirmed && !isLocal) {
    throw refuseRecorded(recordedIn.name, destination);
  }
  const isElsewhere = choice.baseUrl === undefined && !isUsers;
  if (!isTrusted) checkAllowed(choice, { sent: isElsewhere ? sent : named, destination, allowedVariables });
  return { baseUrl, ...destination };
}

interface Sent {
  readonly variable: string;
  readonly header: string;
}

function sentTexts(sent: readonly Sent[]): readonly string[] {
  return [...Map.groupBy(sent, ({ variable }) => variable)].map(([variable, each]) =>
    `${variable} (${each.map(({ header }) => header).join(", ")})`
  );
}

function refuseRecorded(run: string, { address, variables }: Destination): RangeError {
  const sent = variables.length === 0 ? "prompts" : variables.join(" and ");
  return new RangeError(
    `Cannot send ${sent} to the server of run "${run}" as its address, which only the run's own files give, must be confirmed on this machine: current value is "${address}"; if you trust it, add --base-url ${
      // An address can hold whatever a shell would run.
      /^[\w.:/@%+,-]+$/.test(address) ? address : `'${address.replaceAll("'", "%27")}'`}`,
  );
}

function checkAllowed(
  { model, models }: ModelChoice,
  { sent, destination, allowedVariables }: {
    readonly sent: readonly Sent[];
    readonly destination: Destination;
    readonly allowedVariables: readonly string[];
  },
): void {
  const refused = sent.filter(({ variable }) => !allowedVariables.includes(variable));
  if (refused.length === 0) return;
  const flags = [...new Set(refused.map(({ variable }) => `--allow-env-var ${variable}`))].join(" ");
  throw new RangeError(
    `Cannot open model "${model}" as ${
      sentTexts(refused).join(" and ")
    } must be allowed to go to ${destination.address}, because "${models}" is neither in the project nor in your configuration: current value is not allowed; if you trust the file, add ${flags}`,
  );
}

/** A variable of the environment in a header's value. */
const VARIABLE = /\$\{(\w+)\}/g;

/** Replaces names of environment variables in an entry's headers by their values, as in `Bearer ${MY_KEY}`. */
function fillHeaders(
  headers: Readonly<Record<string, string>>,
  { model, environment, asksNothing }: {
    readonly model: string;
    readonly environment: ReadVariable;
    readonly asksNothing: boolean;
  },
): Record<string, string> {
  const fill = (header: string, value: string): string =>
    value.replaceAll(VARIABLE, (_, variable: string) => {
      const held = environment(variable);
      if (held !== undefined || asksNothing) return held ?? "";
      throw new RangeError(
        `Cannot open model "${model}" as ${variable}, which its header ${header} names, must be set in the environment: current value is empty`,
      );
    });
  return Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, fill(header, value)]));
}
