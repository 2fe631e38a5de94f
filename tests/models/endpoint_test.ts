import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import { chatReply, errorReply, playServer, type Received } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import { chatTemplate, type EndpointOptions, openEndpoint } from "@/lib/models/mod.ts";
import { openModel } from "@/lib/studies/mod.ts";
import { userPrompt } from "@/lib/generators/mod.ts";

const USER = "The grass is green.\nWhat is the number?";
const LOCAL = { baseUrl: "http://127.0.0.1:8000/v1", model: "m" };

/** What asks for a stream. */
const STREAM = { stream: true, "stream_options": { "include_usage": true } };

/** Asks one sample, made for the model's own template, and gives what the server was sent. */
async function bodyOf(options: Omit<EndpointOptions, "baseUrl" | "model">): Promise<Readonly<Record<string, unknown>>> {
  await using server = playServer(chatReply({ content: "1234567" }));
  const model = openEndpoint({ model: "llama-3.1-8b", ...options, baseUrl: server.url });
  await model.ask(smallSample(model.template));
  equal(server.received.length, 1);
  return server.received[0]!.body;
}

Deno.test("openEndpoint() asks a chat with nothing but the model, one message, the budget and temperature 0", async () => {
  deepEqual(await bodyOf({}), {
    model: "llama-3.1-8b",
    messages: [{ role: "user", content: `${USER} The number is` }],
    max_tokens: 128,
    temperature: 0,
    ...STREAM,
  });
});

Deno.test("openEndpoint() asks completions with template, prompt and answer prefix as one text", async () => {
  await using server = playServer(Response.json({ choices: [{ text: " 1234567", finish_reason: "length" }] }));
  const template = chatTemplate("meta-chat");
  const model = openEndpoint({ baseUrl: server.url, model: "m", api: "completions", chatTemplate: template });
  const reply = await model.ask(smallSample(model.template));
  equal(server.received[0]!.path, "/v1/completions");
  deepEqual(server.received[0]!.body, {
    model: "m",
    prompt: `[INST] ${USER} [/INST] The number is`,
    max_tokens: 128,
    temperature: 0,
    ...STREAM,
  });
  equal(reply.kind === "answer" && reply.text, " 1234567");
  equal(reply.kind === "answer" && reply.finishReason, "length");
});

Deno.test.each([
  ["left out", { answerPrefix: "none" }, [{ role: "user", content: USER }]],
  ["as the assistant's", { answerPrefix: "assistant" }, [
    { role: "user", content: USER },
    { role: "assistant", content: " The number is" },
  ]],
] as [string, Pick<EndpointOptions, "answerPrefix">, unknown[]][])(
  "openEndpoint() sends the answer prefix %s",
  async (_name, options, want) => {
    const body = await bodyOf(options);
    deepEqual(body["messages"], want);
    equal("continue_final_message" in body, false);
  },
);

// `undefined` for a field that is not sent.
Deno.test.each([
  ["the flags that continue the last message", { answerPrefix: "assistant", continueFlags: true }, {
    ...{ continue_final_message: true, add_generation_prompt: false },
  }],
  ["the thinking allowance beside the answer room", { thinkingTokens: 4096 }, { max_tokens: 128 + 4096 }],
  ["no temperature for null", { temperature: null }, { temperature: undefined }],
  ["no stream where it is off", { stream: "off" }, { stream: undefined, stream_options: undefined }],
] as [string, Partial<EndpointOptions>, Record<string, unknown>][])(
  "openEndpoint() sends %s",
  async (_name, options, wanted) => {
    const body = await bodyOf(options);
    deepEqual(Object.fromEntries(Object.keys(wanted).map((name) => [name, body[name]])), wanted);
  },
);

Deno.test("openEndpoint() sends every knob under the interface's own name", async () => {
  const body = await bodyOf({
    temperature: 0.5,
    topP: 0.9,
    seed: 42,
    stop: ["\n", "Question:"],
    maxTokens: 64,
    thinkingTokens: 1000,
    extraBody: { reasoning_effort: "low", chat_template_kwargs: { enable_thinking: false } },
  });
  const { messages: _, ...knobs } = body;
  deepEqual(knobs, {
    model: "llama-3.1-8b",
    max_tokens: 1064,
    temperature: 0.5,
    top_p: 0.9,
    seed: 42,
    stop: ["\n", "Question:"],
    reasoning_effort: "low",
    chat_template_kwargs: { enable_thinking: false },
    ...STREAM,
  });
});

Deno.test("openEndpoint() asks a reasoning model for an effort, with its own budget field and without a temperature", async () => {
  const { messages: _, ...fields } = await bodyOf({ reasoning: "low", thinkingTokens: 1000 });
  deepEqual(fields, { model: "llama-3.1-8b", max_completion_tokens: 1128, reasoning_effort: "low", ...STREAM });
  const chosen = await bodyOf({ reasoning: "high", temperature: 1 });
  equal(chosen["temperature"], 1);
  const { reasoning, budgetField, temperature } = openEndpoint({ ...LOCAL, reasoning: "low" }).settings;
  deepEqual([reasoning, budgetField, temperature], ["low", "max_completion_tokens", null]);
  equal("reasoning" in openEndpoint(LOCAL).settings, false);
});

const KEY = "sk-test-1234567890";

Deno.test.each([
  ["the key", { apiKey: ` ${KEY} \n` }, `Bearer ${KEY}`],
  ["nothing without a key", {}, null],
  ["nothing for an empty key", { apiKey: "" }, null],
  ["a header of one's own", { apiKey: KEY, headers: { Authorization: "Token t-1" } }, "Token t-1"],
] as [string, Partial<EndpointOptions>, string | null][])(
  "openEndpoint() is authorised by %s",
  async (_name, options, wanted) => {
    await using server = playServer(chatReply({ content: "a" }));
    await openEndpoint({ baseUrl: server.url, model: "m", ...options }).ask(smallSample());
    equal(server.received[0]!.headers.get("authorization"), wanted);
  },
);

Deno.test("openEndpoint() sends further headers, and records their names alone", async () => {
  const headers = { "x-team": " readers ", "API-Key": "azure-secret-1" };
  await using server = playServer(
    chatReply({ content: "a" }),
    errorReply(400, { message: "azure-secret-1 is not allowed" }),
  );
  const model = openEndpoint({ baseUrl: server.url, model: "m", headers, attempts: 1 });
  await model.ask(smallSample());
  const [{ headers: sent }] = server.received as [Received];
  deepEqual([sent.get("api-key"), sent.get("x-team"), sent.get("authorization")], ["azure-secret-1", "readers", null]);
  deepEqual([model.settings.headers, JSON.stringify(model).includes("azure-secret")], ["api-key, x-team", false]);
  const failure = await model.ask(smallSample());
  equal(failure.kind === "failure" && failure.message.endsWith(": [key] is not allowed"), true);
  equal("headers" in openEndpoint({ baseUrl: server.url, model: "m" }).settings, false);
});

Deno.test.each([
  ["a name with a space", { "api key": "v" }, /^RangeError: .* a header must be one such as api-key, .*"api key"$/],
  ["one that is not one's own", { "Content-Length": "7" }, /^RangeError: .*current value is "Content-Length"$/],
  ["a value of two lines", { "api-key": "secret\nx: y" }, /^TypeError: .* current value is not shown$/],
  ["a value of nothing", { "api-key": " " }, /^TypeError: .* current value is not shown$/],
] as [string, Record<string, string>, RegExp][])("openEndpoint() refuses headers with %s", (_name, headers, wanted) => {
  throws(() => openEndpoint({ baseUrl: "http://127.0.0.1:9", model: "m", headers }), wanted);
});

Deno.test("openModel() takes further headers from the environment, and others over them", async () => {
  await using server = playServer(chatReply({ content: "a" }));
  const environment = (name: string): string | undefined =>
    name === "OPENAI_CUSTOM_HEADERS" ? "API-Key: azure-secret-1\n\nx-team: a:b\n" : undefined;
  const model = await openModel({ model: "m", baseUrl: server.url, headers: { "x-team": "readers" } }, { environment });
  await model.ask(smallSample());
  const { headers } = server.received[0]!;
  deepEqual([headers.get("api-key"), headers.get("x-team")], ["azure-secret-1", "readers"]);
  await rejects(openModel({ model: "m", baseUrl: server.url }, { environment: () => "no header" }), {
    name: "SyntaxError",
    message: "Cannot read the headers as each line must be a name, a colon and a value: current value is not shown",
  });
});

Deno.test("openEndpoint() keeps the query of the address, and takes off a slash at its end", async () => {
  await using server = playServer(chatReply({ content: "a" }));
  await openEndpoint({ baseUrl: `${server.url}/`, model: "m" }).ask(smallSample());
  await openEndpoint({ baseUrl: `${server.url}?api-version=1`, model: "m" }).ask(smallSample());
  deepEqual(server.received.map(({ path }) => path), ["/v1/chat/completions", "/v1/chat/completions?api-version=1"]);
});

Deno.test("openEndpoint() sends a prompt of a million characters whole", async () => {
  await using server = playServer(chatReply({ content: "a" }));
  const user = "Sky 空 \u{1F600}\u0000\uD83D\n".repeat(100_000);
  await openEndpoint({ baseUrl: server.url, model: "m" }).ask(smallSample(undefined, { prompt: userPrompt(user) }));
  const [message] = server.received[0]!.body["messages"] as { content: string }[];
  equal(message?.content, user);
});

Deno.test("openEndpoint() sends nothing that only the environment says", async () => {
  await using server = playServer(chatReply({ content: "a" }));
  const names = ["OPENAI_CUSTOM_HEADERS", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_API_KEY", "OPENAI_BASE_URL"];
  const before = names.map((name) => [name, Deno.env.get(name)] as const);
  try {
    for (const name of names) Deno.env.set(name, "x-other: leaked\nAuthorization: leaked");
    await openEndpoint({ baseUrl: server.url, model: "m", apiKey: "sk-mine-12345678" }).ask(smallSample());
  } finally {
    for (const [name, value] of before) value === undefined ? Deno.env.delete(name) : Deno.env.set(name, value);
  }
  const { headers } = server.received[0]!;
  equal([...headers.values()].some((value) => value.includes("leaked")), false);
  equal([...headers.keys()].some((name) => name.startsWith("x-") || name.startsWith("openai-")), false);
  equal(headers.get("authorization"), "Bearer sk-mine-12345678");
});

// At one token a minute, the second question waits as many minutes as the first has tokens: its prompt's 120 and its budget.
Deno.test.each([
  ["the answer room", {}, 120 + 128],
  ["max tokens", { maxTokens: 40 }, 120 + 40],
  ["thinking", { maxTokens: 40, thinkingTokens: 1000 }, 120 + 1040],
  ["another budget field", { maxTokens: 40, reasoning: "low" }, 120 + 40],
] as [string, Partial<EndpointOptions>, number][])(
  "openEndpoint() counts prompt and budget as tokens of a minute: %s",
  async (_name, options, minutes) => {
    await using server = playServer(chatReply({ content: "a" }));
    const waits: number[] = [];
    const delay = (ms: number): Promise<void> => (waits.push(ms), Promise.resolve());
    const model = openEndpoint({ baseUrl: server.url, model: "m", tokensPerMinute: 1, delay, ...options });
    await Promise.all([model.ask(smallSample()), model.ask(smallSample())]);
    deepEqual(waits.map((ms) => Math.round(ms / 60_000)), [minutes]);
  },
);
