import { deepEqual, equal, match } from "node:assert/strict";
import { shell } from "./_shell.ts";
import { serveSimulated } from "@/lib/cli/serve_command.ts";
import { RUNS_FOLDER } from "@/lib/runs/manifest.ts";

async function withRun(tasks: string, use: (name: string) => Promise<void>): Promise<void> {
  const name = `test-${crypto.randomUUID()}`;
  try {
    const ask = ["--tasks", tasks, "--lengths", "700", "--samples", "6", "--model", "sim:longalpaca", "--name", name];
    equal((await shell("run", ...ask)).code, 0);
    await use(name);
  } finally {
    await Deno.remove(`${RUNS_FOLDER}/${name}`, { recursive: true }).catch(() => {});
  }
}

Deno.test("fathom judge asks a judge over HTTP, keeps its verdicts, and prints it beside the rubric", async () => {
  await withRun("recall_pistachio,recall_thornfield", async (name) => {
    const server = await serveSimulated({ profile: "ideal", port: 0 });
    try {
      const line = ["judge", name, "--model", "ideal", "--base-url", server.url];
      const done = await shell(...line);
      equal(done.code, 0);
      match(done.out, /^sim:longalpaca \(simulated\), judged by ideal \(simulated\)\n/);
      match(done.out, /\nall +12 +0 +(\d+\.\d%) +\1 +100\.0% /);
      match(done.told.at(-1)!, /verdicts-ideal\.jsonl: verdicts, 0 of them without a grade$/);
      const { rows } = JSON.parse((await shell(...line, "--json")).out);
      deepEqual(rows.map(({ task, unscored }: { task: string; unscored: number }) => [task, unscored]), [
        ["recall_pistachio", 0],
        ["recall_thornfield", 0],
        ["all", 0],
      ]);
      const kept = await Deno.readTextFile(`${RUNS_FOLDER}/${name}/verdicts-ideal.jsonl`);
      const judged = kept.trim().split("\n").map((text): string => JSON.parse(text).judged);
      equal(new Set(judged).size, judged.length);
    } finally {
      await server.close();
    }
  });
});

Deno.test("fathom judge counts what a judge that says nothing leaves unscored, and does not crash", async () => {
  await withRun("recall_pistachio", async (name) => {
    const done = await shell("judge", name, "--model", "sim:mute");
    equal(done.code, 0);
    match(done.out, /recall_pistachio +6 +6 +– +– +– +–\n/);
  });
});

Deno.test("fathom judge refuses a run without such tests, and one that is not there, in one line", async () => {
  await withRun("niah_single_1", async (name) => {
    const done = await shell("judge", name, "--model", "sim:ideal");
    deepEqual([done.code, done.told.length], [2, 1]);
    match(done.told[0]!, /must have prompt-dependence tests/);
  });
  equal((await shell("judge", "no-such-run")).code, 2);
});
