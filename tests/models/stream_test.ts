import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { ask } from "./_ask.ts";
import { chatEvents, chatReply, errorReply, playServer, streamReply, type Turn } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import { type EndpointOptions, type Model, openEndpoint, type Reply } from "@/lib/models/mod.ts";

/** A reply as it is recorded, but for what depends on the moment. */
function plain({ latencyMs: _, ...reply }: Reply): unknown {
  return { ...reply, firstTokenMs: undefined };
}

const PARTS = [{ content: " 12" }, { content: "345" }, { content: "67." }];
const [TEXT, WHOLE] = [" 1234567.", chatReply({ content: " 1234567." }, {})];
const STREAM = streamReply(chatEvents(PARTS));

Deno.test.each([
  ["a text", PARTS, { content: TEXT }],
  ["an empty text", [], { content: "" }],
  ["thinking apart", [{ reasoning_content: "Lo" }, { reasoning_content: "ok." }, { content: "17" }], {
    content: "17",
    reasoning_content: "Look.",
  }],
  ["thinking in words", [{ content: "<thi" }, { content: "nk>Look.</think> 17" }], {
    content: "<think>Look.</think> 17",
  }],
  ["thinking alone", [{ reasoning: "Look" }], { content: null, reasoning: "Look" }],
  ["parts, as Mistral sends them", [
    { content: [{ type: "thinking", thinking: [{ type: "text", text: "Lo" }] }] },
    { content: [{ type: "thinking", thinking: [{ type: "text", text: "ok." }] }] },
    { content: "17" },
  ], {
    content: [{ type: "thinking", thinking: [{ type: "text", text: "Look." }] }, { type: "text", text: "17" }],
  }],
  ["a refusal", [{ refusal: "I can" }, { refusal: "not." }], { content: null, refusal: "I cannot." }],
] as [string, unknown[], unknown][])(
  "ask() records of a stream with %s what it records of the whole reply",
  async (_name, parts, message) => {
    const named = { ...await chatReply(message).json(), model: "m" };
    const [whole] = (await ask([Response.json(named)], { stream: "off" })).replies;
    const [streamed] = (await ask([streamReply(chatEvents(parts))])).replies;
    deepEqual(plain(streamed!), plain(whole!));
    equal(streamed!.kind, "answer");
  },
);

Deno.test("ask() reads completions as a stream too, with the server's counts and how soon they began", async () => {
  const usage = { "prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": { "cached_tokens": 4 } };
  const events = [
    { choices: [{ index: 0, text: " 12", finish_reason: null }], usage: null },
    { choices: [{ index: 0, text: "34", finish_reason: "length" }], system_fingerprint: "fp" },
    { choices: [], usage },
  ];
  const [reply] = (await ask([streamReply(events, { pauseMs: 5 })], { api: "completions" })).replies;
  ok(reply?.kind === "answer");
  const { latencyMs, firstTokenMs, ...rest } = reply;
  deepEqual(rest, {
    ...{ kind: "answer", text: " 1234", finishReason: "length", fingerprint: "fp", attempts: 1 },
    ...{ promptTokens: 9, cachedTokens: 4, completionTokens: 2 },
  });
  ok(firstTokenMs! >= 1 && firstTokenMs! <= latencyMs, `${firstTokenMs} of ${latencyMs}`);
});

Deno.test("ask() never takes a stream that ends before its finish reason for an answer", async () => {
  const cut = streamReply(chatEvents(PARTS.slice(0, 1), { finish: null, usage: null }));
  const { replies: [lost] } = await ask([cut], { stream: "on", attempts: 2 });
  deepEqual([lost?.kind === "failure" && lost.failure, lost?.attempts], ["bad_reply", 2]);
  // Later it is an accident, and streams go on.
  const later = await ask([STREAM, cut, STREAM], { times: 2 });
  deepEqual(later.replies.map((reply) => reply.kind === "answer" && reply.text), [TEXT, TEXT]);
  deepEqual(later.streamed, [true, true, true]);
  // At the first time the server may not know how.
  const first = await ask([cut, WHOLE], { times: 2 });
  deepEqual([first.replies.map(({ attempts }) => attempts), first.streamed], [[2, 1], [true, false, false]]);
});

Deno.test("ask() asks again where the connection breaks within a stream", async () => {
  const broken = streamReply(chatEvents(PARTS, { finish: null, usage: null }), { end: new Error("reset") });
  const { replies: [, reply], streamed } = await ask([STREAM, broken, STREAM], { times: 2 });
  deepEqual([reply?.kind === "answer" && reply.text, reply?.attempts, streamed], [TEXT, 2, [true, true, true]]);
  // A server whose first stream breaks may not know how.
  const first = await ask([broken, WHOLE]);
  deepEqual([first.replies[0]?.kind, first.streamed], ["answer", [true, false]]);
});

Deno.test.each([
  ["a field of the stream's", errorReply(400, { message: "Unrecognized request argument supplied: stream_options" })],
  ["the stream", errorReply(400, { message: "Your organization must be verified to stream this model" })],
  [
    "a field, as a list",
    Response.json({ detail: [{ type: "extra_forbidden", loc: ["body", "stream_options"] }] }, { status: 422 }),
  ],
  ["what it cannot", errorReply(501, { message: "Streaming is not implemented" })],
] as [string, Response][])(
  "ask() asks for whole replies where the server refuses %s, and counts no attempt",
  async (_name, refusal) => {
    const { replies, streamed } = await ask([refusal, WHOLE], { times: 2, attempts: 1 });
    deepEqual(replies.map(({ kind, attempts }) => [kind, attempts]), [["answer", 1], ["answer", 1]]);
    deepEqual(streamed, [true, false, false]);
  },
);

Deno.test("ask() asks for whole replies where streams have no counts of tokens, unless told to stream", async () => {
  const uncounted = streamReply(chatEvents(PARTS, { usage: null }));
  deepEqual((await ask([uncounted, WHOLE], { times: 3 })).streamed, [true, false, false]);
  deepEqual((await ask([uncounted], { times: 3, stream: "on" })).streamed, [true, true, true]);
});

Deno.test("ask() judges an error within a stream as one that comes at once", async () => {
  const busy = streamReply([...chatEvents(PARTS, { finish: null, usage: null }), {
    error: { code: 429, message: "Slow down" },
  }]);
  const { replies: [failed] } = await ask([busy], { attempts: 1 });
  deepEqual(failed?.kind === "failure" && [failed.failure, failed.message], [
    "rate_limit",
    "Error 429 with a status of success: Slow down",
  ]);
  const long = streamReply([{ error: { code: 400, message: "prompt is too long" } }]);
  const { replies: [refused] } = await ask([long]);
  equal(refused?.kind === "failure" && refused.failure, "context_length");
});

Deno.test.each([
  [
    "has no first token in time",
    chatEvents([]).slice(0, 1),
    { firstTokenSeconds: 0.05 },
    "No first token within 0.05 seconds",
    1,
  ],
  [
    "falls silent, and once more",
    chatEvents(PARTS).slice(0, 3),
    { silenceSeconds: 0.05 },
    "Nothing for 0.05 seconds within the reply",
    2,
  ],
  ["takes too long", chatEvents(PARTS).slice(0, 3), { timeoutSeconds: 0.05 }, "No whole reply within 0.05 seconds", 1],
] as [string, unknown[], Partial<EndpointOptions>, string, number][])(
  "ask() gives a stream up that %s",
  async (_name, events, options, message, attempts) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { replies: [reply] } = await ask([streamReply(events, { end: promise })], { ...options, attempts: 2 });
    resolve();
    const wanted = ["timeout", message, attempts];
    deepEqual(reply?.kind === "failure" && [reply.failure, reply.message, reply.attempts], wanted);
  },
);

Deno.test("ask() asks again after a silence, and rejects where its caller ends a stream", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const silent = streamReply(chatEvents(PARTS).slice(0, 3), { end: promise });
  const { replies: [reply] } = await ask([silent, STREAM], { silenceSeconds: 0.5 });
  deepEqual([reply?.kind === "answer" && reply.text, reply?.attempts], [TEXT, 2]);
  await using server = playServer(silent);
  const model: Model = openEndpoint({ baseUrl: server.url, model: "m" });
  const stop = new AbortController();
  const asked = model.ask(smallSample(), stop.signal);
  while (server.received.length < 1) await new Promise((go) => setTimeout(go, 1));
  setTimeout(() => stop.abort(new Error("stopped")), 10);
  await rejects(asked, /stopped/);
  resolve();
});

Deno.test.each([
  ["streamed", {}, 3_600_000],
  ["not streamed", { stream: "off" }, 600_000],
  ["streamed, with a limit", { timeoutSeconds: 7200 }, 7_200_000],
] as [string, Partial<EndpointOptions>, number][])(
  "openEndpoint() lets a whole reply take as long as documented: %s",
  async (_name, options, wantedMs) => {
    const limits = { firstTokenSeconds: 60, silenceSeconds: 60 };
    const timers: number[] = [];
    const { setTimeout } = globalThis;
    globalThis.setTimeout = ((call: () => void, ms = 0) => (timers.push(ms), setTimeout(call, ms))) as never;
    try {
      await ask([WHOLE], { ...limits, ...options });
    } finally {
      globalThis.setTimeout = setTimeout;
    }
    equal(Math.min(...timers.filter((ms) => ms > 60_000)), wantedMs);
  },
);

const COUNTED = chatEvents(PARTS);

/** A stream of a text in the given form, which ends so. */
function sent(text: string, type: string | null, end: "close" | "break" | "open" = "close"): Turn {
  return () => {
    const body = new ReadableStream({
      start(controller): void {
        controller.enqueue(new TextEncoder().encode(text));
        if (end === "close") controller.close();
        if (end === "break") setTimeout(() => controller.error(new Error("reset")), 20);
      },
    });
    return new Response(body, type === null ? {} : { headers: { "content-type": type } });
  };
}

const EVENTS = COUNTED.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

Deno.test.each([
  ["as plain text", sent(EVENTS, "text/plain; charset=utf-8")],
  ["without a type", sent(EVENTS, null)],
  ["as JSON", sent(EVENTS, "application/json")],
  ["with one line break after each", sent(EVENTS.replaceAll("\n\n", "\n"), "text/event-stream")],
  ["with carriage returns", sent(EVENTS.replaceAll("\n", "\r\n"), "text/event-stream")],
  ["with comments, names and ids", sent(`: hi\n\nevent: a\nid: 1\n${EVENTS}`, "text/event-stream")],
  ["with an event over several lines", sent(EVENTS.replace('{"id"', '{\ndata: "id"'), "text/event-stream")],
  ["without a last line break", sent(EVENTS.trimEnd(), "text/event-stream")],
  ["with a connection that breaks after the counts", sent(EVENTS, "text/event-stream", "break")],
  ["with a connection that stays open", sent(EVENTS, "text/event-stream", "open")],
])("ask() reads a stream %s", async (_name, turn) => {
  const { replies: [reply], streamed } = await ask([turn], { silenceSeconds: 0.05 });
  deepEqual(reply?.kind === "answer" && [reply.text, reply.promptTokens, reply.attempts], [TEXT, 120, 1]);
  deepEqual(streamed, [true]);
});

Deno.test("ask() reads a whole reply in any form, and a stream that was not asked for", async () => {
  const whole = await WHOLE.clone().json();
  for (const text of [JSON.stringify(whole), JSON.stringify(whole, null, 2), `\n\n${JSON.stringify(whole)}\n`]) {
    for (const type of [null, "text/plain"]) {
      const { replies: [reply] } = await ask([sent(text, type)]);
      equal(reply?.kind === "answer" && reply.text, TEXT);
    }
  }
  const { replies: [unasked] } = await ask([STREAM], { stream: "off" });
  equal(unasked?.kind === "answer" && unasked.text, TEXT);
});

const UNCOUNTED = chatEvents(PARTS, { usage: null }).map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

Deno.test.each([
  ["a connection that breaks after a reason without counts", sent(UNCOUNTED, null, "break")],
  ["a page in place of the first stream", sent("<html>no</html>", "text/html")],
])("ask() asks for a whole reply after %s", async (_name, turn) => {
  const { replies: [reply], streamed } = await ask([turn, WHOLE]);
  deepEqual([reply?.kind, reply?.attempts, streamed], ["answer", 2, [true, false]]);
});

Deno.test("probe() asks a short question once more, whole, where the first stream breaks", async () => {
  await using server = playServer(sent(EVENTS.slice(0, 400), "text/event-stream", "break"), WHOLE);
  const delay = (): Promise<void> => Promise.resolve();
  const model = openEndpoint({ baseUrl: server.url, model: "m", delay });
  const { failure, report } = await model.probe!([], { count: (text) => text.length });
  deepEqual([failure, report.streams], [undefined, false]);
});

Deno.test.each([
  ["an empty reason in every event", "", null, "bad_reply"],
  ["null as a word", "null", null, "bad_reply"],
  ["a reason in every event", "stop", null, "connection"],
  ["a reason and counts in every event", "stop", { "prompt_tokens": 9, "completion_tokens": 3 }, "connection"],
])("ask() takes no stream for whole that breaks off with %s", async (_name, reason, usage, failure) => {
  const part = (content: string): unknown => ({
    choices: [{ index: 0, delta: { content }, finish_reason: reason }],
    usage,
  });
  const cut = streamReply([part(" 12"), part("345")], { end: reason === "stop" ? new Error("reset") : "" });
  const { replies: [lost] } = await ask([cut], { stream: "on", attempts: 1 });
  equal(lost?.kind === "failure" && lost.failure, failure);
});

Deno.test("ask() waits for the counts of a stream after its finish reason", async () => {
  const late = streamReply(chatEvents(PARTS), { pauseMs: 15 });
  const { replies: [reply] } = await ask([late], { silenceSeconds: 0.2 });
  equal(reply?.kind === "answer" && reply.promptTokens, 120);
  const left = sent(EVENTS.split("\n\n").slice(0, -2).map((event) => `${event}\n\n`).join(""), null, "open");
  const { replies: [open] } = await ask([left], { silenceSeconds: 0.2 });
  deepEqual(open?.kind === "answer" && [open.text, open.promptTokens], [TEXT, undefined]);
});

Deno.test("ask() reads text that follows a reason, as some servers name one in every event", async () => {
  const part = (content: string): unknown => ({ choices: [{ index: 0, delta: { content }, finish_reason: "stop" }] });
  const usage = { "prompt_tokens": 9, "completion_tokens": 3 };
  const { replies: [reply] } = await ask([
    streamReply([part(" 12"), part("345"), part("67."), { choices: [], usage }]),
  ]);
  deepEqual(reply?.kind === "answer" && [reply.text, reply.promptTokens], [TEXT, 9]);
});
