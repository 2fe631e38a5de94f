import { deepEqual, equal, match, ok } from "node:assert/strict";
import { ask } from "./_ask.ts";
import { chatEvents, chatReply, streamReply, type Turn } from "./_play_server.ts";
import { readTable } from "./replies/_table.ts";
import { type EndpointOptions, openEndpoint, parseJson, readUsage, type Reply } from "@/lib/models/mod.ts";

async function read(turn: Turn, options: Partial<EndpointOptions> = {}): Promise<Reply> {
  return (await ask([turn], { attempts: 1, patienceSeconds: 0, ...options })).reply;
}

const endOf = (reply: Reply): string => reply.kind === "answer" ? reply.finishReason : reply.failure;

Deno.test.each([
  ["a cut reply of Gemini", "MAX_TOKENS", "length"],
  ["a filter of Gemini", "SAFETY", "content_filter"],
  ["an aborted reply", "abort", "server"],
  ["a whole reply of Gemini", "STOP", "stop"],
  ["a word that is not known", "halted_well", "stop"],
  ["nothing", null, "stop"],
])("a gateway's stop is read by the provider's own reason, streamed and whole: %s", async (_name, native, wanted) => {
  const message = { content: "It is 17" };
  for (
    const more of [{ native_finish_reason: native }, { provider_specific_fields: { native_finish_reason: native } }]
  ) {
    equal(endOf(await read(chatReply(message, more), { stream: "off" })), wanted, "whole");
    const last = { choices: [{ index: 0, delta: {}, finish_reason: "stop", ...more }] };
    const events = [...chatEvents([message], { finish: null, usage: null }), last];
    equal(endOf(await read(streamReply(events), { stream: "on" })), wanted, "streamed");
  }
});

Deno.test("the provider's own reason changes no reason of a gateway but stop", async () => {
  const rest = { "finish_reason": "length", "native_finish_reason": "STOP" };
  equal(endOf(await read(chatReply({ content: "It is 17" }, rest), { stream: "off" })), "length");
});

interface FailedReply {
  readonly server: string;
  readonly body: object;
  readonly wanted: string;
}

Deno.test.each([...readTable<FailedReply>("failed_replies")])(
  "a reply of %s is judged by its words",
  async (_, row) => {
    equal(endOf(await read(Response.json({ id: "x", choices: null, ...row.body }), { stream: "off" })), row.wanted);
  },
);

Deno.test.each([
  ["vLLM's", { object: "error", message: "maximum context length is 4096 tokens", code: 400 }, "context_length"],
  ["a named event's", { message: "The engine is gone", code: 500 }, "server"],
  ["OpenRouter's", { choices: [], error: { code: 502, message: "The provider is gone" } }, "server"],
  ["a text", { error: "The engine is gone" }, "server"],
])("an error in the middle of a stream ends it, whatever its form: %s", async (_name, error, wanted) => {
  const [first, second] = chatEvents([{ content: "It is" }], { finish: null, usage: null });
  const reply = await read(streamReply([first, second, error]), { stream: "on" });
  equal(endOf(reply), wanted);
  match(reply.kind === "failure" ? reply.message : "", /gone|4096/);
});

interface CountedReply {
  readonly server: string;
  readonly usage: unknown;
  readonly counts: Readonly<Record<string, number>>;
}

Deno.test.each([...readTable<CountedReply>("usage")])("readUsage() reads the counts of %s", (_server, row) => {
  deepEqual(Object.fromEntries(Object.entries(readUsage(row.usage)).filter(([, count]) => count)), row.counts);
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
  const reply = await read(Response.json({ choices, usage }), { stream: "off" });
  deepEqual(reply.kind === "answer" && [reply.text, reply.finishReason], [wanted, "length"]);
});

/** Values that recursion cannot follow. */
const DEEP = [`${"[".repeat(30_000)}${"]".repeat(30_000)}`, `${'{"a":'.repeat(30_000)}1${"}".repeat(30_000)}`];

Deno.test("a cut reply that talks to itself is thinking unless the server counts none", async () => {
  for (const [count, wanted] of [[undefined, ""], [0, "Wait, 17"], [3, ""]] as const) {
    const usage = { "completion_tokens": 9, "completion_tokens_details": { reasoning_tokens: count } };
    const choices = [{ message: { content: "Wait, 17" }, finish_reason: "length" }];
    const reply = await read(Response.json({ choices, usage }), { stream: "off" });
    equal(reply.kind === "answer" && reply.text, wanted);
  }
});

Deno.test("a reply of any depth is a failure of its own, whole, streamed, as an error and in a batch", async () => {
  for (const deep of DEEP) {
    const json = { headers: { "content-type": "application/json" } };
    const whole = await read(new Response(`{"choices":${deep}}`, json), { stream: "off" });
    const event = `data: {"choices":[{"delta":{"content":${deep}}}]}\n\n`;
    const stream = await read(streamReply([], { end: event }), { stream: "on" });
    const named = await read(streamReply([], { end: `data: {"error":${deep}}\n\n` }), { stream: "on" });
    const error = await read(new Response(deep, { ...json, status: 400 }));
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
