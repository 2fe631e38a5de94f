import { deepEqual, equal, match, ok } from "node:assert/strict";
import { JUPYTER_DISPLAY } from "@/lib/figures/mod.ts";
import { checkStudy, failureFigure, runStudy, simulatedModel, type StudyRun } from "@/lib/runs/mod.ts";

const study = checkStudy({ tasks: ["niah_multikey_3", "cwe"], lengths: [2048, 4096], samples: 3 });

async function runWith(profile: string): Promise<StudyRun> {
  const folder = await Deno.makeTempDir();
  try {
    return await runStudy(study, { name: "run", model: simulatedModel(profile), folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("failureFigure() shows how a run failed, in a figure and in replies, both said to be simulated", async () => {
  const { figure, table, rows, replies, notes } = await failureFigure(await runWith("longalpaca"), { each: 1 });
  deepEqual(notes, []);
  const failures = replies.filter(({ modes }) => modes.length > 0);
  equal(failures.length, rows.reduce((sum, row) => sum + row.failures, 0));
  ok(failures.length > 0);
  match(figure.title, new RegExp(`^${failures.length} of 12 replies failed`));
  deepEqual([figure.origins, table.origins], [["simulated"], ["simulated"]]);
  ok(Object.keys(await figure[JUPYTER_DISPLAY]()).includes("image/svg+xml"));
});

Deno.test("failureFigure() says so where no reply failed", async () => {
  const { figure, table } = await failureFigure(await runWith("ideal"), { by: "task" });
  equal(table.title, "There is no failed reply to look at");
  match(table.text, /None of 12 replies failed/);
  equal(figure.title, "None of 12 replies failed");
});
