import { fakeServer } from "./_fake_server.ts";

/** A server on loopback that answers as one kind of software does. */
export interface LookServer extends AsyncDisposable {
  readonly url: string;
  /** The paths it was asked, in order. */
  readonly asked: readonly string[];
}

/** What a path answers: JSON, or a response. */
export type Answers = Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => unknown>>;

/** Starts a server with some paths; all others are not found. */
export function lookServer(answers: Answers, headers: Readonly<Record<string, string>> = {}): LookServer {
  const asked: string[] = [];
  const server = fakeServer((_request, { path, body }) => {
    asked.push(path);
    const value = answers[path]?.(body);
    if (value instanceof Response) return value;
    if (value !== undefined) return Response.json(value, { headers });
    const error = { message: "File Not Found", type: "not_found_error", code: 404 };
    return Response.json({ error }, { status: 404 });
  });
  return { ...server, asked };
}

interface Message {
  readonly role: string;
  readonly content: string;
}

/** Counts as the servers below do: a word is a token, and so is a mark at its end. */
export function wordCount(text: string): number {
  return (text.match(/\w+|[^\w\s]/g) ?? []).length;
}

/** How a chat of the servers below is answered. */
export interface ChatOptions {
  /** Tokens of the template around a chat with one message. */
  readonly template?: number;
  /** What a last message of the assistant's becomes. */
  readonly prefix?: "continued" | "repeated" | "closed" | "refused";
  readonly usage?: boolean;
  /** Whether a reply begins with its prompt. */
  readonly repeatsPrompt?: boolean;
}

/** Answers a chat or a completion, counting words. */
export function writes(options: ChatOptions = {}): (body: Readonly<Record<string, unknown>>) => unknown {
  const { template = 30, prefix = "continued", usage = true, repeatsPrompt = false } = options;
  return (body) => {
    const messages = body["messages"] as readonly Message[] | undefined;
    const isPrefixed = messages?.at(-1)?.role === "assistant";
    if (isPrefixed && prefix === "refused") {
      return Response.json({ error: { message: "the last message must be the user's" } }, { status: 400 });
    }
    const texts = messages?.map(({ content }) => content) ?? [String(body["prompt"])];
    const around = template + (isPrefixed && prefix === "closed" ? 5 : 0);
    const prompt = around + texts.reduce((sum, text) => sum + wordCount(text), 0);
    const written = Math.min(Number(body["max_tokens"]), 9);
    const before = repeatsPrompt ? texts.join("") : isPrefixed && prefix === "repeated" ? texts.at(-1) : "";
    const content = before + " The sky is blue.";
    return {
      id: "x",
      object: "chat.completion",
      model: body["model"],
      choices: [{ index: 0, finish_reason: "length", message: { role: "assistant", content }, text: content }],
      ...(usage ? { usage: { prompt_tokens: prompt, completion_tokens: written } } : {}),
    };
  };
}

/** llama.cpp with a model of 8,192 tokens, as its server answered in November 2026, shortened. */
export function llamaCpp(options: ChatOptions & { readonly window?: number } = {}): Answers {
  const { window = 8192 } = options;
  return {
    "/v1/models": () => ({
      models: [{ name: "smollm2", model: "smollm2", capabilities: ["completion"] }],
      object: "list",
      data: [{
        id: "smollm2",
        aliases: ["smollm2", "smollm2-135m"],
        object: "model",
        owned_by: "llamacpp",
        meta: { n_vocab: 49152, n_ctx: window, n_ctx_train: 32768 },
      }],
    }),
    "/props": () => ({
      default_generation_settings: { params: { max_tokens: -1 }, n_ctx: window },
      total_slots: 2,
      model_alias: "smollm2",
      build_info: "b11434-1a2b3c4",
    }),
    "/tokenize": ({ content }) => ({ tokens: Array.from({ length: wordCount(String(content)) }, (_, at) => at) }),
    "/v1/chat/completions": writes(options),
    "/v1/completions": writes({ template: 1, ...options }),
  };
}

/** vLLM, by `ModelCard`, `TokenizeResponse` and `/version` of its source. */
export function vllm(options: ChatOptions = {}): Answers {
  const data = [{
    ...{ id: "Qwen/Qwen3-8B", object: "model", created: 1, owned_by: "vllm" },
    ...{ root: "Qwen/Qwen3-8B", parent: null, max_model_len: 40960, permission: [] },
  }];
  return {
    "/v1/models": () => ({ object: "list", data }),
    "/version": () => ({ version: "0.11.0" }),
    "/tokenize": ({ prompt }) => ({
      count: wordCount(String(prompt)),
      max_model_len: 40960,
      tokens: [1],
      token_strs: null,
    }),
    "/v1/chat/completions": writes(options),
  };
}

/** SGLang, by `ModelCard` and `TokenizeResponse` of its source; the window of its `/tokenize` is the tokenizer's, not the server's. */
export function sglang(options: ChatOptions = {}): Answers {
  const card = { id: "qwen", object: "model", created: 1, "owned_by": "sglang", root: "qwen", parent: null };
  return {
    "/v1/models": () => ({ object: "list", data: [{ ...card, max_model_len: 32768 }] }),
    "/get_server_info": () => ({ model_path: "qwen", context_length: null, version: "0.5.2" }),
    "/tokenize": ({ prompt }) => ({ tokens: [1], count: wordCount(String(prompt)), max_model_len: 131072 }),
    "/v1/chat/completions": writes(options),
  };
}

/** LMDeploy, by `ModelCard`, `EncodeRequest` and `EncodeResponse` of its source; it says no window. */
export function lmdeploy(options: ChatOptions = {}): Answers {
  const card = { id: "internlm", object: "model", created: 1, "owned_by": "lmdeploy", root: "internlm", parent: null };
  return {
    "/v1/models": () => ({ object: "list", data: [{ ...card, permission: [] }] }),
    "/v1/encode": ({ input, add_bos }) => {
      const length = wordCount(String(input)) + (add_bos === false ? 0 : 1);
      return { input_ids: Array.from({ length }, () => 1), length };
    },
    "/v1/chat/completions": writes(options),
  };
}

/** Ollama, by its docs/api.md; `/api/ps` has the context that a model was loaded with. */
export function ollama(
  options: ChatOptions & { readonly loaded?: number; readonly parameters?: string } = {},
): Answers {
  const { loaded, parameters = 'stop  "<|eot_id|>"' } = options;
  const card = { id: "llama3.2:latest", object: "model", created: 1 };
  return {
    "/v1/models": () => ({ object: "list", data: [{ ...card, "owned_by": "library" }] }),
    "/api/version": () => ({ version: "0.12.6" }),
    "/api/show": () => ({
      parameters,
      model_info: { "general.architecture": "llama", "llama.context_length": 131072 },
    }),
    "/api/ps": () => ({
      models: loaded === undefined ? [] : [{ name: "llama3.2:latest", context_length: loaded, size: 1 }],
    }),
    "/v1/chat/completions": writes(options),
  };
}
