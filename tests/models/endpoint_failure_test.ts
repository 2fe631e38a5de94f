import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { chatReply, errorReply, type PlayServer, playServer, type Turn } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import { type EndpointOptions, type Failure, openEndpoint, type Reply } from "@/lib/models/mod.ts";
import { userPrompt } from "@/lib/generators/mod.ts";

const KEY = "sk-test-1234567890abcdef";

interface Asked {
  readonly reply: Reply;
  /** How long was waited before each further attempt, in milliseconds. */
  readonly waits: readonly number[];
  readonly requests: number;
  /** The reasons of waits that the caller was shown. */
  readonly shown: readonly string[];
}

async function ask(turns: readonly Turn[], options: Partial<EndpointOptions> = {}): Promise<Asked> {
  await using server = playServer(...turns);
  const waits: number[] = [];
  const delay = (milliseconds: number): Promise<void> => {
    waits.push(milliseconds);
    return Promise.resolve();
  };
  const model = openEndpoint({ baseUrl: server.url, model: "m", apiKey: KEY, delay, random: () => 0, ...options });
  const shown: string[] = [];
  const reply = await model.ask(smallSample(), undefined, (reason) => void shown.push(reason));
  return { reply, waits, requests: server.received.length, shown };
}

/** Waits in whole milliseconds: the part of one that has passed already is left out. */
function rounded(waits: readonly number[]): number[] {
  return waits.map(Math.round);
}

function failureOf({ reply }: Asked): Failure {
  ok(reply.kind === "failure", "the reply is a failure");
  return reply;
}

const ANSWER = chatReply({ content: "1234567" });

Deno.test.each([
  ["a wrong key", 401, { message: "Incorrect API key provided" }, "authentication"],
  ["a key without credit", 402, { message: "Insufficient Balance" }, "authentication"],
  ["a key without the right", 403, { message: "Country not supported" }, "authentication"],
  [
    "a wrong key, in Gemini's words",
    400,
    { message: "API key not valid. Please pass a valid API key." },
    "authentication",
  ],
  ["a model that is not there", 404, { message: "The model `m` does not exist" }, "not_found"],
  ["a field that is not known", 400, { message: "Unrecognized request argument supplied: top_k" }, "bad_request"],
  ["a field that is wrong", 422, { message: "metadata: Input should be a text" }, "bad_request"],
  ["a body that is too large", 413, { message: "Payload Too Large" }, "context_length"],
  ["an output budget that the model has not", 400, {
    message: "max_tokens is too large: 99999. This model supports at most 4096 completion tokens",
  }, "bad_request"],
  ["a method that is not there", 501, { message: "Not implemented" }, "server"],
  ["no credit left", 429, { message: "You exceeded your current quota", code: "insufficient_quota" }, "rate_limit"],
  ["one request above the limit of a minute", 429, {
    message: "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389.",
  }, "rate_limit"],
  ["the same with another status", 413, {
    message: "Request too large for model, please reduce your message size",
    type: "tokens",
    code: "rate_limit_exceeded",
  }, "context_length"],
] as [string, number, unknown, string][])(
  "ask() does not ask again after %s (%i)",
  async (_name, status, error, kind) => {
    const asked = await ask([errorReply(status, error), ANSWER]);
    deepEqual([failureOf(asked).failure, failureOf(asked).attempts, asked.requests], [kind, 1, 1]);
  },
);

Deno.test.each([
  [
    "vLLM",
    Response.json({
      object: "error",
      message: "This model's maximum context length is 8 tokens",
      type: "BadRequestError",
      code: 400,
    }, { status: 400 }),
  ],
  [
    "a list, as Gemini sends",
    Response.json([{
      error: { code: 400, message: "The input token count (12) exceeds the maximum number of tokens allowed (8)." },
    }], { status: 400 }),
  ],
  ["a text", Response.json({ error: "the input length exceeds the context length" }, { status: 400 })],
  ["FastAPI", Response.json({ detail: "prompt too long" }, { status: 400 })],
  [
    "a status of success",
    Response.json({ error: { code: 400, message: "too long", type: "exceed_context_size_error", n_ctx: 8 } }),
  ],
  [
    "a provider behind OpenRouter",
    errorReply(400, { message: "Provider returned error", metadata: { raw: "maximum context length is 8" } }),
  ],
  ["plain text", new Response("prompt is too long", { status: 400 })],
  [
    "LMDeploy up to 0.9, which says nothing",
    Response.json({
      choices: [{ index: 0, message: { role: "assistant", content: "" }, finish_reason: "length" }],
      usage: { prompt_tokens: 9000, completion_tokens: 0, total_tokens: 9000 },
    }),
  ],
] as [string, Response][])("ask() finds the words of an error that came as from %s", async (_name, response) => {
  const failure = failureOf(await ask([response]));
  equal(failure.failure, "context_length");
  match(failure.message, /context|too long|token count|no room in the window/);
});

Deno.test("ask() without a stream asks no second time after an error that names streams", async () => {
  const { requests } = await ask([errorReply(400, { message: "no stream here" }), ANSWER], { stream: "off" });
  equal(requests, 1);
});

Deno.test("ask() asks again after a rate limit, as late as the server says", async () => {
  const limit = errorReply(429, { message: "Rate limit reached" }, { "retry-after": "7" });
  const { reply, waits, shown } = await ask([limit, limit, ANSWER]);
  deepEqual([reply.kind === "answer" && reply.text, reply.attempts, rounded(waits)], ["1234567", 3, [7000, 7000]]);
  deepEqual(shown, Array(2).fill("rate limit, all wait 7 s"));
});

Deno.test.each([
  ["in milliseconds", { "retry-after-ms": "1500", "retry-after": "9" }, "", 1500],
  ["in seconds", { "retry-after": "2.5" }, "", 2500],
  ["in words", {}, "Please try again in 4.77s. Need more? Upgrade at https://console.groq.com/settings/billing", 4770],
  ["in words, in minutes", {}, "Please try again in 1m30.5s.", 90_500],
  ["in words, in minutes alone", {}, "Please try again in 2m.", 120_000],
  ["in words, in milliseconds", {}, "Please try again in 250ms.", 250],
] as [string, Record<string, string>, string, number][])(
  "ask() waits as long as a server asks %s",
  async (_name, headers, message, want) => {
    const { waits, reply } = await ask([errorReply(429, { message }, headers), ANSWER]);
    deepEqual([rounded(waits), reply.kind], [[want], "answer"]);
  },
);

Deno.test("ask() waits until a date that a server names, and not at all for a date gone by", async () => {
  const at = (milliseconds: number): Response =>
    errorReply(503, { message: "Busy" }, { "retry-after": new Date(Date.now() + milliseconds).toUTCString() });
  const { waits, shown } = await ask([at(60_000), at(-60_000), ANSWER]);
  match(shown.join(), /^the server is busy, all wait (?:59|60) s$/);
  ok(waits[0]! > 0 && waits[0]! <= 60_000, "the first wait ends at the date");
  ok(waits.slice(1).every((wait) => wait < 100), `a date gone by is no wait: ${waits}`);
});

// The server asks for 7 seconds, twice.
Deno.test.each([
  ["more than its patience at once", { patienceSeconds: 6.9999 }, "failure", 1],
  ["its patience", { patienceSeconds: 14 }, "answer", 3],
  ["more than its patience", { patienceSeconds: 13.9999 }, "failure", 2],
] as [string, Partial<EndpointOptions>, string, number][])(
  "ask() decides whether it waits where the server asks for %s",
  async (_name, options, kind, requests) => {
    const limit = errorReply(429, { message: "Please try again in 7s." });
    const asked = await ask([limit, limit, ANSWER], options);
    deepEqual([asked.reply.kind, asked.requests], [kind, requests]);
  },
);

Deno.test.each([[500], [502], [503], [504], [529], [409]])("ask() asks again after status %i", async (status) => {
  const { reply, requests } = await ask([new Response("<html><h1>Bad Gateway</h1></html>", { status }), ANSWER]);
  deepEqual([reply.kind, reply.attempts, requests], ["answer", 2, 2]);
});

Deno.test("ask() asks as often as it may and no oftener, and waits longer each time", async () => {
  const asked = await ask([errorReply(500, { message: "Overloaded" })], { attempts: 9 });
  deepEqual(asked.waits, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  deepEqual([failureOf(asked).failure, failureOf(asked).attempts, asked.requests], ["server", 9, 9]);
});

Deno.test("ask() keeps why it asked again, how often and how long it waited, without any key", async () => {
  const limit = (seconds: number): Response => errorReply(429, { message: `Try again in ${seconds}s with ${KEY}` });
  const { reply } = await ask([limit(2), errorReply(500, { message: "Overloaded" }), limit(4.5), ANSWER]);
  const label = "HTTP 429 from ADDRESS: Try again in 2s with [key]";
  deepEqual(
    reply.resent?.map((one) => ({ ...one, message: one.message.replace(/http:\S+completions/, "ADDRESS") })),
    [
      { failure: "rate_limit", message: label, times: 2, waitedMs: 6500 },
      { failure: "server", message: "HTTP 500 from ADDRESS: Overloaded", times: 1, waitedMs: 500 },
    ],
  );
  equal((await ask([ANSWER])).reply.resent, undefined);
});

Deno.test("ask() spreads its waits by what is drawn", async () => {
  const overloaded = errorReply(500, { message: "Overloaded" });
  const limited = errorReply(429, { message: "" }, { "retry-after": "7" });
  deepEqual(rounded((await ask([overloaded, limited, ANSWER], { random: () => 0.5 })).waits), [750, 7350]);
});

/** llama.cpp's words while it reads the weights, and Hugging Face's. */
const LOADING = errorReply(503, { message: "Loading model", type: "unavailable_error", code: 503 });
const LOADING_TOO = Response.json({ error: "Model lab/small is currently loading", estimated_time: 20 }, {
  status: 503,
});

Deno.test("ask() waits for a server that is loading the model, says so, and counts no attempt", async () => {
  await using server = playServer(LOADING, LOADING_TOO, LOADING, errorReply(500, { message: "Busy" }), LOADING, ANSWER);
  const waits: number[] = [];
  const delay = (milliseconds: number): Promise<void> => (waits.push(milliseconds), Promise.resolve());
  const model = openEndpoint({ baseUrl: server.url, model: "m", attempts: 2, delay, random: () => 0 });
  let told = 0;
  const reply = await model.ask(smallSample(), undefined, () => void told++);
  deepEqual([reply.kind, reply.attempts, told], ["answer", 2, 4]);
  deepEqual(waits, [2000, 2000, 2000, 500, 2000]);
});

Deno.test("ask() gives up a server that is loading the model for longer than a reply may take", async () => {
  const asked = await ask([LOADING], { timeoutSeconds: 5 });
  deepEqual([failureOf(asked).failure, failureOf(asked).attempts, asked.requests], ["connection", 1, 4]);
  match(
    failureOf(asked).message,
    /^The server was still loading the model after 6 seconds: HTTP 503 from .*: Loading model$/,
  );
});

/** llama.cpp's words where its cache is full; every question in flight fails then. */
const CROWDED = errorReply(500, { code: 500, message: "Context size has been exceeded." });

/** A server whose cache holds two questions, and none that has "huge" in it. */
function crowdedServer(): PlayServer {
  let [inside, huge] = [0, 0];
  return playServer(async (request): Promise<Response> => {
    const isHuge = (await request.text()).includes("huge");
    inside++;
    huge += isHuge ? 1 : 0;
    await new Promise((go) => setTimeout(go, 100));
    const isCrowded = huge > 0 || inside > 2;
    await new Promise((go) => setTimeout(go, 20));
    inside--;
    huge -= isHuge ? 1 : 0;
    return isCrowded ? CROWDED.clone() : ANSWER.clone();
  });
}

Deno.test("ask() asks fewer questions at a time where llama.cpp's shared cache holds no more, and counts no attempt", async () => {
  await using server = crowdedServer();
  const model = openEndpoint({ baseUrl: server.url, model: "m", attempts: 1, stream: "off" });
  equal(model.mostAtOnce!(), undefined);
  const replies = await Promise.all(Array.from({ length: 8 }, () => model.ask(smallSample())));
  deepEqual(replies.map(({ kind, attempts }) => [kind, attempts]), Array(8).fill(["answer", 1]));
  ok(model.mostAtOnce!()! <= 4, `${model.mostAtOnce!()}`);
});

Deno.test("ask() fails on a question that alone is too much for the cache, and slows no other", async () => {
  await using server = crowdedServer();
  const model = openEndpoint({ baseUrl: server.url, model: "m", stream: "off" });
  const huge = { ...smallSample(), prompt: userPrompt("huge") };
  const replies = await Promise.all([huge, smallSample()].map((sample) => model.ask(sample)));
  deepEqual(replies.map((reply) => reply.kind === "failure" ? reply.failure : reply.kind), [
    "context_length",
    "answer",
  ]);
  equal(model.mostAtOnce!(), undefined, "the limit that it caused is lifted");
});

Deno.test("ask() fails with context_length where one question alone is too much for the cache", async () => {
  await using server = playServer(errorReply(500, { code: 500, message: "Context size has been exceeded." }));
  const model = openEndpoint({ baseUrl: server.url, model: "m" });
  const one = await model.ask(smallSample());
  deepEqual([one.kind === "failure" && one.failure, one.attempts, server.received.length], ["context_length", 1, 1]);
  const replies = await Promise.all(Array.from({ length: 4 }, () => model.ask(smallSample())));
  deepEqual(replies.map((reply) => reply.kind === "failure" && reply.failure), Array(4).fill("context_length"));
});

Deno.test("ask() heeds a server that says not to ask again", async () => {
  equal((await ask([errorReply(503, { message: "Gone" }, { "x-should-retry": "false" }), ANSWER])).requests, 1);
});

Deno.test.each([
  ["an error of another provider", Response.json({ error: { code: 502, message: "Upstream failed" } }), "server"],
  ["an error without a code", Response.json({ error: "Upstream failed" }), "server"],
  ["a limit", Response.json({ error: { code: 429, message: "Slow down" } }), "rate_limit"],
  ["a reply broken off", chatReply({ content: "12" }, { finish_reason: "error" }), "server"],
  [
    "an error in the choice",
    chatReply({ content: "12" }, { error: { code: 502, message: "Upstream failed" } }),
    "server",
  ],
] as [string, Response, string][])(
  "ask() asks again after %s with a status of success",
  async (_name, response, kind) => {
    equal(failureOf(await ask([response], { attempts: 1 })).failure, kind);
    equal((await ask([response, ANSWER])).reply.kind, "answer");
  },
);

Deno.test("ask() follows no redirection, which could take the key and the prompt to another host", async () => {
  await using other = playServer(ANSWER);
  const away = (): Response =>
    new Response(null, { status: 307, headers: { location: `${other.url}/chat/completions` } });
  const asked = await ask([away]);
  deepEqual([failureOf(asked).failure, asked.requests, other.received.length], ["not_found", 1, 0]);
  match(
    failureOf(asked).message,
    /^HTTP 307 from .*: it points to http:\/\/127\.0\.0\.1:\d+.*, which is not followed: give that address itself$/,
  );
});

Deno.test("ask() takes the key out of a reply of a server that echoes what it was sent, and nothing else", async () => {
  const echo = (request: Request): Response =>
    chatReply({ content: `none ${request.headers.get("authorization")}`, reasoning: KEY });
  const { reply } = await ask([echo]);
  deepEqual(reply.kind === "answer" && [reply.text, reply.thinking], ["none Bearer [key]", "[key]"]);
});

Deno.test("ask() waits out rate limits without counting attempts, for as long as its patience", async () => {
  const limit = errorReply(429, { message: "Slow down" });
  const asked = await ask([...Array(9).fill(limit), ANSWER], { attempts: 1 });
  deepEqual([asked.reply.kind, asked.reply.attempts], ["answer", 10]);
  const impatient = await ask([limit], { patienceSeconds: 10 });
  const waitedMs = impatient.waits.reduce((sum, wait) => sum + wait, 0);
  equal(failureOf(impatient).failure, "rate_limit");
  ok(waitedMs > 1000 && waitedMs <= 10_000, `${waitedMs}`);
});

Deno.test("ask() fails with timeout where no reply comes, and asks once", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const asked = await ask([() => promise], { timeoutSeconds: 0.05 });
  resolve(ANSWER.clone());
  deepEqual([failureOf(asked).failure, asked.requests], ["timeout", 1]);
  equal(failureOf(asked).message, "No whole reply within 0.05 seconds");
});

Deno.test.each([[200], [500]])(
  "ask() fails with timeout where a reply with status %i begins and never ends",
  async (status) => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"choices": [')),
    });
    const hang = (): Response => new Response(body, { status, headers: { "content-type": "application/json" } });
    equal(failureOf(await ask([hang], { timeoutSeconds: 0.05 })).failure, "timeout");
  },
);

Deno.test("ask() asks again after a connection that breaks off in the body", async () => {
  const broken = (): Response => {
    const body = new ReadableStream({
      start(controller): void {
        controller.enqueue(new TextEncoder().encode('{"choices": ['));
        controller.error("gone");
      },
    });
    return new Response(body, { headers: { "content-type": "application/json" } });
  };
  const { reply, requests } = await ask([broken, ANSWER]);
  deepEqual([reply.kind, requests], ["answer", 2]);
});

Deno.test("ask() fails with connection where no one listens, after all attempts", async () => {
  const server = playServer(ANSWER);
  await server[Symbol.asyncDispose]();
  const waits: number[] = [];
  const delay = (milliseconds: number): Promise<void> => (waits.push(milliseconds), Promise.resolve());
  const reply = await openEndpoint({ baseUrl: server.url, model: "m", attempts: 3, delay, random: () => 0 }).ask(
    smallSample(),
  );
  deepEqual([reply.kind === "failure" && reply.failure, reply.attempts, waits], ["connection", 3, [500, 1000]]);
  match(
    reply.kind === "failure" ? reply.message : "",
    /^The connection to http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions failed: (?!Connection error|fetch failed)/,
  );
});

Deno.test("ask() says in one line where it asked and what the server said", async () => {
  const page = new Response(
    `<!DOCTYPE html><html><head><style>p{}</style><title>404</title></head><body><h1>Not\n Found</h1>${
      "<p>x</p>".repeat(9999)
    }`,
    { status: 404, headers: { "content-type": "text/html" } },
  );
  const { message, failure } = failureOf(await ask([page]));
  equal(failure, "not_found");
  match(message, /^HTTP 404 from http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions: 404 Not Found x x /);
  ok(message.length <= 4001 && !message.includes("\n"), "the message is one line");
});

Deno.test("ask() rejects with the signal's reason when its caller ends it, before, during and between requests", async () => {
  const stopped = new Error("stopped");
  const never = Promise.withResolvers<Response>();
  await using server = playServer(errorReply(500, { message: "Busy" }), () => never.promise);
  const model = openEndpoint({ baseUrl: server.url, model: "m", random: () => 0 });
  await rejects(model.ask(smallSample(), AbortSignal.abort(stopped)), stopped);
  equal(server.received.length, 0);
  const between = new AbortController();
  const waiting = openEndpoint({
    baseUrl: server.url,
    model: "m",
    delay: (_milliseconds, signal) => {
      between.abort(stopped);
      return Promise.reject(signal?.reason);
    },
  });
  await rejects(waiting.ask(smallSample(), between.signal), stopped);
  await using loading = playServer(LOADING);
  const started = openEndpoint({ baseUrl: loading.url, model: "m" });
  const ending = new AbortController();
  await rejects(started.ask(smallSample(), ending.signal, () => ending.abort(stopped)), stopped);
  const during = new AbortController();
  const asked = model.ask(smallSample(), during.signal);
  while (server.received.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  during.abort(stopped);
  await rejects(asked, stopped);
  never.resolve(ANSWER.clone());
});

Deno.test("ask() waits with a timer that ends with the signal", async () => {
  await using server = playServer(errorReply(429, { message: "" }, { "retry-after": "100" }));
  const stop = new AbortController();
  const asked = openEndpoint({ baseUrl: server.url, model: "m" }).ask(smallSample(), stop.signal);
  while (server.received.length < 1) await new Promise((resolve) => setTimeout(resolve, 1));
  stop.abort(new Error("stopped"));
  await rejects(asked, /stopped/);
});

Deno.test.each([
  ["in an error", errorReply(401, { message: `Incorrect API key provided: ${KEY}.` })],
  ["encoded", errorReply(401, { message: `Bad header: Bearer%20${encodeURIComponent(KEY)}` })],
  ["masked by halves", errorReply(401, { message: "Incorrect API key provided: sk-test-********cdef." })],
  ["at the cut of a long message", errorReply(400, { message: `${"x".repeat(460)} ${KEY}` })],
  ["in a page", new Response(`<html>${KEY}</html>`, { status: 403 })],
  ["in a reply that is none", Response.json({ key: KEY })],
  ["in JSON that is none", new Response(`{"key": ${KEY}`, { headers: { "content-type": "application/json" } })],
  ["in an error with a status of success", Response.json({ error: { message: KEY } })],
] as [string, Response][])("ask() takes the key out of a message that has it %s", async (_name, response) => {
  const { message } = failureOf(await ask([response], { attempts: 1 }));
  equal(/sk-test|1234567890|cdef/.test(message), false);
});

Deno.test("ask() takes what is secret in the address out of messages", async () => {
  await using server = playServer((request) =>
    errorReply(400, { message: `${request.url} ${request.headers.get("authorization")} p@ssword1` })
  );
  const baseUrl = `${server.url.replace("http://", "http://me:p%40ssword1@")}?token=tok-98765432`;
  const reply = await openEndpoint({ baseUrl, model: "m" }).ask(smallSample());
  const message = reply.kind === "failure" ? reply.message : "";
  match(message, /\[key\]/);
  for (const secret of ["p@ssword1", "p%40ssword1", btoa("me:p@ssword1"), "tok-98765432"]) {
    equal(message.includes(secret), false);
  }
});

Deno.test("ask() leaves words whole that only contain a short key", async () => {
  const { message } = failureOf(await ask([errorReply(400, { message: "no model of that name: e" })], { apiKey: "e" }));
  match(message, /no model of that name: \[key\]$/);
});

Deno.test("ask() takes a refusal in unknown words for one of length where only shorter prompts are answered", async () => {
  const refuses = async (request: Request): Promise<Response> => {
    const { messages } = await request.json();
    return messages[0].content.length > 2000 ? errorReply(400, { message: "E77" }) : chatReply({ content: "1" });
  };
  await using server = playServer(refuses);
  const model = openEndpoint({ baseUrl: server.url, model: "m" });
  const ask = async (promptTokens: number, text: string): Promise<Reply> =>
    await model.ask({ ...smallSample(), promptTokens, prompt: userPrompt(text) });
  const kindOf = (reply: Reply): string => reply.kind === "answer" ? "answer" : reply.failure;
  const long = "x ".repeat(2000);
  deepEqual(kindOf(await ask(1200, long)), "bad_request", "nothing is answered yet");
  deepEqual(kindOf(await ask(1000, "short")), "answer");
  deepEqual(kindOf(await ask(1199, long)), "bad_request", "no longer than the answered one");
  const late = await ask(1200, long);
  deepEqual(kindOf(late), "context_length");
  match(late.kind === "failure" ? late.message : "", /E77 .*up to 1000 tokens are answered, this has 1200/);
});
