import { deepEqual, equal, match } from "node:assert/strict";
import { withFolder } from "../_folder.ts";
import { filesOf } from "@/lib/records/run_folders.ts";
import type { Answer, Failure } from "@/lib/models/mod.ts";
import {
  cachedShare,
  findEarlierPace,
  priceOfRecords,
  readRun,
  runCost,
  runCostTable,
  type RunRecord,
} from "@/lib/records/mod.ts";
import { busySeconds, paceOfRecords } from "@/lib/studies/mod.ts";

Deno.test("cachedShare() gives the part of the prompt tokens that came from the server's cache", () => {
  const reply = { kind: "answer", attempts: 1, latencyMs: 1, promptTokens: 1000, cachedTokens: 800 };
  const failure = { kind: "failure", attempts: 1, latencyMs: 1 };
  const cost = runCost([{ reply }, { reply: { ...reply, cachedTokens: 0 } }, { reply: failure }] as RunRecord[]);
  equal(cachedShare(cost), 0.4);
  equal(cachedShare(runCost([])), null);
});

Deno.test("priceOfRecords() charges half for what was asked in a batch, or the share that the prices have", () => {
  const record = { batch: "b", reply: { kind: "answer", promptTokens: 1000, cachedTokens: 500, completionTokens: 10 } };
  const prices = { input: 4, cachedInput: 2, output: 100 };
  equal(priceOfRecords([{ reply: record.reply } as RunRecord], prices), 0.004);
  equal(priceOfRecords([record as RunRecord], prices), 0.002);
  equal(priceOfRecords([record as RunRecord], { ...prices, batch: 0.75 }), 0.003);
});

/** A record of a call that ended at a second of the first minute. */
function recordAt(second: number, reply: Partial<Answer> | Partial<Failure>, length = 1024): RunRecord {
  const time = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  const called = { kind: "answer", latencyMs: 4000, attempts: 1, ...reply };
  return { task: "vt", length, promptTokens: 1000, time, reply: called } as unknown as RunRecord;
}

Deno.test("busySeconds() counts the time in which at least one call was under way, and no pause", () => {
  // From 1 to 7 two calls that overlap, then a pause, then from 26 to 30 one more; order does not matter.
  const records = [recordAt(30, {}), recordAt(5, {}), recordAt(7, {})];
  equal(busySeconds(records), 10);
  equal(busySeconds([]), 0);
});

Deno.test("runCost() adds up tokens, money, time, what was sent again and what came from the cache", () => {
  const records = [
    recordAt(5, { promptTokens: 1100, cachedTokens: 100, completionTokens: 20 }),
    recordAt(7, { attempts: 3 }),
    recordAt(9, { kind: "failure", failure: "server", message: "no", attempts: 5 }, 2048),
  ];
  const { rows, ...total } = runCost(records, { input: 10, cachedInput: 5, output: 100 });
  deepEqual(total, {
    answered: 2,
    failed: 1,
    resent: 6,
    promptTokens: 2100,
    cachedTokens: 100,
    completionTokens: 20,
    uncounted: 1,
    inBatches: 0,
    callSeconds: 12,
    seconds: 8,
    // 2,000 tokens at 10, 100 at 5 and 20 at 100 a million.
    price: 0.0225,
  });
  deepEqual(rows.map(({ task, length, answered, resent }) => [task, length, answered, resent]), [
    ["vt", 1024, 2, 2],
    ["vt", 2048, 0, 4],
  ]);
});

Deno.test("runCostTable() says what the server did not count, and leaves out money without prices", () => {
  const { text } = runCostTable(runCost([recordAt(5, {})]), { model: "m", origin: "measured" });
  match(text, /The server did not count the tokens written of 1 answer/);
  equal(text.includes("Price"), false);
});

Deno.test("runCostTable() tells no seconds of what was asked in batches, and paceOfRecords() takes none from it", () => {
  const batched = { ...recordAt(5, { latencyMs: 0 }), batch: "batch_1" };
  const cost = runCost([batched, recordAt(9, {}, 2048)]);
  const { text } = runCostTable(cost, { model: "m", origin: "measured" });
  match(text, /^vt +1K +1 .*– +–$/m);
  match(text, /^vt +2K +1 .* 4\.00 +4\.0$/m);
  match(text, /Asked in batches: 1 question, at their own price/);
  equal(paceOfRecords([batched], "first"), undefined);
});

Deno.test("paceOfRecords() takes the pace of the nearest length, and none from calls that took no time", () => {
  // 1,000 tokens in 4 seconds at 1,024 and in 8 at 4,096.
  const pace = paceOfRecords([recordAt(4, {}), recordAt(14, { latencyMs: 8000 }, 4096)], "first")!;
  equal(pace.source, 'at the pace of run "first"');
  equal(pace.secondsFor({ length: 512, questions: 1, promptTokens: 500, answerTokens: 9 }), 2);
  equal(pace.secondsFor({ length: 131072, questions: 1, promptTokens: 500, answerTokens: 9 }), 4);
  equal(paceOfRecords([recordAt(4, { latencyMs: 0 })], "first"), undefined);
  const quick = paceOfRecords([recordAt(4, { latencyMs: 500 })], "first");
  equal(quick?.secondsFor({ length: 1024, questions: 1, promptTokens: 1000, answerTokens: 9 }), 0.5);
});

Deno.test("findEarlierPace() takes the latest measured run of a model, and the rows of its cost are all of it", async () => {
  const { records } = await readRun("measured/smollm2-135m-instruct/ruler");
  const text = await Deno.readTextFile(filesOf("measured/smollm2-135m-instruct/ruler", {}).manifest);
  const lines = records.slice(0, 2).map((record) => `${JSON.stringify(record)}\n`).join("");
  const run = (name: string, from: string): Readonly<Record<string, string>> => ({
    [`${name}/manifest.json`]: JSON.stringify({ ...JSON.parse(text), name, measured: { from } }),
    [`${name}/records.jsonl`]: lines,
  });
  // In a folder of the test's own, as a run of the user's may be newer than those that come along.
  await withFolder({ ...run("late", "2026-02-01"), ...run("early", "2026-01-01") }, async (folder) => {
    const earlier = await findEarlierPace({ name: "smollm2-135m-instruct" }, { folder });
    equal(earlier!.source, 'at the pace of run "late"');
    equal(await findEarlierPace({ name: "gemma-3-270m" }, { folder }), undefined);
  });
  const { rows, promptTokens, answered } = runCost(records);
  equal(rows.reduce((sum, row) => sum + row.promptTokens, 0), promptTokens);
  equal(answered, records.length);
});
