import { deepEqual, equal, match } from "node:assert/strict";
import fc from "fast-check";
import { ask, failureOf } from "./_ask.ts";
import { chatReply, playServer, type Turn } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import { readTable } from "./replies/_table.ts";
import { promptText, userPrompt } from "@/lib/generators/mod.ts";
import { type Answer, type EndpointOptions, openEndpoint, type Reply, replyOrigin } from "@/lib/models/mod.ts";
import { afterPrompt } from "@/lib/models/protocols/normal_form.ts";

async function read(turn: Turn, options: Partial<EndpointOptions> = {}): Promise<Reply> {
  return (await ask([turn], { attempts: 1, ...options })).reply;
}

Deno.test("ask() gives text, finish reason, the provider's token counts, and one attempt", async () => {
  const { latencyMs, ...reply } = await read(chatReply({ content: " 1234567." })) as Extract<Reply, { kind: "answer" }>;
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
  const reply = await read(Response.json({ ...named, model: "m-2026-01-15", system_fingerprint: "fp_44709d6fcb" }));
  deepEqual(reply.kind === "answer" && [reply.servedModel, reply.fingerprint], ["m-2026-01-15", "fp_44709d6fcb"]);
  const odd = await read(Response.json({ ...named, model: 7, system_fingerprint: null }));
  deepEqual(odd.kind === "answer" && ["servedModel" in odd, "fingerprint" in odd], [false, false]);
});

interface WrittenMessage {
  readonly what: string;
  readonly message: unknown;
  readonly text: string;
  readonly thinking?: string;
}

Deno.test.each([...readTable<WrittenMessage>("messages")])("ask() reads a message with %s", async (_what, row) => {
  const reply = await read(chatReply(row.message));
  deepEqual(reply.kind === "answer" && [reply.text, reply.thinking], [row.text, row.thinking]);
});

Deno.test("ask() takes thinking out of a completion", async () => {
  const completion = Response.json({ choices: [{ text: "<think>Look.</think> 1234567", finish_reason: "stop" }] });
  const reply = await read(completion, { api: "completions" });
  deepEqual(reply.kind === "answer" && [reply.text, reply.thinking], ["1234567", "Look."]);
});

Deno.test.each([
  ["none", {}],
  ["null", { usage: null }],
  ["texts", { usage: { prompt_tokens: "many", completion_tokens: -1 } }],
] as [string, object][])("ask() leaves token counts out where the provider gives %s", async (_name, usage) => {
  const reply = await read(Response.json({ choices: [{ message: { content: "a" } }], ...usage }));
  equal(reply.kind, "answer");
  equal("promptTokens" in reply || "completionTokens" in reply, false);
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
    /^The reply is no JSON object: /,
  ],
  ["a page called JSON", new Response("<html>", JSON_TYPE), /^The reply is no JSON object: /],
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
    const asked = await ask([response]);
    equal(failureOf(asked).failure, "bad_reply");
    match(failureOf(asked).message, message);
    equal(asked.received.length, 5);
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

Deno.test("ask() takes no reply without a finish reason for whole where others of its server have one", async () => {
  const [named, nameless] = ["stop", null].map((reason) => chatReply({ content: "17" }, { finish_reason: reason }));
  const { replies } = await ask([nameless!, named!, nameless!, named!], { times: 3, stream: "off" });
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
  const { replies } = await ask([cut, chatReply({ content: "I see 17.</think>17" }), cut], { times: 3, stream: "off" });
  deepEqual(replies.map((reply) => reply.kind === "answer" && reply.text), ["I see 17", "17", ""]);
});

const CONTEXT =
  "A special number is hidden in this text. The number for kiwi is 17, and that for plum is 18. Memorize it.\n";
const QUESTION = "What is the special number for kiwi that is mentioned in the provided text?";
const PROMPT = userPrompt(`${CONTEXT}${QUESTION}`, { answerPrefix: " The number is" });

Deno.test.each([
  ["with the whole prompt before it", `${CONTEXT}${QUESTION} The number is 17.`, " 17."],
  ["with the prompt, but not the prefix", `${CONTEXT}${QUESTION} 17.`, " 17."],
  ["with other spaces", `${CONTEXT.trim()}  ${QUESTION}\n\nThe number is 17.`, " 17."],
  ["with the marks of a template", `<s>[INST] ${CONTEXT}${QUESTION} [/INST] 17.`, " [/INST] 17."],
  ["with the prompt and nothing else", `${CONTEXT}${QUESTION}`, ""],
  ["that repeats the question", `${QUESTION} It is 17.`, undefined],
  ["that quotes the text", `The text has: ${CONTEXT} So it is 17.`, undefined],
  ["alone", "17", undefined],
])("afterPrompt() reads an answer %s", (_name, text, rest) => {
  equal(afterPrompt(text, PROMPT), rest);
});

Deno.test("afterPrompt() finds no prompt of a few words, which can be an answer's", () => {
  equal(afterPrompt("Where is it? It is in Rome.", userPrompt("Where is it?")), undefined);
});

Deno.test("ask() takes a repeated prompt out of a reply and marks it", async () => {
  const sample = smallSample();
  const prompt = userPrompt(`${CONTEXT}${QUESTION}`);
  await using server = playServer(chatReply({ content: `${promptText(prompt)} 17` }), chatReply({ content: "17" }));
  const model = openEndpoint({ baseUrl: server.url, model: "m", stream: "off" });
  const replies = [await model.ask({ ...sample, prompt }), await model.ask({ ...sample, prompt })];
  deepEqual(replies.map((reply) => reply.kind === "answer" && [reply.text, reply.repeatsPrompt]), [
    ["17", true],
    ["17", undefined],
  ]);
});

const answer: Answer = { kind: "answer", text: "17", finishReason: "stop", latencyMs: 9, attempts: 1 };

Deno.test.each([
  ["a real model's", {}, "measured"],
  ["a real model's with a fingerprint", { fingerprint: "fp_1", servedModel: "gpt-4o" }, "measured"],
  ["the simulated reader's by its fingerprint", { fingerprint: "simulated-1" }, "simulated"],
  ["the simulated reader's by its name", { servedModel: "sim:gpt-4" }, "simulated"],
  ["a real model's that is called alike", { servedModel: "similar-7b" }, "measured"],
] as [string, Partial<Answer>, string][])("replyOrigin() calls an answer %s", (_name, told, wanted) => {
  equal(replyOrigin({ origin: "measured" }, { ...answer, ...told }), wanted);
  equal(replyOrigin({ origin: "simulated" }, { ...answer, ...told }), "simulated");
});
