import type { ServerFacts } from "./model.ts";
import { fieldsOf, listOf, wholeOf } from "./json.ts";
import type { PathReply, ServerPaths } from "./server_paths.ts";
import { defined, type Fields, shownText } from "@/lib/base/mod.ts";

/** Servers that report more than their interface requires. */
interface Software {
  readonly name: string;
  /** The path of its version, and the key if it is another one than `version`. */
  readonly path?: string;
  readonly key?: string;
  /** Finds the window. */
  readonly findWindow?: (root: ServerPaths["root"], model: string) => unknown;
}

/** By the value of `owned_by` of their models. */
const SOFTWARE: Readonly<Record<string, Software>> = {
  llamacpp: {
    name: "llama.cpp",
    path: "/props",
    key: "build_info",
    // Its slots share the context: this is the part of one slot.
    findWindow: async (root) => fieldsOf((await root("/props")).fields["default_generation_settings"])["n_ctx"],
  },
  vllm: { name: "vLLM", path: "/version" },
  sglang: { name: "SGLang", path: "/get_server_info" },
  lmdeploy: { name: "LMDeploy" },
  tabbyAPI: { name: "TabbyAPI" },
  koboldcpp: {
    name: "KoboldCpp",
    path: "/api/extra/version",
    findWindow: async (root) => (await root("/api/extra/true_max_context_length")).fields["value"],
  },
  library: { name: "Ollama", path: "/api/version", findWindow: findOllamaWindow },
  "organization_owner": {
    name: "LM Studio",
    findWindow: async (root, model) =>
      (await root(`/api/v0/models/${encodeURIComponent(model)}`)).fields["loaded_context_length"],
  },
  simulated: { name: "Fathom's simulated reader" },
};

/** Ollama cuts prompts to the context that a model was loaded with, which is usually shorter than its window. */
async function findOllamaWindow(root: ServerPaths["root"], model: string): Promise<unknown> {
  const loaded = listOf((await root("/api/ps")).fields["models"])
    .find(({ name }) => typeof name === "string" && isSameName(name, model));
  if (loaded !== undefined) return loaded["context_length"];
  const { parameters = "" } = (await root("/api/show", { model })).fields;
  return Number(/^num_ctx\s+(\d+)/m.exec(String(parameters))?.[1]);
}

/** Keys of a model's window in `/models`, without case and marks, with the servers that have them, also within objects. */
const WINDOW_KEYS = [
  // vLLM and SGLang; OpenRouter, Together and DeepInfra; Groq; Mistral and LM Studio
  ...["maxmodellen", "contextlength", "contextwindow", "maxcontextlength"],
  // TabbyAPI; Novita; Copilot; Cohere and others; Anthropic; Gemini
  ...["maxseqlen", "contextsize", "maxcontextwindowtokens", "maxcontexttokens", "maxinputtokens", "inputtokenlimit"],
  ...["maxsequencelength", "contextwindowtokens", "numctx", "maxtotaltokens", "contextlen"],
];

/** Lists the values of a key in an object and the objects in it, the outer ones first. */
function valuesOf(fields: Fields, key: string, depth = 2): readonly unknown[] {
  const entries = Object.entries(fields);
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, "");
  const own = entries.filter(([name]) => plain(name) === key).map(([, value]) => value);
  return depth === 0 ? own : [...own, ...entries.flatMap(([, value]) => valuesOf(fieldsOf(value), key, depth - 1))];
}

/** Reads the facts that a server reports about itself and one model, from the reply of its `/models` on. */
export async function readFacts(
  { fields, headers }: PathReply,
  { root }: ServerPaths,
  model: string,
): Promise<ServerFacts> {
  const entries = listOf(fields["data"]);
  const named = entries.find((entry) => namesOf(entry).some((name) => isSameName(name, model)));
  // A server of one model often answers by any name.
  const entry = named ?? (entries.length === 1 ? entries[0]! : {});
  const isLlamaCpp = headers?.get("server")?.startsWith("llama.cpp");
  const owner = isLlamaCpp ? "llamacpp" : String(entries[0]?.["owned_by"]);
  const software = Object.hasOwn(SOFTWARE, owner) ? SOFTWARE[owner] : undefined;
  const reply = software?.path === undefined ? {} : (await root(software.path)).fields;
  const windows = [
    await software?.findWindow?.(root, model),
    ...WINDOW_KEYS.flatMap((key) => valuesOf(entry, key)),
  ];
  const listed = {
    served: entries.flatMap((each) => namesOf(each).slice(0, 1)).map((name) => shownText(name)),
    isServed: named !== undefined,
  };
  // LiteLLM names itself in a header, with the owners of the models behind it.
  const gateway = headers?.get("x-litellm-version");
  return defined({
    software: gateway
      ? nameVersion("LiteLLM", gateway)
      : software && nameVersion(software.name, reply[software.key ?? "version"]),
    ...(entries.length === 0 ? {} : listed),
    window: windows.map(wholeOf).find((window) => window !== undefined),
    // Those of llama.cpp and SGLang, then vLLM's.
    weights: [reply["model_path"], entry["root"]].find((path) => typeof path === "string")?.slice(0, 200),
  });
}

function nameVersion(name: string, version: unknown): string {
  return typeof version === "string" ? `${name} ${shownText(version, 100)}` : name;
}

/** The names of a model in `/models`: its id, then llama.cpp's aliases. */
function namesOf({ id, aliases }: Fields): readonly string[] {
  return [...new Set([id, ...(Array.isArray(aliases) ? aliases : [])])].filter((name) => typeof name === "string");
}

/** Whether a server means the same model: Ollama adds `:latest` to a name, Gemini puts `models/` before it. */
function isSameName(name: string, model: string): boolean {
  const plain = (text: string): string => text.replace(/^models\//, "").replace(/:latest$/, "");
  return plain(name) === plain(model);
}
