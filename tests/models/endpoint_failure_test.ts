import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { ask, failureOf } from "./_ask.ts";
import { chatReply, errorReply, type PlayServer, playServer } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import { openEndpoint, type Reply } from "@/lib/models/mod.ts";
import { userPrompt } from "@/lib/generators/mod.ts";

const ANSWER = chatReply({ content: "1234567" });
const LOADING = errorReply(503, { message: "Loading model", type: "unavailable_error", code: 503 });

Deno.test.each([
  ["a wrong key", 401, { message: "Incorrect API key provided" }, "authentication"],
  ["an error that names streams, without a stream", 400, { message: "no stream here" }, "bad_request"],
  ["a field that is not known", 400, { message: "Unrecognized request argument supplied: top_k" }, "bad_request"],
  ["no credit left", 429, { message: "You exceeded your current quota", code: "insufficient_quota" }, "rate_limit"],
] as [string, number, unknown, string][])(
  "ask() does not ask again after %s (%i)",
  async (_name, status, error, kind) => {
    const asked = await ask([errorReply(status, error), ANSWER], { stream: "off" });
    deepEqual([failureOf(asked).failure, failureOf(asked).attempts, asked.received.length], [kind, 1, 1]);
  },
);

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

Deno.test("ask() fails with timeout where no reply comes, and asks once", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const asked = await ask([() => promise], { timeoutSeconds: 0.05 });
  resolve(ANSWER.clone());
  deepEqual([failureOf(asked).failure, asked.received.length], ["timeout", 1]);
  equal(failureOf(asked).message, "No whole reply within 0.05 seconds");
});

/** The beginning of a reply, after which the body goes on as given. */
function begun(goOn: (body: ReadableStreamDefaultController) => void, status = 200): () => Response {
  return () => {
    const body = new ReadableStream({
      start(controller): void {
        controller.enqueue(new TextEncoder().encode('{"choices": ['));
        goOn(controller);
      },
    });
    return new Response(body, { status, headers: { "content-type": "application/json" } });
  };
}

Deno.test.each([[200], [500]])(
  "ask() fails with timeout where a reply with status %i begins and never ends",
  async (status) => {
    equal(failureOf(await ask([begun(() => {}, status)], { timeoutSeconds: 0.05 })).failure, "timeout");
  },
);

Deno.test("ask() asks again after a connection that breaks off in the body", async () => {
  const { reply, received } = await ask([begun((body) => body.error("gone")), ANSWER]);
  deepEqual([reply.kind, received.length], ["answer", 2]);
});

Deno.test("ask() fails with connection where no one listens, after all attempts", async () => {
  const server = playServer(ANSWER);
  await server[Symbol.asyncDispose]();
  const asked = await ask([], { baseUrl: server.url, attempts: 3 });
  deepEqual([failureOf(asked).failure, asked.reply.attempts, asked.waits], ["connection", 3, [500, 1000]]);
  match(
    failureOf(asked).message,
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
