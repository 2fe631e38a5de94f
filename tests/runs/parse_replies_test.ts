import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { serveSimulated } from "@/lib/cli/serve_command.ts";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { type Model, openEndpoint, type Reply, type RunRecord } from "@/lib/models/mod.ts";
import { parseReplies, scoreRecords, simulatedModel } from "@/lib/runs/mod.ts";

const [A, B, C] = ["1a", "2b", "3c"].map((end) => `0e7bbda8-78e4-8982-dbec-b7b4a4c0c6${end}`) as [
  string,
  string,
  string,
];

function record(text: string | null, changes: Partial<RunRecord> = {}): RunRecord {
  const reply = text === null
    ? { kind: "failure", failure: "timeout", message: "slow", latencyMs: 1, attempts: 1 }
    : { kind: "answer", text, finishReason: "stop", latencyMs: 1, attempts: 1 };
  const base = { task: "needles", length: 4096, references: [A, B], scoring: "values in order", reply };
  return { ...base, ...changes } as unknown as RunRecord;
}

/** A model that gives one reply to everything, and keeps what it was asked. */
function scripted(reply: Reply): Model & { readonly asked: string[] } {
  const asked: string[] = [];
  const ask: Model["ask"] = ({ prompt }) => {
    asked.push(prompt.user);
    return Promise.resolve(reply);
  };
  return { name: "scripted", origin: "simulated", settings: {}, frame: PLAIN_TEMPLATE, asked, ask };
}

const answer = (text: string): Reply => ({ kind: "answer", text, finishReason: "stop", latencyMs: 1, attempts: 1 });

Deno.test("parseReplies() asks a real endpoint to rewrite replies, and scores what comes back", async () => {
  const server = await serveSimulated({ profile: "ideal" });
  try {
    const parser = openEndpoint({ baseUrl: server.url, model: "sim:ideal" });
    const texts = [`The values are ${A} and then ${B}.`, `${C}: ${A}\n${A}: ${B}`, "I cannot find them.", ` ["${A}"] `];
    const parsed = await parseReplies(scoreRecords(texts.map((text) => record(text))), { parser });
    deepEqual(parsed.map(({ value }) => value), [1, 1, 0, 0.5]);
    deepEqual(parsed.map(({ unparsed }) => unparsed), [null, null, null, null]);
    // What the parser wrote is in the asked form, and the record keeps what the model itself wrote.
    deepEqual(parsed.map(({ penalised }) => penalised?.value), [1, 1, 0, 0.5]);
    deepEqual(parsed.map(({ record: { reply } }) => reply.kind === "answer" && reply.text), texts);
  } finally {
    await server.close();
  }
});

Deno.test("parseReplies() scores what the parser made of a reply that the rules misread", async () => {
  const replies = scoreRecords([record(`Not ${C}, but ${A}; and ${B}.`)]);
  equal(replies[0]!.value, 0);
  const [parsed] = await parseReplies(replies, { parser: scripted(answer(`["${A}", "${B}"]`)) });
  equal(parsed!.value, 1);
});

Deno.test("parseReplies() leaves out other benchmarks, and sends neither failed calls nor empty replies", async () => {
  const parser = scripted(answer("[]"));
  const records = [record(null), record(" "), record("7", { scoring: "all", references: ["7"] })];
  const parsed = await parseReplies(scoreRecords(records), { parser });
  deepEqual(parsed.map(({ value }) => value), [null, 0]);
  equal(parser.asked.length, 0);
});

Deno.test("parseReplies() scores a reply as it is where the parser fails, and tells why", async () => {
  const parser = scripted({ kind: "failure", failure: "rate_limit", message: "slow down", latencyMs: 1, attempts: 2 });
  const [parsed] = await parseReplies(scoreRecords([record(`["${A}", "${B}"]`)]), { parser });
  deepEqual([parsed!.value, parsed!.unparsed], [1, "slow down"]);
});

Deno.test("parseReplies() stops where the parser cannot be asked at all", async () => {
  const parser = openEndpoint({ baseUrl: "http://127.0.0.1:9/v1", model: "nobody", attempts: 1 });
  const replies = scoreRecords(Array.from({ length: 9 }, () => record(A)));
  await rejects(parseReplies(replies, { parser, concurrency: 2 }), {
    name: "RangeError",
    message: /^Cannot ask model "nobody" as its endpoint must be reachable/,
  });
});

Deno.test("parseReplies() asks for nothing that its file has, and passes over a line that is none", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/run/parsed.jsonl`;
    const replies = scoreRecords([record(`It is ${A}.`), record(`It is ${B}.`)]);
    const first = scripted(answer(`["${A}", "${B}"]`));
    equal((await parseReplies(replies, { parser: first, file }))[0]!.value, 1);
    equal(first.asked.length, 2);
    await Deno.writeTextFile(file, '{"parser": "scripted", "rep', { append: true });
    const second = scripted(answer("[]"));
    deepEqual((await parseReplies(replies, { parser: second, file })).map(({ value }) => value), [1, 1]);
    equal(second.asked.length, 0);
    // Another parser's lines are not its own.
    const other = { ...scripted(answer("[]")), name: "other" };
    equal((await parseReplies(replies, { parser: other, file }))[0]!.value, 0);
    match(await Deno.readTextFile(file), /"parser":"other"/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("parseReplies() gives the same at any number of calls at a time, and refuses none", async () => {
  const replies = scoreRecords(Array.from({ length: 20 }, (_, at) => record(at % 2 === 0 ? `${A}, ${B}` : C)));
  const parser = simulatedModel("ideal");
  const one = await parseReplies(replies, { parser, concurrency: 1 });
  deepEqual(await parseReplies(replies, { parser, concurrency: 7 }), one);
  ok(one.every(({ value }, at) => value === (at % 2 === 0 ? 1 : 0)));
  await rejects(parseReplies(replies, { parser, concurrency: 0 }), {
    message: "Cannot parse the replies as concurrency must be a whole number from 1 to 256: current value is 0",
  });
});
