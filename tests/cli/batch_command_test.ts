import { deepEqual, equal, match } from "node:assert/strict";
import { shell, withRunName } from "./_shell.ts";
import { fakeBatchServer } from "../models/_batch_server.ts";

const STUDY = ["--tasks", "niah_single_1,vt", "--lengths", "1K", "--samples", "2", "--no-preflight"];
const PRICES = ["--price-in", "1000", "--price-out", "1000"];

Deno.test("fathom batch submits, tells how far it is, reads back, and the run is one like any other", async () => {
  await withRunName(async (name) => {
    await using server = fakeBatchServer({
      looks: 3,
      answer: (id) => id === "vt/1024/1" ? { status: 500, message: "broken" } : "no",
    });
    const asking = [...STUDY, "--model", "m", "--base-url", server.url, "--name", name];
    const dry = await shell("batch", ...asking, ...PRICES, "--dry-run");
    match(dry.err.join("\n"), /^4 of 4 questions to ask: .*, at most \d+\.\d+ in the currency/m);
    const [, whole] = /at most (\d+\.\d+) in/.exec(
      (await shell("run", ...asking, ...PRICES, "--dry-run")).err.join(),
    )!;
    const [, half] = /at most (\d+\.\d+) in/.exec(dry.err.join())!;
    equal((Number(whole) / 2).toFixed(1), Number(half).toFixed(1));
    const begun = await shell("batch", ...asking, "--no-wait");
    deepEqual([begun.code, begun.out], [0, ""]);
    match(begun.err.at(-1)!, /^4 questions of run ".*" are in batches under way; `fathom batch fetch/);
    const run = await shell("run", ...asking);
    equal(run.code, 2);
    match(run.err.join("\n"), /as its batches must be over: current value is 1 under way/);
    const status = await shell("batch", "status", name);
    match(status.out, /^1 {2}batch_1 {2}in progress {2}0 of 4 answered {2}begun 2026-09-21T/);
    const fetched = await shell("batch", "fetch", name, "--wait", "--poll", "0.01");
    // Some calls failed.
    equal(fetched.code, 3, fetched.err.join("\n"));
    match(fetched.out, /1 failed call/);
    match((await shell("batch", "status", name)).out, /completed, recorded {2}3 of 4 answered, 1 failed/);
    equal(JSON.parse((await shell("batch", "status", name, "--json")).out).isOver, true);
    match((await shell("report", "cost", name, ...PRICES)).out, /Asked in batches: 4 questions/);
    match((await shell("verify", name)).out, /4 records, 3 answered samples; nothing is wrong/);
  });
});

Deno.test("fathom batch cancel ends what is under way, and fetch reads back what came", async () => {
  await withRunName(async (name) => {
    await using server = fakeBatchServer({ looks: 2 });
    const asking = [...STUDY, "--model", "m", "--base-url", server.url, "--name", name];
    equal((await shell("batch", ...asking, "--no-wait", "--batch-size", "3")).code, 0);
    match((await shell("batch", "cancel", name)).out, /^1 {2}batch_1 {2}cancelling .*\n2 {2}batch_2 {2}cancelling/);
    const fetched = await shell("batch", "fetch", name, "--wait", "--poll", "0.01");
    match(fetched.err.at(-1)!, /Batch \d was cancelled with 0 of \d/);
    equal(fetched.code, 1);
  });
});
