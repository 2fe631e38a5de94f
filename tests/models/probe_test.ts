import { deepEqual, equal, match, ok } from "node:assert/strict";
import { type Answers, llamaCpp, lmdeploy, lookServer, ollama, sglang, vllm } from "./_look_servers.ts";
import { wordCount, writes } from "./_look_servers.ts";
import { chatEvents, chatReply, playServer, streamReply } from "./_play_server.ts";
import { rawServer } from "./_raw_server.ts";
import { smallSample } from "./_samples.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import { type PathReply, readFacts, type ServerPaths } from "@/lib/models/server_paths.ts";
import type { Probe } from "@/lib/models/model.ts";
import { type EndpointOptions, openEndpoint, type ProbeOptions } from "@/lib/models/mod.ts";

const sample = smallSample();

/** Probes a server that answers so. */
async function probe(
  answers: Answers,
  options: Partial<EndpointOptions> & Partial<Pick<ProbeOptions, "asks">> & { samples?: readonly Sample[] } = {},
): Promise<Probe & { readonly asked: readonly string[] }> {
  await using server = lookServer(answers);
  const { asks = true, samples = [sample], ...endpoint } = options;
  const model = openEndpoint({ baseUrl: server.url, model: "smollm2", ...endpoint });
  const found = await model.probe!(samples, { count: (text) => 2 * wordCount(text), asks });
  return { ...found, asked: server.asked };
}

Deno.test("probe() of llama.cpp tells a slot's window, the template, its own speeds and the ratio of tokens", async () => {
  const { report, failure, asked } = await probe(llamaCpp());
  const { address, time, readsPerSecond, writesPerSecond, ...facts } = report;
  deepEqual(facts, {
    software: "llama.cpp b11434-1a2b3c4",
    served: ["smollm2"],
    isServed: true,
    window: 8192,
    canTokenize: true,
    templateTokens: 30,
    streams: false,
    tokenRatios: { [sample.task]: 0.5 },
  });
  equal(failure, undefined);
  ok(readsPerSecond! > 0 && writesPerSecond! > 0);
  match(address, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  ok(!Number.isNaN(Date.parse(time)));
  equal(asked.filter((path) => path === "/v1/chat/completions").length, 2);
  ok(asked.length <= 8, asked.join());
});

Deno.test.each([
  ["vLLM", vllm(), "Qwen/Qwen3-8B", { ...{ software: "vLLM 0.11.0", window: 40960, canTokenize: true } }],
  ["SGLang", sglang(), "qwen", { software: "SGLang 0.5.2", window: 32768, canTokenize: true }],
  ["LMDeploy", lmdeploy(), "internlm", { software: "LMDeploy", window: undefined, canTokenize: true }],
  ["Ollama with a loaded model", ollama({ loaded: 4096 }), "llama3.2", {
    ...{ software: "Ollama 0.12.6", window: 4096, canTokenize: false },
  }],
  [
    "Ollama with a window in the Modelfile",
    ollama({ parameters: "num_keep  24\nnum_ctx   16384" }),
    "llama3.2:latest",
    { ...{ software: "Ollama 0.12.6", window: 16384 } },
  ],
  ["a server that has nothing but the chat", { "/v1/chat/completions": writes({ usage: false }) }, "m", {
    ...{ software: undefined, served: undefined, isServed: undefined, window: undefined, templateTokens: undefined },
  }],
] as [string, Answers, string, Readonly<Record<string, unknown>>][])(
  "probe() of %s",
  async (_name, answers, model, wanted) => {
    const { report, failure } = await probe(answers, { model });
    const found = report as unknown as Readonly<Record<string, unknown>>;
    deepEqual(Object.fromEntries(Object.keys(wanted).map((key) => [key, found[key]])), wanted);
    equal(failure, undefined);
    ok(report.isServed ?? true);
  },
);

Deno.test.each(
  [
    ["continued", "continued", 30],
    ["repeated", "repeated", 30],
    ["closed", "not continued", 35],
    ["refused", "refused", 30],
  ] as const,
)("probe() finds by tokens that a prefix is %s", async (prefix, finding, templateTokens) => {
  const { report } = await probe(llamaCpp({ prefix }), { answerPrefix: "assistant" });
  deepEqual([report.prefix, report.templateTokens], [finding, templateTokens]);
});

Deno.test("probe() finds that replies begin with their prompts, with and without a system message", async () => {
  for (const options of [{}, { systemMessage: "Answer in one word." }, { api: "completions" as const }]) {
    equal((await probe(llamaCpp({ repeatsPrompt: true }), options)).report.repeatsPrompt, true);
    equal((await probe(llamaCpp(), options)).report.repeatsPrompt, undefined);
  }
});

Deno.test("probe() counts neither a system message nor the words of a completion as the template", async () => {
  const chat = await probe(llamaCpp(), { systemMessage: "Answer in one word, and think well before you do." });
  equal(chat.report.templateTokens, 30);
  const { report } = await probe(llamaCpp(), { api: "completions", thinkingTokens: 500, maxTokens: 900 });
  deepEqual([report.templateTokens, report.prefix], [1, undefined]);
});

Deno.test("probe() says that a name is not served, though the one model answers", async () => {
  const { report, failure } = await probe(llamaCpp(), { model: "other" });
  deepEqual([report.isServed, report.served, report.window, failure], [false, ["smollm2"], 8192, undefined]);
  equal((await probe(llamaCpp(), { model: "smollm2-135m" })).report.isServed, true);
});

Deno.test("probe() without questions finds what costs nothing", async () => {
  const { report, asked } = await probe(llamaCpp(), { asks: false });
  deepEqual([report.window, report.canTokenize, report.templateTokens], [8192, true, undefined]);
  equal(asked.some((path) => path.endsWith("completions")), false);
});

Deno.test("probe() gives why nothing was answered: no server, no key, no such model", async () => {
  const dead = openEndpoint({ baseUrl: "http://127.0.0.1:9/v1", model: "m" });
  const { report, failure } = await dead.probe!([sample], { count: wordCount });
  deepEqual([failure?.failure, report.served, report.tokenRatios], ["connection", undefined, {}]);
  const refuse = (status: number, message: string): Answers => ({
    ...vllm(),
    "/v1/chat/completions": () => Response.json({ error: { message } }, { status }),
  });
  equal((await probe(refuse(401, "no key"))).failure?.failure, "authentication");
  const unknown = await probe(refuse(404, "The model `smollm2` does not exist."));
  deepEqual([unknown.failure?.failure, unknown.report.served], ["not_found", ["Qwen/Qwen3-8B"]]);
});

Deno.test("probe() waits for a server that is loading the model", async () => {
  let calls = 0;
  const answer = writes();
  const loading = (): Response =>
    Response.json({ error: { message: "Loading model", type: "unavailable_error", code: 503 } }, { status: 503 });
  const answers = {
    ...llamaCpp(),
    "/v1/chat/completions": (body: object) => ++calls <= 2 ? loading() : answer({ ...body }),
  };
  await using server = lookServer(answers);
  const model = openEndpoint({ baseUrl: server.url, model: "smollm2", delay: () => Promise.resolve() });
  let told = 0;
  const { report, failure } = await model.probe!([], { count: wordCount, onWait: () => void told++ });
  deepEqual([told, failure, report.templateTokens], [2, undefined, 30]);
});

Deno.test("probe() sends the key with every call and reports no secret of the address", async () => {
  await using server = playServer(Response.json({ data: [] }, { status: 404 }));
  const model = openEndpoint({ baseUrl: `${server.url}?token=hidden`, model: "m", apiKey: "sk-secret" });
  const { report } = await model.probe!([], { count: wordCount });
  deepEqual([...new Set(server.received.map(({ headers }) => headers.get("authorization")))], ["Bearer sk-secret"]);
  match(report.address, /\?token=…$/);
});

Deno.test.each([
  ["streams with counts", true, "auto", [chatEvents([{ content: "a" }])]],
  ["streams, its first reply without a text", true, "auto", [chatEvents([]), chatEvents([{ content: "a" }])]],
  ["streams without counts", false, "auto", [chatEvents([{ content: "a" }], { usage: null })]],
  ["streams nothing", false, "auto", []],
  ["is asked for no stream", undefined, "off", [chatEvents([{ content: "a" }])]],
] as [string, boolean | undefined, "auto" | "off", (readonly unknown[])[]][])(
  "probe() finds whether a server streams replies with counts: one that %s",
  async (_name, wanted, stream, replies) => {
    let asked = 0;
    await using server = lookServer({
      "/v1/chat/completions": (body) =>
        body["stream"] && replies.length > 0
          ? streamReply(replies[Math.min(asked++, replies.length - 1)]!)()
          : chatReply({ content: "a" }),
    });
    const model = openEndpoint({ baseUrl: server.url, model: "m", stream });
    equal((await model.probe!([], { count: wordCount })).report.streams, wanted);
  },
);

Deno.test("probe() cannot judge a prefix where the server counts no tokens of that question", async () => {
  const [counted, uncounted] = [writes(), writes({ usage: false })];
  const { report } = await probe({
    ...llamaCpp(),
    "/v1/chat/completions": (body) =>
      (body["messages"] as { role: string }[]).at(-1)?.role === "assistant" ? uncounted(body) : counted(body),
  }, { answerPrefix: "assistant" });
  deepEqual([report.prefix, report.templateTokens], ["unknown", 30]);
});

/** A server without further paths. */
const NO_PATHS: ServerPaths = {
  api: () => Promise.resolve({ fields: {} }),
  root: () => Promise.resolve({ fields: {} }),
};

/** The reply of `/models`, with its header `server`. */
function listing(data: unknown, server = ""): PathReply {
  return { fields: { data }, headers: new Headers({ server }) };
}

Deno.test.each([
  ["nothing", undefined, {}],
  ["no list", 7, {}],
  ["the model", [{ id: "m" }], { served: ["m"], isServed: true }],
  ["what is no model beside it", [7, null, { id: "m" }], { served: ["m"], isServed: true }],
  ["a name twice, of which the first counts", [{ id: "m", max_model_len: 1 }, { id: "m", max_model_len: 2 }], {
    ...{ served: ["m", "m"], isServed: true, window: 1 },
  }],
  ["the model with Ollama's tag", [{ id: "m:latest" }], { served: ["m:latest"], isServed: true }],
  ["the model with Gemini's folder", [{ id: "models/m" }], { served: ["models/m"], isServed: true }],
  ["an alias", [{ id: "n", aliases: ["m"] }], { served: ["n"], isServed: true }],
  ["one other model", [{ id: "n", max_model_len: 9 }], { served: ["n"], isServed: false, window: 9 }],
  [
    "two other models",
    [{ id: "n", max_model_len: 9 }, { id: "o", max_model_len: 9 }],
    { served: ["n", "o"], isServed: false },
  ],
  ["a window of 1", [{ id: "m", max_model_len: 1 }], { served: ["m"], isServed: true, window: 1 }],
  ["a window of 0", [{ id: "m", max_model_len: 0 }], { served: ["m"], isServed: true }],
  ["a window in words", [{ id: "m", max_model_len: "9" }], { served: ["m"], isServed: true }],
  [
    "several windows, of which vLLM's counts",
    [{ id: "m", context_length: 8, max_model_len: 9 }],
    { served: ["m"], isServed: true, window: 9 },
  ],
  ["its owner", [{ id: "m", owned_by: "vllm" }], { software: "vLLM", served: ["m"], isServed: true }],
] as [string, unknown, object][])("readFacts() of a server that lists %s", async (_name, data, facts) => {
  deepEqual(await readFacts(listing(data), NO_PATHS, "m"), facts);
});

Deno.test.each([["llama.cpp", "llama.cpp"], ["llama.cpp/b1", "llama.cpp"], ["nginx", undefined]])(
  "readFacts() of a server that calls itself %s",
  async (server, software) => {
    const facts = await readFacts(listing([], server), NO_PATHS, "m");
    deepEqual(facts, software === undefined ? {} : { software });
  },
);

Deno.test.each([
  ["vLLM", { max_model_len: 4096 }],
  ["DeepInfra", { metadata: { context_length: 4096, max_tokens: 4096 } }],
  ["TabbyAPI", { parameters: { max_seq_len: 4096, cache_size: 9999 } }],
  ["OpenRouter", { context_length: 4096, top_provider: { context_length: 2048 } }],
  ["Groq", { context_window: 4096, max_completion_tokens: 99 }],
  ["Novita", { context_size: 4096 }],
  ["Copilot", { capabilities: { limits: { max_context_window_tokens: 4096, max_output_tokens: 99 } } }],
  ["Gemini", { inputTokenLimit: 4096, outputTokenLimit: 99 }],
  ["Mistral", { max_context_length: 4096, aliases: [] }],
  ["the training length of llama.cpp, which is none", { meta: { n_ctx_train: 4096 } }],
  ["an output limit, which is none", { max_tokens: 4096, limits: { max_output_tokens: 4096 } }],
] as [string, object][])("readFacts() finds the window in the /models of %s", async (name, entry) => {
  const { window } = await readFacts(listing([{ id: "m", ...entry }]), NO_PATHS, "m");
  equal(window, name.endsWith("none") ? undefined : 4096);
});

Deno.test("probe() behind a gateway names it, and compares no tokens", async () => {
  const answers = {
    "/v1/models": () => ({ data: [{ id: "smollm2", owned_by: "openai" }] }),
    "/v1/chat/completions": writes(),
  };
  await using server = lookServer(answers, { "x-litellm-version": "1.77.3" });
  const model = openEndpoint({ baseUrl: server.url, model: "smollm2" });
  const { report } = await model.probe!([sample], { count: wordCount });
  equal(report.software, "LiteLLM 1.77.3");
  deepEqual([report.canTokenize, report.tokenRatios], [false, {}]);
});

Deno.test.each([
  ["a constant", 912],
  ["what no prompt has", 123_456_789],
  ["nothing", 0],
])("probe() measures no template where the server counts %s", async (_name, tokens) => {
  const counted = writes();
  const { report, failure } = await probe({
    "/v1/chat/completions": (body) => {
      const reply = counted(body) as { usage: object };
      return { ...reply, usage: { ...reply.usage, prompt_tokens: tokens } };
    },
  });
  deepEqual([failure, report.templateTokens], [undefined, undefined]);
});

Deno.test.each([
  ["no tokens", { user: 0, assistant: 0 }, 0],
  ["seven", { user: 7, assistant: 7 }, 7],
  ["two and a half, as roles differ", { user: 2, assistant: 3 }, 2.5],
  ["fewer than none, which cannot be", { user: -3, assistant: -3 }, 0],
  ["what a failed reply does not tell", () => Response.json({ error: { message: "no" } }, { status: 400 }), undefined],
  ["what a reply without a count does not tell", writes({ usage: false }), undefined],
])("probe() finds that each further message adds %s", async (_name, added, wanted) => {
  const counted = writes();
  const answers: Answers = {
    ...llamaCpp(),
    "/v1/chat/completions": (body) => {
      const [, ...further] = body["messages"] as readonly { readonly role: "user" | "assistant" }[];
      if (typeof added === "function") {
        return (further.some(({ role }) => role === "assistant") ? added : counted)(body);
      }
      const reply = counted(body) as { readonly usage: { prompt_tokens: number } };
      for (const { role } of further) reply.usage.prompt_tokens += added[role];
      return reply;
    },
  };
  const [user] = sample.prompt.messages;
  const messages = [user!, { role: "assistant", text: "Four." } as const, user!];
  const several = { ...sample, prompt: { ...sample.prompt, messages } };
  for (const system of [{}, { systemMessage: "Answer in one word." }]) {
    equal((await probe(answers, { ...system, samples: [several] })).report.messageTokens, wanted);
    // Samples of one turn need no such call.
    equal((await probe(answers, system)).report.messageTokens, undefined);
  }
});

Deno.test.each([[0, undefined], [1, undefined], [2, "connection"]] as const)(
  "probe() asks a question twice if its connection breaks: of %d broken ones its failure is %j",
  async (broken, failure) => {
    let questions = 0;
    await using server = rawServer((request) => {
      if (!request.startsWith("POST /v1/chat/completions")) return "{}";
      return ++questions <= broken ? undefined : JSON.stringify({ choices: [{ message: { content: "17" } }] });
    });
    const model = openEndpoint({ baseUrl: server.url, model: "m", delay: () => Promise.resolve() });
    const found = await model.probe!([sample], { count: wordCount, asks: true });
    equal(found.failure?.failure, failure);
    ok(questions > broken || questions === 2);
  },
);
