import { deepEqual, equal, ok } from "node:assert/strict";
import { checkStudy, depthFigure, runStudy, simulatedModel, type StudyRun } from "@/lib/runs/mod.ts";

async function ask(profile: string, tasks: readonly string[], samples: number): Promise<StudyRun> {
  const folder = await Deno.makeTempDir();
  try {
    const study = checkStudy({ tasks, lengths: [4096], samples });
    return await runStudy(study, { name: "depths", model: simulatedModel(profile), folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("depthFigure() finds the place that a simulated reader loses, and names it in the title", async () => {
  const { thirds, figure, table, rows, replies } = await depthFigure(
    await ask("lost-in-the-tail", ["niah_multikey_1"], 60),
  );
  equal(thirds.lost, "last");
  equal(figure?.title, thirds.finding);
  deepEqual(figure?.origins, ["simulated"]);
  deepEqual(table?.origins, ["simulated"]);
  equal(rows.reduce((sum, { n }) => sum + n, 0), replies.length);
});

Deno.test("depthFigure() cuts the context as finely as asked", async () => {
  const { rows } = await depthFigure(await ask("ideal", ["niah_single_1"], 8), { stretches: 2 });
  deepEqual(rows.map(({ stretch }) => stretch), ["0 to 50%", "50 to 100%"]);
});

Deno.test("depthFigure() of a run without a task that has one target has no figure, and says why", async () => {
  const { figure, table, thirds, notes } = await depthFigure(await ask("ideal", ["vt"], 2));
  deepEqual([figure, table, thirds.lost], [null, null, null]);
  deepEqual(notes, ["vt is left out as it asks for 5 facts"]);
  ok(thirds.finding.startsWith("No two thirds"));
});
