import { fieldsOf, listOf } from "./protocols/protocol.ts";
import type { Fields } from "./reply.ts";
import type { ServerFacts } from "./server_report.ts";

/** The reply of one path of a server; no status if nothing came. */
export interface PathReply {
  readonly status: number | null;
  /** The parsed body, if it is JSON. */
  readonly value: unknown;
  /** The header `server`. */
  readonly server: string;
}

/** Asks a path of the interface (`/models` after `/v1`), or of the server's root. */
export type AskPath = (
  place: "interface" | "root",
  path: string,
  body?: Fields,
) => Promise<PathReply>;

/** How one kind of server reports its version and its window. */
interface Software {
  readonly name: string;
  /** The value of `owned_by` of its models. */
  readonly owner: string;
  readonly ask: (askPath: AskPath, model: string) => Promise<SoftwareFacts>;
}

interface SoftwareFacts {
  readonly version?: string | undefined;
  readonly window?: number | undefined;
  readonly trainedWindow?: number | undefined;
}

/** Servers that report more than their interface requires. */
const SOFTWARE: readonly Software[] = [
  { name: "llama.cpp", owner: "llamacpp", ask: askLlamaCpp },
  { name: "vLLM", owner: "vllm", ask: async (askPath) => versionOf(await askPath("root", "/version")) },
  { name: "SGLang", owner: "sglang", ask: async (askPath) => versionOf(await askPath("root", "/get_server_info")) },
  // It reports neither its version nor its window.
  { name: "LMDeploy", owner: "lmdeploy", ask: () => Promise.resolve({}) },
  { name: "Ollama", owner: "library", ask: askOllama },
  { name: "LM Studio", owner: "organization_owner", ask: askLmStudio },
  { name: "Fathom's simulated reader", owner: "simulated", ask: () => Promise.resolve({}) },
];

/** Keys of a model's window in `/models`: those of vLLM and SGLang, then of providers, then Anthropic's. */
const WINDOW_KEYS = ["max_model_len", "context_length", "context_window", "max_context_length", "max_input_tokens"];

/**
 * Reads the facts that a server reports about itself and one model; those of paths that it lacks are left out.
 *
 * @param models The reply of its `/models`.
 */
export async function readFacts(models: PathReply, askPath: AskPath, model: string): Promise<ServerFacts> {
  const entries = listOf(fieldsOf(models.value)["data"]);
  const named = entries.find((entry) => namesOf(entry).some((name) => isSameName(name, model)));
  // A server of one model often answers by any name.
  const entry = named ?? (entries.length === 1 ? entries[0]! : {});
  const owner = fieldsOf(entries[0])["owned_by"];
  const isLlama = models.server.startsWith("llama.cpp");
  const software = SOFTWARE.find((one) => one.owner === owner || (isLlama && one.name === "llama.cpp"));
  const { version, ...reported } = await software?.ask(askPath, model) ?? {};
  const window = reported.window ?? WINDOW_KEYS.map((key) => wholeOf(entry[key])).find((value) => value !== undefined);
  const trainedWindow = reported.trainedWindow ?? wholeOf(fieldsOf(entry["meta"])["n_ctx_train"]);
  return {
    ...(software && { software: [software.name, version].filter(Boolean).join(" ") }),
    ...(entries.length > 0 && {
      served: entries.flatMap((each) => namesOf(each).slice(0, 1)),
      isServed: named !== undefined,
    }),
    ...(window !== undefined && { window }),
    ...(trainedWindow && { trainedWindow }),
  };
}

/** llama.cpp divides its context among slots: `n_ctx` of the settings is that of one slot. */
async function askLlamaCpp(askPath: AskPath): Promise<SoftwareFacts> {
  const props = fieldsOf((await askPath("root", "/props")).value);
  return {
    version: versionText(props["build_info"]),
    window: wholeOf(fieldsOf(props["default_generation_settings"])["n_ctx"]),
  };
}

/** Ollama cuts prompts to the context that a model was loaded with, which is usually shorter than its window. */
async function askOllama(askPath: AskPath, model: string): Promise<SoftwareFacts> {
  const { version } = versionOf(await askPath("root", "/api/version"));
  const shown = fieldsOf((await askPath("root", "/api/show", { model })).value);
  const loaded = listOf(fieldsOf((await askPath("root", "/api/ps")).value)["models"]).find(({ name }) =>
    typeof name === "string" && isSameName(name, model)
  );
  const [, ofFile] = /^num_ctx\s+(\d+)/m.exec(String(shown["parameters"] ?? "")) ?? [];
  const info = fieldsOf(shown["model_info"]);
  return {
    version,
    window: wholeOf(loaded?.["context_length"]) ?? (ofFile === undefined ? undefined : Number(ofFile)),
    trainedWindow: wholeOf(info[`${info["general.architecture"]}.context_length`]),
  };
}

async function askLmStudio(askPath: AskPath, model: string): Promise<SoftwareFacts> {
  const entry = fieldsOf((await askPath("root", `/api/v0/models/${encodeURIComponent(model)}`)).value);
  return { window: wholeOf(entry["loaded_context_length"]), trainedWindow: wholeOf(entry["max_context_length"]) };
}

function versionOf({ value }: PathReply): SoftwareFacts {
  return { version: versionText(fieldsOf(value)["version"]) };
}

function versionText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, 100) : undefined;
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

function wholeOf(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}

/**
 * Counts a text in the server's own tokens by `/tokenize`, or by LMDeploy's `/encode`, without start markers; `undefined` if the
 * server has neither.
 *
 * The fields are those of llama.cpp (`content`), and of vLLM and SGLang (`prompt`); each ignores the other's.
 */
export async function countText(askPath: AskPath, model: string, text: string): Promise<number | undefined> {
  const body = {
    model,
    ...{ prompt: text, add_special_tokens: false },
    ...{ content: text, add_special: false, parse_special: true },
  };
  const { count, tokens } = fieldsOf((await askPath("root", "/tokenize", body)).value);
  const counted = wholeOf(count) ?? lengthOf(tokens);
  return counted ??
    lengthOf(fieldsOf((await askPath("interface", "/encode", { input: text, add_bos: false })).value)["input_ids"]);
}

/** Counts a whole request, chat template included, by the path of its protocol. */
export async function countWhole(askPath: AskPath, path: string, body: Fields): Promise<number | undefined> {
  return wholeOf(fieldsOf((await askPath("interface", path, body)).value)["input_tokens"]);
}

/** The length of a list that is not empty. */
function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) && value.length > 0 ? value.length : undefined;
}
