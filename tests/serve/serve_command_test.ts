import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import OpenAI from "openai";
import { makeSample, materials, score } from "../models/_ruler.ts";
import { shellOf, spawn } from "../cli/_shell.ts";
import { readSimulated } from "../_read_simulated.ts";
import { rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { SERVE, type ServeOptions, serveSimulated } from "./serve_command.ts";
import { joinPrompt, openEndpoint } from "@/lib/models/mod.ts";
import { openProfile, PROFILE_NAMES } from "@/lib/simulated/mod.ts";
import { renderMessages } from "@/lib/models/chat_templates.ts";

const MAIN = "tests/serve/main.ts";
Deno.test("deno task serve says in one line that a port is taken, and with FATHOM_DEBUG prints the stack", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr as Deno.NetAddr;
  const line = `fathom: Cannot serve as port must be free: current value is ${port}`;
  const plain = await shellOf([SERVE], "serve", "--port", `${port}`);
  deepEqual([plain.code, plain.out, plain.told], [1, "", [line]]);
  // In a process of its own: other tests run beside this one and share its environment.
  const { stderr } = await spawn(["--port", `${port}`], undefined, { FATHOM_DEBUG: "1" }, MAIN).output();
  const told = new TextDecoder().decode(stderr).split("\n");
  equal(told[0], line);
  match(told.join("\n"), /serve_command\.ts:\d+/);
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

/** Runs a test against a server of its own. */
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

const NEEDLE = "One of the special magic numbers for calm-river is: 1234567.\n" +
  "What is the special magic number for calm-river mentioned in the provided text?";
const PREFIX = " The special magic number for calm-river mentioned in the provided text is";
const USER = { role: "user", content: NEEDLE } as const;

Deno.test("serveSimulated() answers the openai client's chats with usage and reason", async () => {
  await withServer({ profile: "ideal" }, async (_server, client) => {
    const reply = await client.chat.completions.create({ model: "sim:ideal", messages: [USER] });
    equal(reply.object, "chat.completion");
    match(reply.id, /^chatcmpl-[0-9a-f]{32}$/);
    equal(reply.model, "sim:ideal");
    deepEqual(reply.choices[0]?.message, { role: "assistant", content: "1234567.", refusal: null });
    equal(reply.choices[0]?.finish_reason, "stop");
    const prompt = materials.tokenizer.count(NEEDLE);
    const completion = materials.tokenizer.count("1234567.");
    deepEqual(reply.usage, {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    });
  });
});

Deno.test("serveSimulated() continues a final assistant message", async () => {
  await withServer({ profile: "ideal" }, async (_server, client) => {
    const messages = [{ role: "system", content: "Be brief." }, USER, { role: "assistant", content: PREFIX }] as const;
    const reply = await client.chat.completions.create({ model: "ideal", messages: [...messages] });
    equal(reply.choices[0]?.message.content, " 1234567.");
    equal(reply.model, "sim:ideal");
    match(reply.system_fingerprint ?? "", /^simulated-\d+$/);
  });
});

Deno.test("serveSimulated() joins content given in parts", async () => {
  await withServer({ profile: "ideal" }, async (_server, client) => {
    const content = [NEEDLE.slice(0, 50), NEEDLE.slice(50)].map((text) => ({ type: "text", text }) as const);
    const reply = await client.chat.completions.create({ model: "ideal", messages: [{ role: "user", content }] });
    equal(reply.choices[0]?.message.content, "1234567.");
  });
});

Deno.test("serveSimulated() answers plain completions, one prompt or several", async () => {
  await withServer({ profile: "ideal" }, async (_server, client) => {
    const one = await client.completions.create({ model: "ideal", prompt: NEEDLE + PREFIX });
    equal(one.object, "text_completion");
    equal(one.choices[0]?.text, " 1234567.");
    const two = await client.completions.create({ model: "ideal", prompt: [NEEDLE, "Write a poem."] });
    deepEqual(two.choices.map(({ index, text }) => [index, text]), [[0, "1234567."], [1, "I do not know."]]);
  });
});

Deno.test("serveSimulated() streams the same text as it sends at once, for chats and completions", async () => {
  await withServer({ profile: "ideal" }, async (_server, client) => {
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
    equal(texts.join(""), " 1234567.");
  });
});

Deno.test("serveSimulated() ends a stream with [DONE]", async () => {
  await withServer({ profile: "mute" }, async ({ url }) => {
    const response = await fetch(`${url}/chat/completions`, {
      method: "POST",
      headers: JSON_TYPE,
      body: JSON.stringify({ model: "mute", messages: [USER], stream: true }),
    });
    equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
    const events = (await response.text()).trim().split("\n\n");
    ok(events.every((event) => event.startsWith("data: ")));
    equal(events.at(-1), "data: [DONE]");
  });
});

Deno.test("serveSimulated() sends counts in the last chunk of a stream alone, and only where they are wanted", async () => {
  await withServer({ profile: "ideal" }, async (_server, client) => {
    const ask = async (options: object): Promise<unknown[]> => {
      const stream = await client.chat.completions.create({
        model: "ideal",
        messages: [USER],
        stream: true,
        ...options,
      });
      const chunks = await Array.fromAsync(stream);
      return chunks.map(({ usage }) => usage);
    };
    const counted = await ask({ stream_options: { include_usage: true } });
    const [prompt, completion] = [NEEDLE, "1234567."].map((text) => materials.tokenizer.count(text)) as [
      number,
      number,
    ];
    deepEqual(counted.slice(0, -1), [null, null, null]);
    deepEqual(counted.at(-1), {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    });
    deepEqual(await ask({}), [undefined, undefined, undefined]);
  });
});

Deno.test("serveSimulated() gives each prompt as many replies as are wanted, in the order of the prompts", async () => {
  await withServer({ profile: "ideal" }, async (_server, client) => {
    const chat = await client.chat.completions.create({ model: "ideal", messages: [USER], n: 2 });
    deepEqual(chat.choices.map(({ index, message }) => [index, message.content]), [[0, "1234567."], [1, "1234567."]]);
    equal(chat.usage?.prompt_tokens, materials.tokenizer.count(NEEDLE));
    equal(chat.usage?.completion_tokens, 2 * materials.tokenizer.count("1234567."));
    const plain = await client.completions.create({ model: "ideal", prompt: [NEEDLE, "Write a poem."], n: 2 });
    deepEqual(plain.choices.map(({ index, text }) => [index, text]), [
      [0, "1234567."],
      [1, "1234567."],
      [2, "I do not know."],
      [3, "I do not know."],
    ]);
  });
});

Deno.test("serveSimulated() ignores fields that it does not know", async () => {
  await withServer({ profile: "ideal" }, async (_server, client) => {
    const sampling = { temperature: 0, "top_p": 0.5, seed: 1234, user: "lab", logprobs: false, n: null, stop: null };
    const unknown = { ...sampling, "top_k": 3, mine: { deep: [] } };
    const reply = await client.chat.completions.create({ model: "ideal", messages: [USER], ...unknown });
    equal(reply.choices[0]?.message.content, "1234567.");
    const completion = { model: "ideal", prompt: NEEDLE, logprobs: null, echo: false, best_of: 1 } as const;
    equal((await client.completions.create(completion)).choices[0]?.text, "1234567.");
  });
});

Deno.test("serveSimulated() describes one model by its name", async () => {
  await withServer({ profile: "ideal" }, async ({ url }, client) => {
    const [listed] = (await client.models.list()).data;
    deepEqual(await client.models.retrieve("sim:ideal"), listed);
    deepEqual(await (await fetch(`${url}/models/ideal`)).json(), listed);
    await rejects(client.models.retrieve("gpt-4"), { status: 404, code: "model_not_found", param: "model" });
    equal((await fetch(`${url}/models/%`)).status, 404);
  });
});

Deno.test("serveSimulated() respects token limits and stop texts", async () => {
  await withServer({ profile: "ideal" }, async (_server, client) => {
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

Deno.test("serveSimulated() gives the same replies as the simulated reader itself", async () => {
  const task = rulerTask("niah_multikey_3");
  await withServer({}, async (_server, client) => {
    for (const name of ["longalpaca", "lwm"]) {
      for (let index = 0; index < 3; index++) {
        const { prompt } = makeSample(task, 2048, index);
        const messages = renderMessages(prompt, {
          template: { name: "base", before: "", after: "", extraTokens: 0, answerPrefix: true },
          answerPrefix: "assistant",
        });
        const reply = await client.chat.completions.create({ model: name, messages: messages as never });
        equal(reply.choices[0]?.message.content, readSimulated(joinPrompt(prompt), openProfile(name)).text);
      }
    }
  });
});

Deno.test("serveSimulated() works as an endpoint for chat and completions, wherever the answer prefix goes", async () => {
  await withServer({ profile: "ideal" }, async ({ url }) => {
    for (const task of [rulerTask("niah_single_2"), rulerTask("vt"), rulerTask("cwe")]) {
      for (
        const place of [{ answerPrefix: "assistant" }, { answerPrefix: "appended" }, { api: "completions" }] as const
      ) {
        const model = openEndpoint({ model: "ideal", baseUrl: url, ...place });
        const sample = task.sample({ length: 2048, seed: "e", index: 0, materials, template: model.template });
        const reply = await model.ask(sample);
        ok(reply.kind === "answer", JSON.stringify(reply));
        equal(score(task, sample, reply.text), 1, reply.text);
      }
    }
  });
});

const MODEL = { model: "ideal" };
Deno.test("serveSimulated() says what is wrong with a request, in OpenAI's shape", async () => {
  await withServer({ profile: "ideal" }, async ({ url }) => {
    const chat = `${url}/chat/completions`;
    const cases: [string, unknown, number, string | null, RegExp][] = [
      [chat, "{", 400, null, /not valid JSON/],
      [chat, [], 400, "body", /must be a JSON object/],
      [chat, { messages: [USER] }, 400, "model", /the name of a model/],
      [chat, { messages: [USER], model: "gpt-4" }, 404, "model", /The model 'gpt-4' does not exist.*sim:ideal/],
      [chat, MODEL, 400, "messages", /at least one message/],
      [chat, { ...MODEL, messages: [] }, 400, "messages", /at least one message/],
      [chat, { ...MODEL, messages: ["a"] }, 400, "messages[0]", /role and content/],
      [
        chat,
        { ...MODEL, messages: [{ role: "user", content: [{ type: "image_url" }] }] },
        400,
        "messages[0].content",
        /parts of type text/,
      ],
      [chat, { ...MODEL, messages: [USER], max_tokens: 0 }, 400, "max_tokens", /whole number from 1/],
      [chat, { ...MODEL, messages: [USER], stop: [1] }, 400, "stop", /a text or a list/],
      [chat, { ...MODEL, messages: [USER], stream: "yes" }, 400, "stream", /true or false/],
      [chat, { ...MODEL, messages: [USER], n: 0 }, 400, "n", /a whole number from 1 to 128/],
      [chat, { ...MODEL, messages: [USER], logprobs: true }, 400, "logprobs", /no probabilities of tokens/],
      [chat, { ...MODEL, messages: [USER], top_logprobs: 2 }, 400, "top_logprobs", /no probabilities of tokens/],
      [`${url}/completions`, { ...MODEL, prompt: NEEDLE, logprobs: 0 }, 400, "logprobs", /no probabilities/],
      [`${url}/completions`, { ...MODEL, prompt: NEEDLE, echo: true }, 400, "echo", /log-likelihood cannot run/],
      [`${url}/completions`, { ...MODEL, prompt: [[1, 2]] }, 400, "prompt", /list of texts, not tokens/],
      [`${url}/completions`, { ...MODEL, prompt: Array(2049).fill("") }, 400, "prompt", /at most 2048 texts/],
      [`${url}/completions`, { ...MODEL, prompt: [1, 2] }, 400, "prompt", /tokenizer_backend=none/],
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
  await withServer({ profile: "ideal", apiKey: "secret" }, async ({ url }, client) => {
    await rejects(client.models.list(), { status: 401, code: "invalid_api_key" });
    equal((await new OpenAI({ baseURL: url, apiKey: "secret" }).models.list()).data.length, 1);
  });
});

Deno.test("serveSimulated() refuses a prompt over its context, with the code that clients know", async () => {
  await withServer({ profile: "ideal", contextTokens: 20 }, async (_server, client) => {
    await rejects(client.chat.completions.create({ model: "ideal", messages: [USER] }), {
      status: 400,
      code: "context_length_exceeded",
    });
    // Each prompt has the window to itself.
    const many = await client.completions.create({ model: "ideal", prompt: Array(10).fill("Write a poem.") });
    equal(many.choices.length, 10);
  });
});

Deno.test("serveSimulated() fails on purpose with 429 and 500, and answers a client that retries", async () => {
  await withServer({ profile: "ideal", failures: 0.5 }, async ({ url }, client) => {
    const statuses = new Set<number>();
    for (let request = 0; request < 30; request++) {
      try {
        await client.chat.completions.create({ model: "ideal", messages: [USER] });
        statuses.add(200);
      } catch (error) {
        statuses.add((error as { status: number }).status);
      }
    }
    deepEqual([...statuses].toSorted(), [200, 429, 500]);
    const patient = new OpenAI({ baseURL: url, apiKey: "any", maxRetries: 20 });
    const reply = await patient.chat.completions.create({ model: "ideal", messages: [USER] });
    equal(reply.choices[0]?.message.content, "1234567.");
  });
});

Deno.test("serveSimulated() answers many requests at once", async () => {
  await withServer({ profile: "ideal" }, async (_server, client) => {
    const asked = Array.from({ length: 32 }, (_, number) =>
      client.chat.completions.create({
        model: "ideal",
        messages: [{ role: "user", content: NEEDLE.replace("1234567", String(1_000_000 + number)) }],
      }));
    const replies = await Promise.all(asked);
    deepEqual(
      replies.map(({ choices }) => choices[0]?.message.content),
      asked.map((_, number) => `${1_000_000 + number}.`),
    );
  });
});

Deno.test.each(
  [
    [
      { profile: "gpt-9" },
      /^RangeError: Cannot open the profile as its name must be one of .*: current value is "gpt-9"$/,
    ],
    [
      { port: 70_000 },
      /^RangeError: Cannot serve as port must be a whole number from 0 to 65535: current value is 70000$/,
    ],
    [{ failures: 2 }, /^RangeError: Cannot serve as failures must be in \[0, 1\]: current value is 2$/],
  ] as [ServeOptions, RegExp][],
)("serveSimulated() refuses %o", async (options, message) => {
  await rejects(serveSimulated(options), message);
});

Deno.test("serveSimulated() says when its port is taken", async () => {
  await withServer({ profile: "ideal" }, async ({ port }) => {
    await rejects(serveSimulated({ profile: "ideal", port }), {
      message: `Cannot serve as port must be free: current value is ${port}`,
    });
  });
});

/** Sends bytes over a connection of its own; gives the first line of what comes back, and the JSON where there is one. */
async function sendRaw(port: number, text: string): Promise<{ readonly first: string; readonly code: string }> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(text));
  const buffer = new Uint8Array(4096);
  const size = await connection.read(buffer) ?? 0;
  const said = new TextDecoder().decode(buffer.subarray(0, size));
  return { first: said.split("\r\n")[0]!, code: /"code":"(\w+)"/.exec(said)?.[1] ?? "" };
}

Deno.test.each([
  ["127.0.0.1:8123", "200 OK"],
  ["localhost", "200 OK"],
  ["[::1]:9", "200 OK"],
  ["evil.example:8123", "403 Forbidden"],
  ["127.0.0.1.evil.example", "403 Forbidden"],
  ["127.0.0.1@evil.example", "403 Forbidden"],
] as [string, string][])(
  "serveSimulated() answers a request for host %s with %s, as a page in a browser can give itself this address",
  async (host, status) => {
    await withServer({ profile: "ideal" }, async ({ port }) => {
      const { first, code } = await sendRaw(port, `GET /v1/models HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      deepEqual([first, code], [`HTTP/1.1 ${status}`, status === "200 OK" ? "" : "host_not_allowed"]);
    });
  },
);

Deno.test.each([
  ["headers", "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-"],
  [
    "a body",
    "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{",
  ],
] as [string, string][])("serveSimulated() drops a request whose rest of %s does not come", async (_name, text) => {
  await withServer({ profile: "ideal", arrivalSeconds: 0.2 }, async ({ port }) => {
    equal((await sendRaw(port, text)).first, "HTTP/1.1 408 Request Timeout");
  });
});

Deno.test("serveSimulated() refuses a body that is too long, without reading all of it", async () => {
  await withServer({ profile: "ideal" }, async ({ url }) => {
    const chunk = new Uint8Array(1 << 20).fill(0x20);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => ++sent > 200 ? controller.close() : controller.enqueue(chunk),
    });
    const refused = await fetch(`${url}/completions`, { method: "POST", headers: JSON_TYPE, body }).then(
      async (response) => (await response.json()).error.code,
      () => "request_too_large",
    );
    equal(refused, "request_too_large");
    ok(sent < 200);
  });
});

Deno.test("serveSimulated() refuses a name that is not encoded as it should be", async () => {
  await withServer({ profile: "ideal" }, async ({ url }) => {
    const response = await fetch(`${url}/models/%E0%A4%A`);
    deepEqual([response.status, (await response.json()).error.code], [404, "model_not_found"]);
  });
});
