import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { smallSample } from "./_samples.ts";
import { askVendor, eventStream, openaiError, openVendor, responsesServer, VENDOR } from "./_vendor_servers.ts";
import type { EndpointOptions, Reply } from "@/lib/models/mod.ts";

const open = openVendor.bind(undefined, "responses");
const ask = askVendor.bind(undefined, "responses");

Deno.test("the Responses API gets messages, an output budget, and nothing that it stores", async () => {
  const { body } = await ask({}, { systemMessage: "Be brief." });
  deepEqual(body, {
    model: VENDOR.model,
    input: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "The grass is green.\nWhat is the number? The number is" },
    ],
    ...{ store: false, max_output_tokens: 128, temperature: 0, stream: true },
  });
});

Deno.test("a response has its model, its usage, and hidden reasoning tokens counted apart", async () => {
  const thinking = { text: "Look for it.", isHidden: true };
  const { reply, body } = await ask({ thinking }, { reasoning: "high", thinkingTokens: 1000 });
  const { latencyMs: _, firstTokenMs, ...rest } = reply as Extract<Reply, { kind: "answer" }>;
  deepEqual(rest, {
    ...{ kind: "answer", text: "1234567", finishReason: "stop", servedModel: "vendor-1-2026-08-01", attempts: 1 },
    ...{ promptTokens: 17, cachedTokens: 2, completionTokens: 5, reasoningTokens: 4 },
  });
  ok(firstTokenMs! >= 0);
  deepEqual([body["reasoning"], body["max_output_tokens"], "temperature" in body], [{ effort: "high" }, 1128, false]);
});

Deno.test("a response that ran out of its budget while reasoning is an empty answer, cut by its length", async () => {
  const thinking = { text: "Look for it. ".repeat(20), isHidden: true };
  const { reply } = await ask({ thinking }, { reasoning: "low", maxTokens: 16 });
  deepEqual(reply.kind === "answer" && [reply.text, reply.finishReason, reply.reasoningTokens! >= 16], [
    "",
    "length",
    true,
  ]);
});

const FILTERED = {
  object: "response",
  status: "incomplete",
  "incomplete_details": { reason: "content_filter" },
  output: [],
};

/** A stream of a response that failed. */
function failing(code: string, message: string): Response {
  const response = { object: "response", status: "failed", error: { code, message }, output: [] };
  return eventStream([{ type: "response.failed", response }]);
}

Deno.test.each([
  ["content_filter", FILTERED, "content_filter"],
  ["a refusal", {
    ...{ object: "response", status: "completed" },
    output: [{ type: "message", content: [{ type: "refusal", refusal: "I cannot." }] }],
  }, "stop"],
] as [string, unknown, string][])("a response with %s is an answer", async (_name, response, finish) => {
  const { reply } = await ask({ first: [() => Response.json(response)] }, { stream: "off" });
  equal(reply.kind === "answer" && reply.finishReason, finish);
});

Deno.test.each([
  ["a rate limit", () => openaiError(429, "Rate limit reached, try again in 1s"), "answer", 2],
  ["an overloaded server", () => openaiError(503, "The server is overloaded"), "answer", 2],
  ["a response that failed", () => failing("server_error", "Oops"), "answer", 2],
  [
    "a rate limit within a stream",
    () => eventStream([{ type: "error", code: "rate_limit_exceeded", message: "Slow down", sequence_number: 1 }]),
    "answer",
    2,
  ],
  ["a stream that ends early", () => eventStream([{ type: "response.created", response: {} }]), "answer", 2],
  ["a prompt that is refused", () => failing("invalid_prompt", "No"), "bad_request", 1],
  [
    "a prompt that is too long",
    () => openaiError(400, "Your input exceeds the context window of this model.", "context_length_exceeded"),
    "context_length",
    1,
  ],
  ["a wrong key", () => openaiError(401, "Incorrect API key provided"), "authentication", 1],
] as [string, () => Response, string, number][])(
  "the Responses API: %s",
  async (_name, first, wanted, attempts) => {
    const { reply } = await ask({ first: [first] });
    deepEqual([reply.kind === "answer" ? "answer" : reply.failure, reply.attempts], [wanted, attempts]);
  },
);

Deno.test("a probe counts whole requests by /responses/input_tokens, and measures the chat template", async () => {
  await using server = responsesServer({ perMessage: 7, write: () => "Green." });
  const model = open(server.url);
  const { report, failure } = await model.probe!([smallSample(model.template)], {
    count: (text) => text.split(" ").length,
  });
  equal(failure, undefined);
  const { served, isServed, canTokenize, templateTokens, streams } = report;
  deepEqual({ served, isServed, canTokenize, templateTokens, streams }, {
    ...{ served: [VENDOR.model], isServed: true, canTokenize: true, templateTokens: 7, streams: true },
  });
  equal(await model.countTokens!(smallSample(model.template)), 13 + 7);
  // Of all requests, three were counts; no count asks for an answer.
  const counts = server.received.filter(({ path }) => path === "/v1/responses/input_tokens");
  ok(counts.length >= 3);
  ok(counts.every(({ body }) => !("max_output_tokens" in body) && !("stream" in body)));
});

Deno.test("the Responses API refuses options that it lacks, before anything is sent", () => {
  for (
    const [options, message] of [
      [{ stop: ["\n"] }, /stop must be left out for responses, which has no such field/],
      [{ seed: 7 }, /seed must be left out for responses/],
      [{ answerPrefix: "assistant" }, /answer prefix must be "appended" or "none" for responses/],
      [{ reasoning: 2048 }, /reasoning must be an effort such as low for responses: current value is 2048/],
      [{ extraBody: { input: "x" } }, /extra field must be none that has an option of its own/],
    ] as [Partial<EndpointOptions>, RegExp][]
  ) throws(() => open("http://127.0.0.1:9/v1", options), message);
});
