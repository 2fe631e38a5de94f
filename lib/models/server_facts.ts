import type { ServerFacts } from "./model.ts";
import { type Fields, fieldsOf, listOf } from "./reply.ts";
import { defined } from "@/lib/text/mod.ts";

/** The reply of one path of a server; no status if nothing came. */
export interface PathReply {
  readonly status: number | null;
  /** The parsed body, if it is JSON. */
  readonly value: unknown;
  /** The header `server`. */
  readonly server: string;
}

/** Asks a path of the interface (`/models` after `/v1`), or of the server's root. */
export type AskPath = (place: "interface" | "root", path: string, body?: Fields) => Promise<PathReply>;

/** Servers that report more than their interface requires. */
interface Software {
  readonly name: string;
  /** The path and the key of its version. */
  readonly path?: string;
  readonly version?: string;
  /** Finds the window; `reply` is that of the path. */
  readonly findWindow?: (reply: Fields, askPath: AskPath, model: string) => unknown;
}

/** By the value of `owned_by` of their models. */
const SOFTWARE: Readonly<Record<string, Software>> = {
  llamacpp: {
    ...{ name: "llama.cpp", path: "/props", version: "build_info" },
    // Its slots share the context: this is the part of one slot.
    findWindow: (props) => fieldsOf(props["default_generation_settings"])["n_ctx"],
  },
  vllm: { name: "vLLM", path: "/version" },
  sglang: { name: "SGLang", path: "/get_server_info" },
  lmdeploy: { name: "LMDeploy" },
  library: { name: "Ollama", path: "/api/version", findWindow: findOllamaWindow },
  "organization_owner": {
    name: "LM Studio",
    findWindow: async (_reply, askPath, model) =>
      fieldsOf((await askPath("root", `/api/v0/models/${encodeURIComponent(model)}`)).value)["loaded_context_length"],
  },
  simulated: { name: "Fathom's simulated reader" },
};

/** Ollama cuts prompts to the context that a model was loaded with, which is usually shorter than its window. */
async function findOllamaWindow(_reply: Fields, askPath: AskPath, model: string): Promise<unknown> {
  const loaded = listOf(fieldsOf((await askPath("root", "/api/ps")).value)["models"])
    .find(({ name }) => typeof name === "string" && isSameName(name, model));
  if (loaded !== undefined) return loaded["context_length"];
  const { parameters = "" } = fieldsOf((await askPath("root", "/api/show", { model })).value);
  return Number(/^num_ctx\s+(\d+)/m.exec(String(parameters))?.[1]);
}

/** Keys of a model's window in `/models`: those of vLLM and SGLang, then of providers, then Anthropic's. */
const WINDOW_KEYS = ["max_model_len", "context_length", "context_window", "max_context_length", "max_input_tokens"];

/**
 * Reads the facts that a server reports about itself and one model.
 *
 * @param models The reply of its `/models`.
 */
export async function readFacts(models: PathReply, askPath: AskPath, model: string): Promise<ServerFacts> {
  const entries = listOf(fieldsOf(models.value)["data"]);
  const named = entries.find((entry) => namesOf(entry).some((name) => isSameName(name, model)));
  // A server of one model often answers by any name.
  const entry = named ?? (entries.length === 1 ? entries[0]! : {});
  const owner = models.server.startsWith("llama.cpp") ? "llamacpp" : String(fieldsOf(entries[0])["owned_by"]);
  const software = Object.hasOwn(SOFTWARE, owner) ? SOFTWARE[owner] : undefined;
  const reply = software?.path === undefined ? {} : fieldsOf((await askPath("root", software.path)).value);
  const version = reply[software?.version ?? "version"];
  const windows = [await software?.findWindow?.(reply, askPath, model), ...WINDOW_KEYS.map((key) => entry[key])];
  return defined({
    software: software && [software.name, ...(typeof version === "string" ? [version.slice(0, 100)] : [])].join(" "),
    ...(entries.length === 0 ? {} : {
      served: entries.flatMap((each) => namesOf(each).slice(0, 1)),
      isServed: named !== undefined,
    }),
    window: windows.map(wholeOf).find((window) => window !== undefined),
  });
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
