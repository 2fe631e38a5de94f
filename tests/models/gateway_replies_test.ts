import { deepEqual, equal, match, ok } from "node:assert/strict";
import { chatEvents, chatReply, playServer, streamReply } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import { type EndpointOptions, openEndpoint, parseJson, type Reply } from "@/lib/models/mod.ts";

async function ask(response: Response | (() => Response), options: Partial<EndpointOptions> = {}): Promise<Reply> {
  await using server = playServer(response);
  const model = openEndpoint({ baseUrl: server.url, model: "m", attempts: 1, patienceSeconds: 0, ...options });
  return await model.ask(smallSample());
}

const endOf = (reply: Reply): string => reply.kind === "answer" ? reply.finishReason : reply.failure;

Deno.test.each([
  ["a cut reply of Gemini", "MAX_TOKENS", "length"],
  ["a cut reply of another provider", "length", "length"],
  ["a cut reply of the Responses API", "max_output_tokens", "length"],
  ["a filter of Gemini", "SAFETY", "content_filter"],
  ["a recitation", "RECITATION", "content_filter"],
  ["a refusal of Anthropic", "refusal", "content_filter"],
  ["a malformed call", "MALFORMED_FUNCTION_CALL", "server"],
  ["an aborted reply", "abort", "server"],
  ["a whole reply of Gemini", "STOP", "stop"],
  ["a whole reply of Anthropic", "end_turn", "stop"],
  ["a word that is not known", "halted_well", "stop"],
  ["nothing", null, "stop"],
])("a gateway's stop is read by the provider's own reason, streamed and whole: %s", async (_name, native, wanted) => {
  const message = { content: "It is 17" };
  for (
    const more of [{ native_finish_reason: native }, { provider_specific_fields: { native_finish_reason: native } }]
  ) {
    equal(endOf(await ask(chatReply(message, more), { stream: "off" })), wanted, "whole");
    const last = { choices: [{ index: 0, delta: {}, finish_reason: "stop", ...more }] };
    const events = [...chatEvents([message], { finish: null, usage: null }), last];
    equal(endOf(await ask(streamReply(events), { stream: "on" })), wanted, "streamed");
  }
});

Deno.test("the provider's own reason changes no reason of a gateway but stop", async () => {
  const rest = { "finish_reason": "length", "native_finish_reason": "STOP" };
  equal(endOf(await ask(chatReply({ content: "It is 17" }, rest), { stream: "off" })), "length");
});

Deno.test.each([
  [
    "MiniMax on length",
    { base_resp: { status_code: 2013, status_msg: "context window exceeds limit" } },
    "context_length",
  ],
  ["MiniMax on a text", { base_resp: { status_code: 1026, status_msg: "input new_sensitive" } }, "filtered"],
  ["MiniMax on pace", { base_resp: { status_code: 1002, status_msg: "rate limit exceeded(RPM)" } }, "rate_limit"],
  ["MiniMax on credit", { base_resp: { status_code: 1008, status_msg: "insufficient balance" } }, "authentication"],
  ["Gemini on a prompt", { choices: [], promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }, "filtered"],
  ["vLLM's bare error", { object: "error", message: "The engine is gone", code: 503 }, "server"],
  ["words that are not known", { base_resp: { status_code: 1000, status_msg: "it broke" } }, "bad_reply"],
] as [string, object, string][])("a reply without choices is judged by its words: %s", async (_name, body, wanted) => {
  equal(endOf(await ask(Response.json({ id: "x", choices: null, ...body }), { stream: "off" })), wanted);
});

Deno.test.each([
  ["vLLM's", { object: "error", message: "maximum context length is 4096 tokens", code: 400 }, "context_length"],
  ["a named event's", { message: "The engine is gone", code: 500 }, "server"],
  ["OpenRouter's", { choices: [], error: { code: 502, message: "The provider is gone" } }, "server"],
  ["a text", { error: "The engine is gone" }, "server"],
])("an error in the middle of a stream ends it, whatever its form: %s", async (_name, error, wanted) => {
  const [first, second] = chatEvents([{ content: "It is" }], { finish: null, usage: null });
  const reply = await ask(streamReply([first, second, error]), { stream: "on" });
  equal(endOf(reply), wanted);
  match(reply.kind === "failure" ? reply.message : "", /gone|4096/);
});

Deno.test("a status for legal reasons is of the text alone", async () => {
  const body = { error: { message: "The content was outputted and is blocked", type: "censorship_blocked" } };
  for (const status of [451, 400]) equal(endOf(await ask(Response.json(body, { status }))), "filtered");
});

Deno.test.each([
  ["OpenAI's names", { prompt_tokens: 912, completion_tokens: 4 }, [912, undefined, 4]],
  ["the names of the Responses API", { input_tokens: 912, output_tokens: 4 }, [912, undefined, 4]],
  ["Cohere's", { billed_units: { input_tokens: 800 }, tokens: { input_tokens: 912, output_tokens: 4 } }, [
    912,
    undefined,
    4,
  ]],
  ["DeepSeek's cache", { prompt_tokens: 912, completion_tokens: 4, prompt_cache_hit_tokens: 832 }, [912, 832, 4]],
  [
    "a cache that is left out",
    { prompt_tokens: 12, completion_tokens: 4, cache_read_input_tokens: 900 },
    [912, 900, 4],
  ],
  [
    "a cache that was written and is left out",
    { prompt_tokens: 12, completion_tokens: 4, cache_read_input_tokens: 0, cache_creation_input_tokens: 900 },
    [912, 0, 4],
  ],
  ["zeros of a server that does not count", { prompt_tokens: 0, completion_tokens: 0 }, [undefined, undefined, 0]],
] as [string, object, unknown[]][])("a reply has its counts under %s", async (_name, usage, wanted) => {
  const reply = await ask(
    Response.json({ choices: [{ message: { content: "17" }, finish_reason: "stop" }], usage }),
    { stream: "off" },
  );
  ok(reply.kind === "answer");
  deepEqual([reply.promptTokens, reply.cachedTokens, reply.completionTokens], wanted);
});

Deno.test.each([
  ["all tokens are reasoning", { completion_tokens: 128, completion_tokens_details: { reasoning_tokens: 128 } }, ""],
  [
    "some tokens are reasoning",
    { completion_tokens: 128, completion_tokens_details: { reasoning_tokens: 90 } },
    "17, as",
  ],
  ["no token is reasoning", { completion_tokens: 128, completion_tokens_details: { reasoning_tokens: 0 } }, "17, as"],
  ["nothing is counted", {}, "17, as"],
])("a cut reply is thinking by its counts: %s", async (_name, usage, wanted) => {
  const choices = [{ message: { content: "17, as" }, finish_reason: "length" }];
  const reply = await ask(Response.json({ choices, usage }), { stream: "off" });
  deepEqual(reply.kind === "answer" && [reply.text, reply.finishReason], [wanted, "length"]);
});

/** Values that recursion cannot follow. */
const DEEP = [`${"[".repeat(30_000)}${"]".repeat(30_000)}`, `${'{"a":'.repeat(30_000)}1${"}".repeat(30_000)}`];

Deno.test("a cut reply that talks to itself is thinking unless the server counts none", async () => {
  for (const [count, wanted] of [[undefined, ""], [0, "Wait, 17"], [3, ""]] as const) {
    const usage = { "completion_tokens": 9, "completion_tokens_details": { reasoning_tokens: count } };
    const choices = [{ message: { content: "Wait, 17" }, finish_reason: "length" }];
    const reply = await ask(Response.json({ choices, usage }), { stream: "off" });
    equal(reply.kind === "answer" && reply.text, wanted);
  }
});

Deno.test("a reply of any depth is a failure of its own, whole, streamed, as an error and in a batch", async () => {
  for (const deep of DEEP) {
    const json = { headers: { "content-type": "application/json" } };
    const whole = await ask(new Response(`{"choices":${deep}}`, json), { stream: "off" });
    const event = `data: {"choices":[{"delta":{"content":${deep}}}]}\n\n`;
    const stream = await ask(streamReply([], { end: event }), { stream: "on" });
    const named = await ask(streamReply([], { end: `data: {"error":${deep}}\n\n` }), { stream: "on" });
    const error = await ask(new Response(deep, { ...json, status: 400 }));
    const { batches } = openEndpoint({ baseUrl: "http://127.0.0.1:9/v1", model: "m" });
    equal(batches!.read(`{"custom_id":"a","response":{"status_code":200,"body":${deep}}}`), undefined);
    deepEqual([whole, stream, named, error].map(endOf), ["bad_reply", "bad_reply", "bad_reply", "bad_request"]);
    for (const reply of [whole, stream, named, error]) {
      ok(reply.kind === "failure" && reply.message.length < 5000 && !/stack/.test(reply.message), reply.kind);
    }
  }
});

Deno.test("parseJson() reads what is nested as deep as any answer, and nothing deeper", () => {
  const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  equal(JSON.stringify(parseJson(nested(200))), nested(200));
  for (const text of [nested(202), ...DEEP, "{", ""]) equal(parseJson(text), undefined);
});
