import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { smallSample } from "./_samples.ts";
import { anthropicError, anthropicServer, askVendor, eventStream, openVendor, VENDOR } from "./_vendor_servers.ts";
import type { VendorApi, VendorOptions } from "./_vendor_servers.ts";
import type { EndpointOptions, Reply } from "@/lib/models/mod.ts";

const open = openVendor.bind(undefined, "anthropic");
const ask = askVendor.bind(undefined, "anthropic");

const USER = "The grass is green.\nWhat is the number?";

Deno.test("the Messages API gets the system message apart, its version and the key in headers of its own", async () => {
  const { body, headers } = await ask({}, { systemMessage: "Be brief.", stop: ["\n\n"] });
  deepEqual(body, {
    ...{ model: VENDOR.model, system: "Be brief.", messages: [{ role: "user", content: `${USER} The number is` }] },
    ...{ max_tokens: 128, temperature: 0, stop_sequences: ["\n\n"], stream: true },
  });
  const sent = ["x-api-key", "anthropic-version", "authorization"].map((name) => headers.get(name));
  deepEqual(sent, [VENDOR.key, "2023-06-01", null]);
});

Deno.test("the Messages API continues the start of an answer in the assistant's message", async () => {
  const { body } = await ask({}, { answerPrefix: "assistant" });
  deepEqual(body["messages"], [{ role: "user", content: USER }, { role: "assistant", content: " The number is" }]);
});

const SHOWN = { text: "Look for it.", isHidden: false };

Deno.test.each((["anthropic", "responses"] as const).flatMap((api) => ([
  [api, "a text", {}, {}],
  [api, "thinking that is shown", { thinking: SHOWN }, { reasoning: "low" }],
  [api, "thinking that is hidden", { thinking: { ...SHOWN, isHidden: true } }, { reasoning: "low" }],
  [api, "a reply cut at its budget", { write: () => "1 ".repeat(40) }, { maxTokens: 16 }],
  [api, "an empty reply", { write: () => "" }, {}],
] as [VendorApi, string, VendorOptions, Partial<EndpointOptions>][])))(
  "a streamed reply of %s with %s is read like the whole one",
  async (api, _name, vendor, options) => {
    const streamed = await askVendor(api, vendor, options);
    const whole = await askVendor(api, vendor, { ...options, stream: "off" });
    equal(streamed.reply.kind, "answer");
    const [one, other] = [streamed, whole].map(({ reply }) => ({ ...reply, latencyMs: 0, firstTokenMs: undefined }));
    deepEqual(one, other);
    deepEqual([streamed.body["stream"], "stream" in whole.body], [true, false]);
  },
);

Deno.test("a message has its model, its prompt's tokens with those of the cache, and thinking tokens counted apart", async () => {
  const { reply, body } = await ask({ thinking: SHOWN }, { reasoning: 2048 });
  const { latencyMs: _, firstTokenMs, ...rest } = reply as Extract<Reply, { kind: "answer" }>;
  deepEqual(rest, {
    ...{ kind: "answer", text: "1234567", thinking: "Look for it.", finishReason: "stop", attempts: 1 },
    ...{ servedModel: "vendor-1-20260801", promptTokens: 17, cachedTokens: 2, completionTokens: 5, reasoningTokens: 4 },
  });
  ok(firstTokenMs! >= 0);
  // The thinking budget is part of the output budget, and thinking refuses a temperature.
  deepEqual([body["thinking"], body["max_tokens"], "temperature" in body], [
    { type: "enabled", budget_tokens: 2048 },
    ...[128 + 2048, false],
  ]);
});

Deno.test.each([
  ["an effort", { reasoning: "max", thinkingTokens: 4000 }, {
    ...{ thinking: { type: "adaptive" }, output_config: { effort: "max" }, max_tokens: 4128 },
  }],
  ["none", { reasoning: "none" }, { thinking: { type: "disabled" }, max_tokens: 128 }],
] as [string, Partial<EndpointOptions>, Record<string, unknown>][])(
  "the Messages API gets reasoning as %s",
  async (_name, options, wanted) => {
    const { body } = await ask({}, options);
    const names = ["thinking", "output_config", "max_tokens"];
    deepEqual(Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name))), wanted);
  },
);

Deno.test.each([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "content_filter"],
  ["tool_use", "tool_call"],
])("a message that ended by %s finished by %s", async (reason, finish) => {
  const first = (): Response =>
    Response.json({ type: "message", content: [{ type: "text", text: "17" }], stop_reason: reason, usage: {} });
  const { reply } = await ask({ first: [first] }, { stream: "off" });
  deepEqual(reply.kind === "answer" && [reply.finishReason, reply.promptTokens], [finish, undefined]);
});

const OVERLOADED = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
const START = { type: "message_start", message: { id: "m", type: "message", usage: { input_tokens: 9 } } };

Deno.test.each([
  ["overloaded (529)", () => anthropicError(529, "overloaded_error", "Overloaded"), "answer", 2],
  ["a rate limit", () => anthropicError(429, "rate_limit_error", "Tokens", { "retry-after": "1" }), "answer", 2],
  ["an internal error", () => anthropicError(500, "api_error", "Internal server error"), "answer", 2],
  ["overloaded within a stream", () => eventStream([START, OVERLOADED]), "answer", 2],
  ["a stream that ends early", () => eventStream([START]), "answer", 2],
  ["a spend limit", () => anthropicError(429, "rate_limit_error", "enforced_spend_limit_reached"), "rate_limit", 1],
  [
    "a prompt that is too long",
    () => anthropicError(400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"),
    "context_length",
    1,
  ],
  ["a request too large", () => anthropicError(413, "request_too_large", "Request exceeds"), "context_length", 1],
  ["no credit", () => anthropicError(402, "billing_error", "Your credit balance is too low"), "authentication", 1],
  ["a wrong key", () => anthropicError(401, "authentication_error", "invalid x-api-key"), "authentication", 1],
  ["a wrong field", () => anthropicError(400, "invalid_request_error", "top_k: Extra inputs"), "bad_request", 1],
] as [string, () => Response, string, number][])("the Messages API: %s", async (_name, first, wanted, attempts) => {
  const { reply } = await ask({ first: [first] });
  deepEqual([reply.kind === "answer" ? "answer" : reply.failure, reply.attempts], [wanted, attempts]);
});

Deno.test("an overloaded server is waited for like one that is busy, and says so in the reasons of a retry", async () => {
  const overloaded = (): Response => eventStream([START, OVERLOADED]);
  const { reply } = await ask({ first: [overloaded, overloaded] }, { attempts: 1 });
  deepEqual(reply.resent?.map(({ failure, message, times }) => [failure, message, times]), [
    ["server", "Error 529 with a status of success: Overloaded", 2],
  ]);
});

Deno.test("a probe counts whole requests by count_tokens, reads the window, and judges the answer prefix", async () => {
  await using server = anthropicServer({ perMessage: 7, write: () => "17" });
  const model = open(server.url, { answerPrefix: "assistant", reasoning: 2048, thinkingInLength: true });
  const sample = smallSample(model.template);
  const { report, failure } = await model.probe!([sample], { count: (text) => text.split(" ").length });
  equal(failure, undefined);
  const { isServed, window, canTokenize, templateTokens, prefix } = report;
  deepEqual({ isServed, window, canTokenize, templateTokens, prefix }, {
    ...{ isServed: true, window: 200_000, canTokenize: true, templateTokens: 7 + 7, prefix: "not continued" },
  });
  // Both messages, as the template wraps them, and the thinking that lengths count.
  equal(await model.countTokens!(sample), 13 + 2 * 7 + 2048);
});

Deno.test("the key is redacted in errors, whatever the header that carried it", async () => {
  const first = (): Response => anthropicError(403, "permission_error", `${VENDOR.key} may not use this model`);
  const { reply } = await ask({ first: [first] });
  match(reply.kind === "failure" ? reply.message : "", /HTTP 403 from http:\S+\/v1\/messages: \[key\] may not/);
});

Deno.test("the Messages API refuses options that it lacks, before anything is sent", () => {
  for (
    const [options, message] of [
      [{ seed: 7 }, /seed must be left out for anthropic, which has no such field/],
      [{ reasoning: "minimal" }, /reasoning must be none, low, .* or a budget of at least 1024 tokens for anthropic/],
      [{ reasoning: 1023 }, /reasoning must be .* for anthropic: current value is 1023/],
      [{ answerPrefix: "assistant", continueFlags: true }, /answer prefix must be "assistant" in a chat if/],
      [{ extraBody: { system: "x" } }, /extra field must be none that has an option of its own/],
    ] as [Partial<EndpointOptions>, RegExp][]
  ) throws(() => open("http://127.0.0.1:9/v1", options), message);
  equal(open("http://127.0.0.1:9/v1").batches, undefined);
});
