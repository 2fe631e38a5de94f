import { deepEqual, equal, match, ok } from "node:assert/strict";
import { ask, failureOf } from "./_ask.ts";
import { chatReply, errorReply } from "./_play_server.ts";
import type { EndpointOptions } from "@/lib/models/mod.ts";

const KEY = "sk-test-1234567890abcdef";
const ANSWER = chatReply({ content: "1234567" });

Deno.test("ask() asks again after a rate limit, as late as the server says", async () => {
  const limit = errorReply(429, { message: "Rate limit reached" }, { "retry-after": "7" });
  const { reply, waits, shown } = await ask([limit, limit, ANSWER]);
  deepEqual([reply.kind === "answer" && reply.text, reply.attempts, waits], ["1234567", 3, [7000, 7000]]);
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
    deepEqual([waits, reply.kind], [[want], "answer"]);
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
    deepEqual([asked.reply.kind, asked.received.length], [kind, requests]);
  },
);

Deno.test.each([[500], [502], [503], [504], [529], [409]])("ask() asks again after status %i", async (status) => {
  const { reply, received } = await ask([new Response("<html><h1>Bad Gateway</h1></html>", { status }), ANSWER]);
  deepEqual([reply.kind, reply.attempts, received.length], ["answer", 2, 2]);
});

Deno.test("ask() asks as often as it may and no oftener, and waits longer each time", async () => {
  const asked = await ask([errorReply(500, { message: "Overloaded" })], { attempts: 9 });
  deepEqual(asked.waits, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  deepEqual([failureOf(asked).failure, failureOf(asked).attempts, asked.received.length], ["server", 9, 9]);
});

Deno.test("ask() keeps why it asked again, how often and how long it waited, without any key", async () => {
  const limit = (seconds: number): Response => errorReply(429, { message: `Try again in ${seconds}s with ${KEY}` });
  const { reply } = await ask([limit(2), errorReply(500, { message: "Overloaded" }), limit(4.5), ANSWER], {
    apiKey: KEY,
  });
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
  deepEqual((await ask([overloaded, limited, ANSWER], { random: () => 0.5 })).waits, [750, 7350]);
});

/** llama.cpp's words while it reads the weights, and Hugging Face's. */
const LOADING = errorReply(503, { message: "Loading model", type: "unavailable_error", code: 503 });
const LOADING_TOO = Response.json({ error: "Model lab/small is currently loading", estimated_time: 20 }, {
  status: 503,
});

Deno.test("ask() waits for a server that is loading the model, says so, and counts no attempt", async () => {
  const turns = [LOADING, LOADING_TOO, LOADING, errorReply(500, { message: "Busy" }), LOADING, ANSWER];
  const { reply, waits, shown } = await ask(turns, { attempts: 2 });
  deepEqual([reply.kind, reply.attempts, shown.length], ["answer", 2, 4]);
  deepEqual(waits, [2000, 2000, 2000, 500, 2000]);
});

Deno.test("ask() gives up a server that is loading the model for longer than a reply may take", async () => {
  const asked = await ask([LOADING], { timeoutSeconds: 5 });
  deepEqual([failureOf(asked).failure, failureOf(asked).attempts, asked.received.length], ["connection", 1, 4]);
  match(failureOf(asked).message, /^HTTP 503 from .*: Loading model$/);
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
