import { deepEqual, equal, match, ok } from "node:assert/strict";
import { shell } from "./_shell.ts";
import { RUNS_FOLDER } from "@/lib/runs/manifest.ts";

/** Runs a test with the name of a run that is gone afterwards, with its figures. */
async function withRun(tasks: string, use: (name: string, figures: string) => Promise<void>): Promise<void> {
  const name = `test-${crypto.randomUUID()}`;
  const figures = new URL(`../../results/figures/${name}`, import.meta.url).pathname;
  const ask = ["run", "--tasks", tasks, "--lengths", "16K", "--samples", "40", "--model", "sim:lost-in-the-tail"];
  try {
    equal((await shell(...ask, "--name", name)).code, 0);
    await use(name, figures);
  } finally {
    for (const path of [`${RUNS_FOLDER}/${name}`, figures]) {
      await Deno.remove(path, { recursive: true }).catch(() => {});
    }
  }
}

Deno.test("fathom report --depths prints scores by depth and the thirds, and draws the heatmaps", async () => {
  await withRun("niah_multikey_1,vt", async (name, figures) => {
    const { code, out, told } = await shell("report", name, "--depths");
    equal(code, 0);
    match(out, /^sim:lost-in-the-tail: score by the depth of the target\nSimulated /);
    match(out, /\nniah_multikey_1 +16K +100 \[/);
    match(
      out,
      /\nWhat stands in the last third of the context is lost more often than in the first and in the middle\n/,
    );
    deepEqual(told, ["vt is left out as it asks for 5 facts", `${figures}/depths.svg`]);
    ok((await Deno.readTextFile(`${figures}/depths.svg`)).includes("Simulated"));
  });
});

Deno.test("fathom report --depths --json gives the rows and the comparison, and --no-figures draws nothing", async () => {
  await withRun("niah_single_1,vt", async (name, figures) => {
    const report = JSON.parse((await shell("report", name, "--depths", "--json")).out);
    deepEqual([report.run, report.origin, report.left], [
      ...[name, "simulated", [{ task: "vt", why: "it asks for 5 facts" }]],
    ]);
    equal(report.rows.length, 5);
    equal(report.thirds.rows.length, 3);
    equal((await shell("report", name, "--depths", "--no-figures")).code, 0);
    await Deno.stat(figures).then(() => ok(false, "a figure was drawn"), () => {});
  });
});

Deno.test("fathom report --depths refuses a run without a task that has one target", async () => {
  await withRun("vt", async (name) => {
    const { code, told } = await shell("report", name, "--depths");
    equal(code, 2);
    equal(
      told.at(-1),
      `fathom: Cannot tell scores by depth as the run must have a scored task with one target: current value is "${name}"`,
    );
  });
});

Deno.test("fathom report --csv prints a header and a row a reply", async () => {
  await withRun("niah_single_1", async (name) => {
    const { code, out } = await shell("report", name, "--csv");
    equal(code, 0);
    const lines = out.trimEnd().split("\r\n");
    match(lines[0]!, /^sample,sha256,model,origin,task,length,index,/);
    equal(lines.length, 41);
  });
});
