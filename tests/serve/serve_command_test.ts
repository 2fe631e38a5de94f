import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import OpenAI from "openai";
import { materials, score } from "../models/_ruler.ts";
import { shellOf, spawn } from "../cli/_shell.ts";
import { rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { SERVE, type ServeOptions, serveSimulated } from "./serve_command.ts";
import { openEndpoint } from "@/lib/models/mod.ts";
import { PROFILE_NAMES } from "@/lib/simulated/mod.ts";
import { checkStudy, openStudy } from "@/lib/studies/mod.ts";
import { userText } from "@/lib/generators/mod.ts";

const MAIN = "tests/serve/main.ts";
Deno.test("deno task serve says in one line that a port is taken, and with FATHOM_DEBUG prints the stack", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr as Deno.NetAddr;
  const line = new RegExp(`^fathom: Cannot serve as 127.0.0.1 and port must be free to listen on: .* ${port} `);
  const plain = await shellOf([SERVE], "serve", "--port", `${port}`);
  deepEqual([plain.code, plain.out, plain.err.length], [1, "", 1]);
  match(plain.err[0]!, line);
  const { stderr } = await spawn(["--port", `${port}`], undefined, { FATHOM_DEBUG: "1" }, MAIN).output();
  const err = new TextDecoder().decode(stderr).split("\n");
  match(err[0]!, line);
  match(err.join("\n"), /serve_command\.ts:\d+/);
});

Deno.test("deno task serve prints its address, says in every reply what it is, and ends at Ctrl-C", async () => {
  const server = spawn(["--profile", "ideal", "--port", "0"], undefined, {}, MAIN);
  const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const url = (await reader.read()).value!.trim();
  match(url, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  const { data } = await (await fetch(`${url}/models`)).json();
  deepEqual(data.map((model: { owned_by: string }) => model.owned_by), ["simulated"]);
  const body = JSON.stringify({ model: "ideal", messages: [{ role: "user", content: "Hello" }] });
  const reply = await (await fetch(`${url}/chat/completions`, { method: "POST", headers: JSON_TYPE, body })).json();
  match(reply.system_fingerprint, /^simulated-/);
  server.kill("SIGINT");
  await server.stderr.cancel();
  await reader.cancel();
  equal((await server.status).code, 0);
});

const JSON_TYPE = { "content-type": "application/json" };

async function withServer(
  options: ServeOptions,
  test: (server: Awaited<ReturnType<typeof serveSimulated>>, client: OpenAI) => Promise<void>,
): Promise<void> {
  const server = await serveSimulated(options);
  try {
    await test(server, new OpenAI({ baseURL: server.url, apiKey: "any", maxRetries: 0 }));
  } finally {
    await server.close();
  }
}

async function post(url: string, body: unknown): Promise<{ status: number; body: Record<string, never> }> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(url, { method: "POST", headers: JSON_TYPE, body: text });
  return { status: response.status, body: await response.json() };
}

const study = checkStudy({ tasks: ["niah_single_1", "vt", "cwe"], lengths: [2048], samples: 1 });
const { tasks: [needles] } = await openStudy(study);
const { prompt, references } = needles!.sample({ length: 2048, seed: "42", index: 0, materials });
const [NEEDLE, PREFIX, ANSWER] = [userText(prompt), prompt.answerPrefix!, references[0]!];
const USER = { role: "user", content: NEEDLE } as const;

Deno.test("serveSimulated() answers the openai client's chats with usage and reason", async () => {
  await withServer({ profile: "ideal", study }, async (_server, client) => {
    const reply = await client.chat.completions.create({ model: "sim:ideal", messages: [USER] });
    equal(reply.object, "chat.completion");
    match(reply.id, /^chatcmpl-[0-9a-f]{32}$/);
    equal(reply.model, "sim:ideal");
    deepEqual(reply.choices[0]?.message, { role: "assistant", content: ANSWER, refusal: null });
    equal(reply.choices[0]?.finish_reason, "stop");
    const prompt = materials.tokenizer.count(NEEDLE);
    const completion = materials.tokenizer.count(ANSWER);
    deepEqual(reply.usage, {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    });
  });
});

Deno.test("serveSimulated() continues a final assistant message", async () => {
  await withServer({ profile: "ideal", study }, async (_server, client) => {
    const messages = [USER, { role: "assistant", content: PREFIX }] as const;
    const reply = await client.chat.completions.create({ model: "ideal", messages: [...messages] });
    equal(reply.choices[0]?.message.content, ANSWER);
    equal(reply.model, "sim:ideal");
    match(reply.system_fingerprint ?? "", /^simulated-\d+$/);
  });
});

Deno.test("serveSimulated() answers plain completions, one prompt or several", async () => {
  await withServer({ profile: "ideal", study }, async (_server, client) => {
    const one = await client.completions.create({ model: "ideal", prompt: NEEDLE + PREFIX });
    equal(one.object, "text_completion");
    equal(one.choices[0]?.text, ANSWER);
    const two = await client.completions.create({ model: "ideal", prompt: [NEEDLE, "Write a poem."] });
    deepEqual(two.choices.map(({ index, text }) => [index, text]), [[0, ANSWER], [1, "I do not know."]]);
  });
});

Deno.test("serveSimulated() streams the same text as it sends at once, for chats and completions", async () => {
  await withServer({ profile: "ideal", study }, async (_server, client) => {
    const stream = await client.chat.completions.create({
      model: "ideal",
      messages: [{ role: "user", content: "Write a poem." }],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(stream);
    equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join(""), "I do not know.");
    equal(chunks[0]?.choices[0]?.delta.role, "assistant");
    equal(chunks.at(-2)?.choices[0]?.finish_reason, "stop");
    equal(chunks.at(-1)?.usage?.completion_tokens, materials.tokenizer.count("I do not know."));
    ok(chunks.length >= 6);
    const completion = await client.completions.create({ model: "ideal", prompt: NEEDLE + PREFIX, stream: true });
    const texts = (await Array.fromAsync(completion)).map(({ choices }) => choices[0]?.text ?? "");
    equal(texts.join(""), ANSWER);
  });
});

Deno.test("serveSimulated() respects token limits and stop texts", async () => {
  await withServer({ profile: "ideal", study }, async (_server, client) => {
    const ask = async (limits: Record<string, unknown>): Promise<[string | null, string]> => {
      const body = { model: "ideal", messages: [{ role: "user", content: "Write a poem." }], ...limits };
      const { choices } = await client.chat.completions.create(body as never) as OpenAI.ChatCompletion;
      return [choices[0]!.message.content, choices[0]!.finish_reason];
    };
    deepEqual(await ask({ max_tokens: 2 }), ["I do", "length"]);
    deepEqual(await ask({ max_completion_tokens: 2 }), ["I do", "length"]);
    deepEqual(await ask({ max_tokens: 100 }), ["I do not know.", "stop"]);
    deepEqual(await ask({ stop: " not" }), ["I do", "stop"]);
    deepEqual(await ask({ stop: ["know", " do"] }), ["I", "stop"]);
  });
});

Deno.test("serveSimulated() serves one profile, or all of them", async () => {
  await withServer({ profile: "sim:gpt-4" }, async (_server, client) => {
    deepEqual((await client.models.list()).data.map(({ id }) => id), ["sim:gpt-4"]);
  });
  await withServer({}, async (_server, client) => {
    deepEqual((await client.models.list()).data.map(({ id }) => id), PROFILE_NAMES.map((name) => `sim:${name}`));
    const reply = await client.chat.completions.create({ model: "mute", messages: [USER] });
    equal(reply.choices[0]?.message.content, "");
  });
});

Deno.test("serveSimulated() works as an endpoint for chat and completions, wherever the answer prefix goes", async () => {
  await withServer({ profile: "ideal", study }, async ({ url }) => {
    for (const task of [rulerTask("niah_single_1"), rulerTask("vt"), rulerTask("cwe")]) {
      for (
        const place of [{ answerPrefix: "assistant" }, { answerPrefix: "appended" }, { api: "completions" }] as const
      ) {
        const model = openEndpoint({ model: "ideal", baseUrl: url, ...place });
        const sample = task.sample({ length: 2048, seed: "42", index: 0, materials, template: model.template });
        const reply = await model.ask(sample);
        ok(reply.kind === "answer", JSON.stringify(reply));
        equal(score(task, sample, reply.text), 1, reply.text);
      }
    }
  });
});

const MODEL = { model: "ideal" };
const UNKNOWN = { role: "user", content: "Unknown. ".repeat(300) };

Deno.test("serveSimulated() says what is wrong with a request, in OpenAI's shape", async () => {
  await withServer({ profile: "ideal", study }, async ({ url }) => {
    const chat = `${url}/chat/completions`;
    const cases: [string, unknown, number, string | null, RegExp][] = [
      [chat, "{", 400, null, /not valid JSON/],
      [chat, { messages: [USER] }, 400, "model", /the name of a model/],
      [chat, { messages: [USER], model: "gpt-4" }, 404, "model", /The model 'gpt-4' does not exist.*sim:ideal/],
      [chat, { ...MODEL, messages: [] }, 400, "messages", /at least one message/],
      [chat, { ...MODEL, messages: ["a"] }, 400, "messages[0]", /role and content/],
      [chat, { ...MODEL, messages: [USER], max_tokens: 0 }, 400, "max_tokens", /whole number from 1/],
      [chat, { ...MODEL, messages: [USER], stop: [1] }, 400, "stop", /a text or a list/],
      [chat, { ...MODEL, messages: [USER], n: 2 }, 400, "n", /same prompt always gets the same reply/],
      [chat, { ...MODEL, messages: [UNKNOWN] }, 404, null, /no sample that is served/],
      [chat, { ...MODEL, messages: [USER], logprobs: true }, 400, "logprobs", /no probabilities of tokens/],
      [`${url}/completions`, { ...MODEL, prompt: NEEDLE, echo: true }, 400, "echo", /log-likelihood cannot run/],
      [`${url}/completions`, { ...MODEL, prompt: [[1, 2]] }, 400, "prompt", /list of texts, not tokens/],
      [`${url}/completions`, { ...MODEL, prompt: Array(2049).fill("") }, 400, "prompt", /at most 2048 texts/],
      [`${url}/embeddings`, {}, 404, null, /Unknown request URL: POST \/v1\/embeddings/],
    ];
    for (const [address, request, status, param, message] of cases) {
      const reply = await post(address, request);
      equal(reply.status, status);
      const error = reply.body["error"] as unknown as Record<string, unknown>;
      deepEqual(Object.keys(error), ["message", "type", "param", "code"]);
      equal(error["param"], param);
      match(error["message"] as string, message);
    }
  });
});

Deno.test("serveSimulated() requires its key if it has one", async () => {
  await withServer({ profile: "ideal", study, apiKey: "secret" }, async ({ url }, client) => {
    await rejects(client.models.list(), { status: 401, code: "invalid_api_key" });
    equal((await new OpenAI({ baseURL: url, apiKey: "secret" }).models.list()).data.length, 1);
  });
});

Deno.test("serveSimulated() refuses a prompt over its context, with the code that clients know", async () => {
  await withServer({ profile: "ideal", study, contextTokens: 20 }, async (_server, client) => {
    await rejects(client.chat.completions.create({ model: "ideal", messages: [USER] }), {
      status: 400,
      code: "context_length_exceeded",
    });
    const many = await client.completions.create({ model: "ideal", prompt: Array(10).fill("Write a poem.") });
    equal(many.choices.length, 10);
  });
});

Deno.test("serveSimulated() refuses a profile that there is not", async () => {
  const message = /^RangeError: Cannot open the profile as its name must be one of .*: current value is "gpt-9"$/;
  await rejects(serveSimulated({ profile: "gpt-9" }), message);
});

Deno.test.each([
  ["no origin", 200, {}],
  ["JSON of a stated character set", 200, { "content-type": "application/json; charset=utf-8" }],
  ["another site's origin", 403, { origin: "https://evil.example" }],
  ["plain text", 415, { "content-type": "text/plain" }],
  ["no type", 415, { "content-type": "" }],
] as [string, number, Record<string, string>][])(
  "serveSimulated() answers a request with %s by status %d",
  async (_name, status, headers) => {
    await withServer({ profile: "mute" }, async ({ url }) => {
      // Bytes, as fetch gives a text a content type of its own.
      const body = new TextEncoder().encode(JSON.stringify({ model: "mute", messages: [USER] }));
      const reply = await fetch(`${url}/chat/completions`, {
        method: "POST",
        headers: { ...JSON_TYPE, ...headers },
        body,
      });
      deepEqual([reply.status, (await reply.text()).length > 0], [status, true]);
    });
  },
);
