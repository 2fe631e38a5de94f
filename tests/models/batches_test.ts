import { deepEqual, equal, rejects } from "node:assert/strict";
import { playServer } from "./_play_server.ts";
import { openEndpoint } from "@/lib/models/mod.ts";

const message = { role: "assistant", content: "17" };
const BODY = { choices: [{ index: 0, message, finish_reason: "stop" }] };
const TEXT = { choices: [{ index: 0, text: "17", finish_reason: "stop" }] };

Deno.test.each([
  ["an answer of a chat", { response: { status_code: 200, body: BODY }, error: null }, "answer"],
  ["an answer of completions", { response: { status_code: 200, body: TEXT } }, "answer"],
  ["an answer without a status", { response: { body: BODY } }, "answer"],
  ["status 399", { response: { status_code: 399, body: BODY } }, "answer"],
  ["status 400", { response: { status_code: 400, body: { error: { message: "bad" } } } }, "bad_request"],
  ["status 401", { response: { status_code: 401, body: { error: { message: "no key" } } } }, "authentication"],
  ["an error with a code (vLLM)", { error: { message: "no key", code: 401 } }, "authentication"],
  ["an error in an error", { error: { error: { message: "no key", code: 401 } } }, "authentication"],
  [
    "an error beside a status",
    { response: { status_code: 401 }, error: { message: "no", code: 400 } },
    "authentication",
  ],
  ["an error with the lowest code", { error: { message: "bad", code: 400 } }, "bad_request"],
  ["an error whose code is no status", { error: { message: "bad", code: 600 } }, "server"],
  ["an error of words", { error: "it broke" }, "server"],
  ["no body", { response: { status_code: 200 } }, "bad_reply"],
  ["a request that expired", { response: null, error: { code: "batch_expired", message: "too late" } }, undefined],
  ["a request that was cancelled", { error: { code: "batch_cancelled" } }, undefined],
])("a line of a batch holds %s", (name, line, wanted) => {
  const api = name.endsWith("completions") ? "completions" : "chat";
  const model = openEndpoint({ baseUrl: "http://127.0.0.1:9/v1", model: "m", api });
  const reply = model.batches!.read(JSON.stringify({ "custom_id": "a", ...line }))?.reply;
  equal(reply?.kind === "failure" ? reply.failure : reply?.kind, wanted);
});

Deno.test.each([
  ["its time", 1_700_000_000, "2023-11-14T22:13:20.000Z"],
  ["no time", undefined, undefined],
  ["a time of 0", 0, undefined],
  ["a time that is no number", "1700000000", undefined],
])("a line of a batch has %s", (_name, created, time) => {
  const model = openEndpoint({ baseUrl: "http://127.0.0.1:9/v1", model: "m" });
  const text = JSON.stringify({ "custom_id": "a", response: { status_code: 200, body: { ...BODY, created } } });
  const line = model.batches!.read(text);
  deepEqual([line?.id, line?.reply?.kind, line?.time], ["a", "answer", time]);
});

Deno.test("a reply of a batch server that is no JSON may be better next time, unlike an error of this machine", async () => {
  await using server = playServer(() => new Response("{", { headers: { "content-type": "application/json" } }));
  const { batches } = openEndpoint({ baseUrl: server.url, model: "m" });
  const file = await Deno.makeTempFile();
  const later = AbortSignal.timeout(10_000);
  await rejects(batches!.save("file-1", `${file}/folder/replies.jsonl`, later), { code: /^(ENOTDIR|EEXIST)$/ });
  await Deno.remove(file);
  equal(server.received.length, 1);
  await rejects(batches!.check(), { isPassing: true, message: /^The reply is no whole JSON: / });
});

Deno.test("a batch server that cannot be reached is asked again later, and the error names the cause", async () => {
  const { batches } = openEndpoint({ baseUrl: "http://127.0.0.1:9/v1", model: "m" });
  await rejects(batches!.check(), { isPassing: true, message: /^The connection to .*:9\/v1 failed: / });
});

Deno.test("a batch that began although the reply to its request came too late is found among all by the next try", async () => {
  const batch = (id: string, file: string, status = "in_progress") => ({
    id,
    "input_file_id": file,
    status,
    "created_at": 9,
  });
  await using server = playServer(
    () => new Promise((go) => setTimeout(() => go(Response.json(batch("late", "file-1"))), 1500)),
    Response.json({ data: [batch("a", "file-0"), batch("refused", "file-1", "failed")], "has_more": true }),
    Response.json({ data: [batch("b", "file-1"), batch("c", "file-1")], "has_more": true }),
  );
  const { batches } = openEndpoint({ baseUrl: server.url, model: "m", timeoutSeconds: 1 });
  await rejects(batches!.begin("file-1", { run: "x" }), { isPassing: true });
  const begun = await batches!.begin("file-1", { run: "x" }, { isTried: true });
  deepEqual(begun, {
    ...{ id: "b", status: "in_progress", begun: "1970-01-01T00:00:09.000Z" },
    ...{ answered: 0, failed: 0, outputs: [] },
  });
  deepEqual(server.received.map(({ path, body }) => [path, body]), [
    ["/v1/batches", {
      ...{ "input_file_id": "file-1", endpoint: "/v1/chat/completions", "completion_window": "24h" },
      metadata: { run: "x" },
    }],
    ["/v1/batches?limit=100", {}],
    ["/v1/batches?limit=100&after=refused", {}],
  ]);
});
