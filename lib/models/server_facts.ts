import { type Fields, isFields } from "./reply.ts";
import type { ServerFacts } from "./server_report.ts";

/** What came back from one path of a server; no status where nothing came. */
export interface Looked {
  readonly status: number | null;
  /** The body, where it is JSON. */
  readonly value: unknown;
  /** The header `server`. */
  readonly server: string;
}

/** Asks a path of the interface (`/models` after `/v1`), or of the server's root. */
export type Look = (
  place: "interface" | "root",
  path: string,
  body?: Readonly<Record<string, unknown>>,
) => Promise<Looked>;

/** How one kind of server says its version and its window. */
interface Software {
  readonly name: string;
  /** What it writes into `owned_by` of each model. */
  readonly owner: string;
  readonly ask: (look: Look, model: string) => Promise<SoftwareFacts>;
}

interface SoftwareFacts extends Pick<ServerFacts, "window" | "trainedWindow"> {
  readonly version?: string;
}

/** The servers that say more than their interface asks for. */
const SOFTWARE: readonly Software[] = [
  { name: "llama.cpp", owner: "llamacpp", ask: askLlamaCpp },
  { name: "vLLM", owner: "vllm", ask: async (look) => versionOf(await look("root", "/version")) },
  { name: "SGLang", owner: "sglang", ask: async (look) => versionOf(await look("root", "/get_server_info")) },
  // It says neither its version nor its window.
  { name: "LMDeploy", owner: "lmdeploy", ask: () => Promise.resolve({}) },
  { name: "Ollama", owner: "library", ask: askOllama },
  { name: "LM Studio", owner: "organization_owner", ask: askLmStudio },
  { name: "Fathom's simulated reader", owner: "simulated", ask: () => Promise.resolve({}) },
];

/** Keys of a model in `/models` that say its window: vLLM's and SGLang's, then providers'. */
const WINDOW_KEYS = ["max_model_len", "context_length", "context_window", "max_context_length"];

/**
 * Reads what a server says of itself and of one model. A path that it lacks leaves out what it would have said.
 *
 * @param models What its `/models` gave.
 */
export async function readFacts(models: Looked, look: Look, model: string): Promise<ServerFacts> {
  const entries = listOf(fieldsOf(models.value)["data"]);
  const named = entries.find((entry) => namesOf(entry).some((name) => isSameName(name, model)));
  // A server of one model often answers by any name.
  const entry = named ?? (entries.length === 1 ? entries[0]! : {});
  const owner = fieldsOf(entries[0])["owned_by"];
  const isLlama = models.server.startsWith("llama.cpp");
  const software = SOFTWARE.find((one) => one.owner === owner || (isLlama && one.name === "llama.cpp"));
  const { version, ...said } = await software?.ask(look, model) ?? {};
  const window = said.window ?? first(WINDOW_KEYS.map((key) => wholeOf(entry[key])));
  const trained = said.trainedWindow ?? wholeOf(fieldsOf(entry["meta"])["n_ctx_train"]);
  return {
    ...(software === undefined ? {} : { software: [software.name, version].filter(Boolean).join(" ") }),
    ...(entries.length === 0
      ? {}
      : { served: entries.flatMap((each) => namesOf(each).slice(0, 1)), isServed: named !== undefined }),
    ...(window === undefined ? {} : { window }),
    ...(trained === undefined ? {} : { trainedWindow: trained }),
  };
}

/** llama.cpp divides its context among slots: `n_ctx` of the settings is that of one slot. */
async function askLlamaCpp(look: Look): Promise<SoftwareFacts> {
  const props = fieldsOf((await look("root", "/props")).value);
  const window = wholeOf(fieldsOf(props["default_generation_settings"])["n_ctx"]);
  return { ...textAs("version", props["build_info"]), ...(window === undefined ? {} : { window }) };
}

/** Ollama cuts prompts to the context that a model was loaded with, which is seldom what the model can. */
async function askOllama(look: Look, model: string): Promise<SoftwareFacts> {
  const { version } = versionOf(await look("root", "/api/version"));
  const shown = fieldsOf((await look("root", "/api/show", { model })).value);
  const loaded = listOf(fieldsOf((await look("root", "/api/ps")).value)["models"]).find(({ name }) =>
    typeof name === "string" && isSameName(name, model)
  );
  const [, ofFile] = /^num_ctx\s+(\d+)/m.exec(String(shown["parameters"] ?? "")) ?? [];
  const info = fieldsOf(shown["model_info"]);
  const trained = wholeOf(info[`${info["general.architecture"]}.context_length`]);
  const window = wholeOf(loaded?.["context_length"]) ?? (ofFile === undefined ? undefined : Number(ofFile));
  return {
    ...(version === undefined ? {} : { version }),
    ...(window === undefined ? {} : { window }),
    ...(trained === undefined ? {} : { trainedWindow: trained }),
  };
}

async function askLmStudio(look: Look, model: string): Promise<SoftwareFacts> {
  const entry = fieldsOf((await look("root", `/api/v0/models/${encodeURIComponent(model)}`)).value);
  const [window, trained] = [wholeOf(entry["loaded_context_length"]), wholeOf(entry["max_context_length"])];
  return {
    ...(window === undefined ? {} : { window }),
    ...(trained === undefined ? {} : { trainedWindow: trained }),
  };
}

function versionOf({ value }: Looked): { readonly version?: string } {
  return textAs("version", fieldsOf(value)["version"]);
}

function textAs(key: "version", value: unknown): { readonly version?: string } {
  return typeof value === "string" && value !== "" ? { [key]: value.slice(0, 100) } : {};
}

/** The names of a model in `/models`: its id, then llama.cpp's aliases. */
function namesOf(entry: Fields): readonly string[] {
  const aliases = Array.isArray(entry["aliases"]) ? entry["aliases"] : [];
  return [...new Set([entry["id"], ...aliases])].filter((name) => typeof name === "string");
}

/** Whether a server means the same model: Ollama adds `:latest` to a name, Gemini puts `models/` before it. */
function isSameName(name: string, model: string): boolean {
  const plain = (text: string): string => text.replace(/^models\//, "").replace(/:latest$/, "");
  return plain(name) === plain(model);
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function wholeOf(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}

function first<Value>(values: readonly (Value | undefined)[]): Value | undefined {
  return values.find((value) => value !== undefined);
}

/**
 * Counts a text in the server's own tokens by `/tokenize`, or by LMDeploy's `/encode`, without start markers; `undefined` where
 * the server has neither.
 *
 * The fields are those of llama.cpp (`content`), and of vLLM and SGLang (`prompt`); each ignores the other's.
 */
export async function countOnServer(look: Look, model: string, text: string): Promise<number | undefined> {
  const body = {
    model,
    ...{ prompt: text, add_special_tokens: false },
    ...{ content: text, add_special: false, parse_special: true },
  };
  const { count, tokens } = fieldsOf((await look("root", "/tokenize", body)).value);
  const counted = wholeOf(count) ?? lengthOf(tokens);
  return counted ??
    lengthOf(fieldsOf((await look("interface", "/encode", { input: text, add_bos: false })).value)["input_ids"]);
}

/** The length of a list that is not empty. */
function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) && value.length > 0 ? value.length : undefined;
}
