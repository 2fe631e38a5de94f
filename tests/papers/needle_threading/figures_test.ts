import { deepEqual, equal, match, ok } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { inFolder } from "../../_folder.ts";
import { knobPanels, scoreHeatmap, threadSafetyCurves } from "@/lib/papers/needle_threading/figures.ts";
import { openThreadingPublished } from "@/lib/papers/needle_threading/published.ts";
import { openMeasured } from "@/lib/records/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { openStudy, readStudyFile } from "@/lib/studies/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";

Deno.test("the study of threads makes every task at its lengths, and that of sizes has the paper's twelve", async () => {
  const threads = await readStudyFile("data/studies/08-threads.yaml");
  const { tasks, materials } = await openStudy(threads);
  equal(tasks.length, 1 + 8 + 4 + 6 + 6);
  for (const task of tasks) ok(task.leastLength(materials) <= threads.lengths[0]!, task.name);
  const sizes = await readStudyFile("data/studies/needle-threading-630k.yaml");
  equal(sizes.lengths.join(), "1200,2500,5000,10000,20000,32000,64000,128000,180000,250000,500000,630000");
  const opened = await openStudy(sizes);
  for (const task of opened.tasks.slice(0, cases(20, opened.tasks.length))) {
    ok(task.leastLength(opened.materials) <= 1200, task.name);
  }
});

Deno.test("a run that turns the knobs is drawn by each of them, and beside the published thread safety", async () => {
  await inFolder(async (folder) => {
    const study = await readStudyFile("data/studies/08-threads.yaml", { samples: 1, lengths: [8000] });
    const run = await runStudy(study, { name: "turned", model: simulatedModel("ideal"), folder });
    const svg = await knobPanels(run)!.svg();
    for (const title of ["Steps of a thread, by direction", "Needles, by placement", "Threads at a time"]) {
      match(svg, RegExp(title));
    }
    const { scores } = await openThreadingPublished();
    deepEqual(threadSafetyCurves(scores).origins, ["published"]);
    deepEqual(threadSafetyCurves(scores, [run]).origins.toSorted(), ["published", "simulated"]);
    match(threadSafetyCurves(scores, [run]).note, /runs: 1 sample a point, 8,000 tokens/);
  });
});

Deno.test("knobPanels() draws nothing of a run that turns no knob above the floor", async () => {
  const runs = await openMeasured({ benchmark: "needle_threading" });
  deepEqual(runs.map(knobPanels), runs.map(() => null));
});

Deno.test("scoreHeatmap() draws a table with the number of its haystacks", async () => {
  const { scores } = await openThreadingPublished();
  const figure = scoreHeatmap(scores, "Table 1");
  equal(figure.title, "Table 1: overall");
  match(figure.note, /^Published · 1 to 5 haystacks a cell/);
  // The picture of Table 1 in the authors' repository has GPT-4o at 93.2 in the smallest haystack.
  match(await figure.svg(), /93\.2/);
  match(scoreHeatmap(scores, "Table 6").note, /widest 95% interval that n allows/);
});
