import { deepEqual, equal, match } from "node:assert/strict";
import { shell, spawn, withRunName } from "./_shell.ts";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";

Deno.test("fathom verify says what is wrong with a run and ends with 1, --repair makes it readable, and report warns", async () => {
  await withRunName(async (name) => {
    const asked = ["run", "--tasks", "vt", "--lengths", "1K", "--samples", "3", "--model", "sim:ideal", "--name", name];
    equal((await shell(...asked)).code, 0);
    const whole = await shell("verify", name);
    deepEqual([whole.code, whole.out], [0, `${name}: 3 records, 3 answered samples; nothing is wrong\n`]);
    const path = `${RUNS_FOLDER}/${name}/records.jsonl`;
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace(/"text":"/, '"text":"Edited '));
    const edited = await shell("report", name, "--no-figures");
    match(edited.err.join("\n"), /Warning: this is not the run that was recorded, as its records were changed/);
    await Deno.writeTextFile(path, `${text}\u001b]0;owned\u0007\n`);
    const broken = await shell("verify", name, "--json");
    deepEqual([broken.code, JSON.parse(broken.out).faults.length], [1, 1]);
    match(broken.err[0]!, /not what was recorded; --repair makes it readable$/);
    const repaired = await shell("verify", name, "--repair");
    deepEqual([repaired.code, (await shell("verify", name)).code], [0, 0]);
    match(repaired.out, /kept: .*records-cut-1\.txt/);
    deepEqual(await Deno.readTextFile(path), text);
  });
});

Deno.test("fathom run --shard asks parts of one run, and fathom verify lists what lacks", async () => {
  await withRunName(async (name) => {
    const run = ["run", "--tasks", "niah_single_1,vt", "--lengths", "1K", "--samples", "2", "--name", name];
    equal((await shell(...run, "--shard", "1/2")).code, 0);
    const early = await shell("verify", name);
    equal(early.code, 1);
    match(early.out, /2 of 4 questions have no record \(2 of shard 2\/2\)/);
    match((await shell(...run, "--shard", "2/2", "--dry-run")).err.join("\n"), /2 of 2 questions to ask/);
    equal((await shell("resume", name, "--shard", "2/2")).code, 0);
    const { code, out } = await shell("verify", name);
    equal(code, 0);
    match(out, /4 records, 4 answered samples; nothing is wrong/);
    equal((await shell("report", name, "--no-figures")).code, 0);
  });
});

Deno.test("fathom verify-server prints its address, scores a reply and ends with Ctrl-C", async () => {
  const process = spawn(["verify-server", "--port", "0"]);
  const lines = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let out = "";
  while (!out.includes("\n")) out += (await lines.read()).value ?? "\n";
  const url = out.trim();
  match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  const body = JSON.stringify({ task: "vt", references: ["A", "B"], reply: "A" });
  const response = await fetch(`${url}/verify`, {
    ...{ method: "POST", body },
    headers: { "content-type": "application/json" },
  });
  equal((await response.json()).score, 0.5);
  process.kill("SIGINT");
  await lines.cancel();
  await process.stderr.cancel();
  equal((await process.status).code, 0);
});

Deno.test("fathom verify-server refuses a tokenizer and a port that do not exist", async () => {
  equal((await shell("verify-server", "--tokenizer", "/no/such/file")).code, 2);
  equal((await shell("verify-server", "--port", "70000")).code, 2);
});
