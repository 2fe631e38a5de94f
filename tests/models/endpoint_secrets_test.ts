import { deepEqual, equal, match } from "node:assert/strict";
import { ask, failureOf } from "./_ask.ts";
import { chatReply, errorReply, playServer } from "./_play_server.ts";
import { smallSample } from "./_samples.ts";
import { openEndpoint } from "@/lib/models/mod.ts";

const KEY = "sk-test-1234567890abcdef";

Deno.test("ask() follows no redirection, which could take the key and the prompt to another host", async () => {
  await using other = playServer(chatReply({ content: "1" }));
  const away = (): Response =>
    new Response(null, { status: 307, headers: { location: `${other.url}/chat/completions` } });
  const asked = await ask([away], { apiKey: KEY });
  deepEqual([failureOf(asked).failure, asked.received.length, other.received.length], ["not_found", 1, 0]);
  match(
    failureOf(asked).message,
    /^HTTP 307 from .*: it points to http:\/\/127\.0\.0\.1:\d+.*, which is not followed: give that address itself$/,
  );
});

Deno.test("ask() takes the key out of a reply of a server that echoes what it was sent, and nothing else", async () => {
  const echo = (request: Request): Response =>
    chatReply({ content: `none ${request.headers.get("authorization")}`, reasoning: KEY });
  const { reply } = await ask([echo], { apiKey: KEY });
  deepEqual(reply.kind === "answer" && [reply.text, reply.thinking], ["none Bearer [key]", "[key]"]);
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
  const { message } = failureOf(await ask([response], { attempts: 1, apiKey: KEY }));
  equal(/sk-test|1234567890|cdef/.test(message), false);
});

Deno.test("ask() takes what is secret in the address out of messages", async () => {
  await using server = playServer((request) => errorReply(400, { message: request.url }));
  const baseUrl = `${server.url}?token=tok-98765432`;
  const reply = await openEndpoint({ baseUrl, model: "m" }).ask(smallSample());
  const message = reply.kind === "failure" ? reply.message : "";
  match(message, /\[key\]/);
  equal(message.includes("tok-98765432"), false);
});

Deno.test("ask() leaves words whole that only contain a short key", async () => {
  const { message } = failureOf(await ask([errorReply(400, { message: "no model of that name: e" })], { apiKey: "e" }));
  match(message, /no model of that name: \[key\]$/);
});
