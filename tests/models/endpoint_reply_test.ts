import { deepEqual, equal, match } from "node:assert/strict";
import fc from "fast-check";
import { chatReply, playServer, type Turn } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import { openEndpoint, type Reply } from "@/lib/models/mod.ts";

async function ask(turn: Turn, api: "chat" | "completions" = "chat"): Promise<Reply> {
  await using server = playServer(turn);
  return await openEndpoint({ baseUrl: server.url, model: "m", api, attempts: 1 }).ask(smallSample());
}

Deno.test("ask() gives text, finish reason, the provider's token counts, and one attempt", async () => {
  const { latencyMs, ...reply } = await ask(chatReply({ content: " 1234567." })) as Extract<Reply, { kind: "answer" }>;
  deepEqual(reply, {
    kind: "answer",
    text: " 1234567.",
    finishReason: "stop",
    promptTokens: 120,
    completionTokens: 7,
    attempts: 1,
  });
  equal(Number.isInteger(latencyMs) && latencyMs >= 0, true);
});

Deno.test("ask() keeps which model the server says it is, and its fingerprint", async () => {
  const named = await chatReply({ content: "17" }).json();
  const reply = await ask(Response.json({ ...named, model: "m-2026-01-15", system_fingerprint: "fp_44709d6fcb" }));
  deepEqual(reply.kind === "answer" && [reply.servedModel, reply.fingerprint], ["m-2026-01-15", "fp_44709d6fcb"]);
  const odd = await ask(Response.json({ ...named, model: 7, system_fingerprint: null }));
  deepEqual(odd.kind === "answer" && ["servedModel" in odd, "fingerprint" in odd], [false, false]);
});

Deno.test.each([
  ["no thinking", { content: "1234567" }, "1234567", undefined],
  ["thinking apart (DeepSeek, vLLM, SGLang)", { content: "1234567", reasoning_content: "Look." }, "1234567", "Look."],
  ["thinking apart (OpenRouter, Ollama)", { content: "1234567", reasoning: "Look." }, "1234567", "Look."],
  ["thinking apart under both names", { content: "17", reasoning_content: "Look.", reasoning: "See." }, "17", "Look."],
  ["thinking first", { content: "<think>\nLook.\n</think>\n\n1234567" }, "1234567", "Look."],
  ["thinking in words", { content: " <thinking>Look.</thinking> 1234567" }, "1234567", "Look."],
  ["thinking in brackets", { content: "[THINK]Look.[/THINK]1234567" }, "1234567", "Look."],
  ["thinking that the server's template opened", { content: "Look.\n</think>\n1234567" }, "1234567", "Look."],
  ["thinking that never ended", { content: "<think>Look, and look" }, "", "Look, and look"],
  ["thinking that took the budget", { content: null, reasoning_content: "Look" }, "", "Look"],
  ["empty thinking", { content: "<think>\n\n</think>\n\n1234567" }, "1234567", undefined],
  [
    "a mark of thinking later on is text",
    { content: "The tag <think> is 1234567" },
    "The tag <think> is 1234567",
    undefined,
  ],
  [
    "parts (Mistral)",
    {
      content: [{ type: "thinking", thinking: [{ type: "text", text: "Look." }] }, { type: "text", text: "1234567" }],
    },
    "1234567",
    "Look.",
  ],
  ["a refusal", { content: null, refusal: "I cannot." }, "I cannot.", undefined],
  ["a refusal beside an empty text", { content: "", refusal: "I cannot." }, "I cannot.", undefined],
  ["thinking in details", { content: "17", reasoning_details: [{ text: "Look." }] }, "17", "Look."],
  ["thinking alone in details", { content: null, reasoning_details: [{ text: "Look." }] }, "", "Look."],
  ["hidden thinking in details", { content: null, reasoning_details: [{ data: "x" }] }, "", undefined],
  ["null for content", { content: null }, "", undefined],
  ["no content", {}, "", undefined],
  ["a tool call alone", { content: null, tool_calls: [{ id: "c" }] }, "", undefined],
  ["an empty text", { content: "" }, "", undefined],
  ["markup and control characters", { content: "<b>1\u0000\u001b[31m</b>" }, "<b>1\u0000\u001b[31m</b>", undefined],
] as [string, unknown, string, string | undefined][])(
  "ask() reads a message with %s",
  async (_name, message, text, thinking) => {
    const reply = await ask(chatReply(message));
    equal(reply.kind, "answer");
    deepEqual(reply.kind === "answer" && [reply.text, reply.thinking], [text, thinking]);
  },
);

Deno.test("ask() takes thinking out of a completion", async () => {
  const reply = await ask(
    Response.json({ choices: [{ text: "<think>Look.</think> 1234567", finish_reason: "stop" }] }),
    "completions",
  );
  deepEqual(reply.kind === "answer" && [reply.text, reply.thinking], ["1234567", "Look."]);
});

Deno.test.each([
  ["stop", "stop"],
  ["eos", "stop"],
  ["length", "length"],
  ["MAX_TOKENS", "length"],
  ["content_filter", "content_filter"],
  ["max-tokens", "length"],
  ["FinishReason.MAX_TOKENS", "length"],
  ["model_length", "length"],
  ["COMPLETE", "stop"],
  ["FINISH_REASON_STOP", "stop"],
  ["RECITATION", "content_filter"],
  ["content-filter", "content_filter"],
  ["sensitive", "content_filter"],
  ["tool_calls", "tool_call"],
  ["function_call", "tool_call"],
  [null, "unknown"],
  ["", "unknown"],
] as [string | null, string][])("ask() reads finish reason %s as %s", async (given, want) => {
  const reply = await ask(chatReply({ content: "a" }, { finish_reason: given }));
  equal(reply.kind === "answer" && reply.finishReason, want);
});

Deno.test("ask() gives an empty answer where a filter left nothing", async () => {
  const reply = await ask(chatReply({ content: null }, { finish_reason: "content_filter" }));
  deepEqual(reply.kind === "answer" && [reply.text, reply.finishReason], ["", "content_filter"]);
});

Deno.test("ask() keeps how much of the prompt the provider had in its cache", async () => {
  const details = { "cached_tokens": 512 };
  const usage = { "prompt_tokens": 900, "completion_tokens": 5, "prompt_tokens_details": details };
  const reply = await ask(Response.json({ choices: [{ message: { content: "a" }, finish_reason: "stop" }], usage }));
  deepEqual(reply.kind === "answer" && [reply.promptTokens, reply.cachedTokens], [900, 512]);
});

Deno.test.each([
  ["none", {}],
  ["null", { usage: null }],
  ["texts", { usage: { prompt_tokens: "many", completion_tokens: -1 } }],
] as [string, object][])("ask() leaves token counts out where the provider gives %s", async (_name, usage) => {
  const reply = await ask(Response.json({ choices: [{ message: { content: "a" } }], ...usage }));
  equal(reply.kind, "answer");
  equal("promptTokens" in reply || "completionTokens" in reply, false);
});

Deno.test("ask() reads JSON that a server calls plain text", async () => {
  const reply = await ask(new Response(JSON.stringify({ choices: [{ message: { content: "a" } }] })));
  equal(reply.kind === "answer" && reply.text, "a");
});

const JSON_TYPE = { headers: { "content-type": "application/json" } };

Deno.test.each([
  [
    "a page",
    new Response("<!doctype html><title>Sign in</title><p>Sign in</p>", { headers: { "content-type": "text/html" } }),
    /^The reply is no JSON object: Sign in Sign in$/,
  ],
  [
    "JSON cut off",
    new Response('{"choices": [{"message": {"content": "12', JSON_TYPE),
    /^The reply is no whole JSON: /,
  ],
  ["a page called JSON", new Response("<html>", JSON_TYPE), /^The reply is no whole JSON: /],
  ["nothing", new Response("", JSON_TYPE), /^The reply is no JSON object: no message$/],
  ["status 204", new Response(null, { status: 204 }), /^The reply is no JSON object: /],
  ["a list", Response.json([1]), /^The reply is no JSON object: /],
  ["null", Response.json(null), /^The reply is no JSON object: /],
  ["no choices", Response.json({ id: "x" }), /^The reply has no choices: \{"id":"x"\}$/],
  ["empty choices", Response.json({ choices: [] }), /^The reply has no choices: /],
  ["choices that are no list", Response.json({ choices: "a" }), /^The reply has no choices: /],
  ["a choice without a message", Response.json({ choices: [{ finish_reason: "stop" }] }), /^The reply has no text: /],
  [
    "neither a text nor an end",
    Response.json({ choices: [{ message: { content: null } }] }),
    /^The reply has neither /,
  ],
  ["a number for content", chatReply({ content: 7 }), /^The reply has no text: /],
  ["the other interface's choice", Response.json({ choices: [{ text: "a" }] }), /^The reply has no text: /],
  [
    "a stream",
    new Response('data: {"choices":[]}\n\n', { headers: { "content-type": "text/event-stream" } }),
    /^The reply is not whole: its stream ended without a finish reason/,
  ],
] as [string, Response, RegExp][])(
  "ask() fails with bad_reply for %s, after as many attempts as it may",
  async (_name, response, message) => {
    await using server = playServer(response);
    const reply = await openEndpoint({ baseUrl: server.url, model: "m", delay: () => Promise.resolve() }).ask(
      smallSample(),
    );
    equal(reply.kind === "failure" && reply.failure, "bad_reply");
    match(reply.kind === "failure" ? reply.message : "", message);
    equal(server.received.length, 5);
  },
);

Deno.test("ask() never rejects, whatever JSON a server sends with whatever status", async () => {
  let response: () => Response = () => new Response();
  await using server = playServer(() => response());
  const model = openEndpoint({ baseUrl: server.url, model: "m", attempts: 1, patienceSeconds: 0 });
  const wrap = (value: fc.JsonValue): fc.Arbitrary<unknown> =>
    fc.constantFrom(value, { error: value }, { choices: value }, { choices: [value] }, {
      choices: [{ message: value }],
    }, {
      choices: [{ message: { content: value }, finish_reason: value }],
      usage: value,
    });
  const status = fc.constantFrom(200, 200, 400, 404, 418, 429, 500);
  await fc.assert(
    fc.asyncProperty(fc.jsonValue().chain(wrap), status, async (value, code) => {
      response = () => Response.json(value, { status: code });
      const reply = await model.ask(smallSample());
      equal(reply.kind === "failure" || typeof reply.text === "string", true);
      equal(reply.kind, code === 200 ? reply.kind : "failure");
    }),
    { numRuns: 300 },
  );
});

Deno.test.each([
  ["an empty text that ends", "", "stop", 0, "answer"],
  ["an empty text cut off before its first token", "", "length", 0, "context_length"],
  ["an empty text cut off after a token", "", "length", 1, "answer"],
  ["a text cut off by a server that counts 0 tokens", "17", "length", 0, "answer"],
])("ask() reads %s", async (_name, content, finish, tokens, wanted) => {
  const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: finish }];
  await using server = playServer(Response.json({ choices, usage: { prompt_tokens: 9, completion_tokens: tokens } }));
  const reply = await openEndpoint({ baseUrl: server.url, model: "m" }).ask(smallSample());
  equal(reply.kind === "failure" ? reply.failure : reply.kind, wanted);
});

Deno.test("ask() counts hidden reasoning tokens apart", async () => {
  const reply = await chatReply({ content: "17" }).json();
  const usage = { ...reply.usage, "completion_tokens_details": { "reasoning_tokens": 5 } };
  const counted = await ask(Response.json({ ...reply, usage }));
  deepEqual(counted.kind === "answer" && [counted.completionTokens, counted.reasoningTokens], [7, 5]);
});

Deno.test.each([
  ["OpenAI, whose count has them", { prompt_tokens: 900, prompt_tokens_details: { cached_tokens: 800 } }, [900, 800]],
  ["Moonshot", { prompt_tokens: 900, cached_tokens: 800, total_tokens: 907 }, [900, 800]],
  ["DeepSeek", { prompt_tokens: 900, prompt_cache_hit_tokens: 800, prompt_cache_miss_tokens: 100 }, [900, 800]],
  ["a gateway that leaves them out", { prompt_tokens: 100, cache_read_input_tokens: 800 }, [900, 800]],
  ["one whose sum shows that it does", { prompt_tokens: 500, cached_tokens: 400, total_tokens: 907 }, [900, 400]],
  ["none", { prompt_tokens: 900 }, [900, undefined]],
] as [string, Record<string, unknown>, [number, number | undefined]][])(
  "ask() counts cached tokens of a prompt with the others: %s",
  async (_name, counts, wanted) => {
    const usage = { "completion_tokens": 7, ...counts };
    await using server = playServer(
      Response.json({ choices: [{ message: { content: "1" }, finish_reason: "stop" }], usage }),
    );
    const reply = await openEndpoint({ baseUrl: server.url, model: "m" }).ask(smallSample());
    deepEqual(reply.kind === "answer" && [reply.promptTokens, reply.cachedTokens], wanted);
  },
);

Deno.test("ask() takes no reply without a finish reason for whole where others of its server have one", async () => {
  const [named, nameless] = ["stop", null].map((reason) => chatReply({ content: "17" }, { finish_reason: reason }));
  await using server = playServer(nameless!, named!, nameless!, named!);
  const delay = (): Promise<void> => Promise.resolve();
  const model = openEndpoint({ baseUrl: server.url, model: "m", stream: "off", delay });
  const replies = [await model.ask(smallSample()), await model.ask(smallSample()), await model.ask(smallSample())];
  deepEqual(replies.map((reply) => [reply.kind === "answer" && reply.finishReason, reply.attempts]), [
    ["unknown", 1],
    ["stop", 1],
    ["stop", 2],
  ]);
});

Deno.test("ask() keeps what the probe's replies show when the template's tokens are known", async () => {
  const [named, nameless] = ["stop", null].map((reason) => chatReply({ content: "17" }, { finish_reason: reason }));
  await using server = playServer(named!, nameless!);
  const model = openEndpoint({ baseUrl: server.url, model: "m", stream: "off", attempts: 1 });
  await model.ask(smallSample());
  const reply = await model.withTemplateTokens!(7).ask(smallSample());
  equal(reply.kind === "failure" && reply.failure, "server");
});

Deno.test("ask() takes a cut reply for thinking where others end their thinking without having begun it", async () => {
  const cut = chatReply({ content: "I see 17" }, { finish_reason: "length" });
  await using server = playServer(cut, chatReply({ content: "I see 17.</think>17" }), cut);
  const model = openEndpoint({ baseUrl: server.url, model: "m", stream: "off" });
  const replies = [await model.ask(smallSample()), await model.ask(smallSample()), await model.ask(smallSample())];
  deepEqual(replies.map((reply) => reply.kind === "answer" && reply.text), ["I see 17", "17", ""]);
});

Deno.test("ask() takes thinking out by the user's marks, which the settings name", async () => {
  await using server = playServer(chatReply({ content: "PLAN: 18. DONE: 17" }));
  const thinkingMarks = [["PLAN:", "DONE:"]] as const;
  const model = openEndpoint({ baseUrl: server.url, model: "m", thinkingMarks });
  const reply = await model.ask(smallSample());
  deepEqual(reply.kind === "answer" && [reply.text, reply.thinking], ["17", "18."]);
  equal(model.settings["thinkingMarks"], '[["PLAN:","DONE:"]]');
});
