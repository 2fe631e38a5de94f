import { deepEqual, equal, match } from "node:assert/strict";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";
import { shell, withRunName } from "./_shell.ts";
import { answerAsSecondModel } from "../serve/second_model.ts";
import { serveSimulated } from "../serve/serve_command.ts";

async function withRun(tasks: string, use: (name: string) => Promise<void>): Promise<void> {
  const ask = ["run", "--tasks", tasks, "--lengths", "700", "--samples", "6", "--model", "sim:longalpaca"];
  await withRunName(async (name) => {
    equal((await shell(...ask, "--name", name)).code, 0);
    await use(name);
  });
}

Deno.test("fathom regrade asks a judge over HTTP, keeps its verdicts, and prints them beside the rubric's", async () => {
  await withRun("recall_pistachio,recall_thornfield", async (name) => {
    await using server = await serveSimulated({ profile: "ideal", otherwise: answerAsSecondModel });
    const line = ["regrade", name, "--by", "judge", "--model", "ideal", "--base-url", server.url];
    const done = await shell(...line);
    equal(done.code, 0);
    match(done.out, /^sim:longalpaca \(simulated\), by ideal \(simulated\)\n/);
    match(done.out, /\nall +12 +0 +(\d+\.\d) +\1 +100\.0 .* 0\n/);
    match(done.err.at(-1)!, /judge-ideal\.jsonl: all answers could be read$/);
    const { rows } = JSON.parse((await shell(...line, "--json")).out);
    deepEqual(rows.map(({ task, unread }: { task: string; unread: number }) => [task, unread]), [
      ["recall_pistachio", 0],
      ["recall_thornfield", 0],
      ["all", 0],
    ]);
    const kept = await Deno.readTextFile(`${RUNS_FOLDER}/${name}/judge-ideal.jsonl`);
    const asked = kept.trim().split("\n").map((text): string => JSON.parse(text).about);
    equal(new Set(asked).size, asked.length);
  });
});

Deno.test("fathom regrade refuses a run without such tests and an unknown run, in one line", async () => {
  await withRun("niah_single_1", async (name) => {
    const suites = {
      judge: "LLM In-Context Recall is Prompt Dependent",
      extractor: "Needle Threading or LongBench v2",
    };
    for (const [by, suite] of Object.entries(suites)) {
      const done = await shell("regrade", name, "--by", by, "--model", "sim:ideal");
      deepEqual([done.code, done.err.length], [2, 1]);
      match(done.err[0]!, RegExp(`must have tasks of ${suite}: current value is niah_single_1$`));
    }
  });
  equal((await shell("regrade", "no-such-run", "--by", "judge")).code, 2);
  equal((await shell("regrade", "no-such-run")).code, 2);
});
