import { defined, type Fields, shownText } from "@/lib/base/mod.ts";
import { renderMessages, renderText } from "./chat_templates.ts";
import { type Address, type RequestHeaders, rootOf } from "./address.ts";
import { endWith, readText, refusedReply, ReplyRoom, requestSender } from "./client.ts";
import { type ChatTemplate, type Prompt, type Sample, turnsOf } from "@/lib/generators/mod.ts";
import type { CheckedOptions, Delay } from "./endpoint_options.ts";
import { fieldsOf, listOf, parseJson, wholeOf } from "./json.ts";
import type { ServerFacts } from "./model.ts";

export interface PathReply {
  /** The JSON object of its body; empty after an error. */
  readonly fields: Fields;
  /** Left out if nothing came. */
  readonly headers?: Headers;
}

/** Asks a path of a server, with a body by POST. It never rejects. */
type AskPath = (path: string, body?: Fields) => Promise<PathReply>;

export interface ServerPaths {
  /** Those of its API, such as `/models` after `/v1`. */
  readonly api: AskPath;
  /** Those beside `/v1`. */
  readonly root: AskPath;
}

/** The parts of an open endpoint that ask its server for more than replies. */
export interface ServerParts {
  readonly address: Address;
  readonly headers: RequestHeaders;
  readonly options: CheckedOptions;
  readonly template: ChatTemplate;
}

const LIMIT_MS = { fact: 5_000, count: 30_000 };

/** Limits replies to 16 MiB: a list of hundreds of models, or the tokens of a long prompt. */
const REPLY_TOKENS = 2 ** 18;

export function openPaths({ address, headers, options: { protocol } }: ServerParts, signal?: AbortSignal): ServerPaths {
  const asker = (place: { readonly url: string }): AskPath => {
    const send = requestSender(place, headers);
    return async (path, body) => {
      const isCount = path === "/tokenize" || path === protocol.countPath;
      try {
        const response = await send(path, {
          body,
          signal: endWith(AbortSignal.timeout(isCount ? LIMIT_MS.count : LIMIT_MS.fact), signal),
        });
        const text = await readText(response, new ReplyRoom(REPLY_TOKENS));
        return { fields: fieldsOf(parseJson(text)), headers: response.headers };
      } catch (error) {
        const refused = refusedReply(error);
        await refused?.body?.cancel();
        return { fields: {}, ...defined({ headers: refused?.headers }) };
      }
    };
  };
  return { api: asker(address), root: asker({ url: rootOf(address.url) }) };
}

/** The number of times that a count is requested, and the wait in between. */
const COUNTS = { attempts: 3, waitMs: 1000 };

/** Counts the prompt of a sample in the server's tokens, with those of its template; `undefined` if it does not count. */
export async function countSample(
  { prompt }: Sample,
  parts: ServerParts,
  { signal, delay }: { readonly signal?: AbortSignal | undefined; readonly delay: Delay },
): Promise<number | undefined> {
  const { options: { protocol, thinkingInLength, thinkingTokens }, template } = parts;
  // The count of a whole request has the template, but no thinking.
  const thinking = thinkingInLength ? thinkingTokens : 0;
  const around = template.extraTokens + (template.messageTokens ?? 0) * (turnsOf(prompt).length - 1);
  const paths = openPaths(parts, signal);
  for (let attempt = 1; attempt <= COUNTS.attempts; attempt++) {
    const tokens = await countPrompt(prompt, parts, paths);
    if (tokens !== undefined) return tokens + (protocol.countPath === undefined ? around : thinking);
    signal?.throwIfAborted();
    if (attempt < COUNTS.attempts) await delay(COUNTS.waitMs);
  }
  return undefined;
}

/** Counts a prompt on the server: the whole request if the protocol has a path for that, otherwise its text alone. */
export async function countPrompt(prompt: Prompt, parts: ServerParts, paths: ServerPaths): Promise<number | undefined> {
  const { options: { protocol, model, answerPrefix }, template } = parts;
  if (protocol.countPath === undefined) return await countText(paths, model, sentText(prompt, parts));
  const body = { model, ...protocol.prompt(prompt, { template, answerPrefix }) };
  return wholeOf((await paths.api(protocol.countPath, body)).fields["input_tokens"]);
}

export function sentText(prompt: Prompt, { options: { protocol, answerPrefix }, template }: ServerParts): string {
  if (!protocol.hasChatTemplate) return renderText(prompt, template);
  return renderMessages(prompt, { template, answerPrefix }).map(({ content }) => content).join("");
}

/** Counts a text by `/tokenize`, or by LMDeploy's `/encode`, without start markers; `undefined` without either. */
async function countText({ api, root }: ServerPaths, model: string, text: string): Promise<number | undefined> {
  // Those of vLLM and SGLang, and of llama.cpp; each ignores the other's.
  const body: Fields = {
    model,
    prompt: text,
    "add_special_tokens": false,
    content: text,
    "add_special": false,
    "parse_special": true,
  };
  const { count, tokens } = (await root("/tokenize", body)).fields;
  const counted = wholeOf(count) ?? lengthOf(tokens);
  return counted ?? lengthOf((await api("/encode", { input: text, add_bos: false })).fields["input_ids"]);
}

function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) && value.length > 0 ? value.length : undefined;
}

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
  // TabbyAPI; Novita; Copilot; Anthropic; Gemini
  ...["maxseqlen", "contextsize", "maxcontextwindowtokens", "maxinputtokens", "inputtokenlimit"],
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
  const windows = [await software?.findWindow?.(root, model), ...WINDOW_KEYS.flatMap((key) => valuesOf(entry, key))];
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
