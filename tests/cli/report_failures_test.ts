import { deepEqual, equal, match, ok } from "node:assert/strict";
import { shell } from "./_shell.ts";
import { RUNS_FOLDER } from "@/lib/runs/manifest.ts";

const ASK = ["run", "--tasks", "niah_multikey_3,vt", "--lengths", "2048", "--samples", "4"];

/** Runs a test with the name of a run that is gone afterwards, with its figures. */
async function withRun(use: (name: string) => Promise<void>): Promise<void> {
  const name = `test-${crypto.randomUUID()}`;
  try {
    await use(name);
  } finally {
    const figures = new URL(`../../results/figures/${name}`, import.meta.url).pathname;
    for (const path of [`${RUNS_FOLDER}/${name}`, figures]) {
      await Deno.remove(path, { recursive: true }).catch(() => {});
    }
  }
}

Deno.test("fathom report --failures prints the ways of failing by task and length, and replies to look at", async () => {
  await withRun(async (name) => {
    equal((await shell(...ASK, "--model", "sim:longalpaca", "--name", name)).code, 0);
    const { code, out } = await shell("report", name, "--failures");
    equal(code, 0);
    match(out, /^sim:longalpaca \(simulated\): [1-8] of 8 replies failed wholly or in part, most of them by /);
    match(out, /\nvt +2K +4 +[0-4] /);
    match(out, /\n {2}wanted .+\n {2}reply {2}/);
    const report = JSON.parse((await shell("report", name, "--failures", "--json")).out);
    deepEqual([report.run, report.model, report.origin], [name, "sim:longalpaca", "simulated"]);
    deepEqual(report.rows.map((row: { task: string; n: number }) => [row.task, row.n]).toSorted(), [
      ["niah_multikey_3", 4],
      ["vt", 4],
    ]);
    ok(report.replies.length > 0);
  });
});

Deno.test("fathom report --failures says so where no reply failed, and where there is no such run", async () => {
  await withRun(async (name) => {
    equal((await shell(...ASK, "--model", "sim:ideal", "--name", name)).code, 0);
    const { code, out } = await shell("report", name, "--failures");
    equal(code, 0);
    match(out, /None of 8 replies failed/);
    const missing = await shell("report", "worse", "--failures");
    equal(missing.code, 2);
    match(missing.told[0]!, /^fathom: Cannot read the run as its name must be that of a recorded run \(/);
  });
});
