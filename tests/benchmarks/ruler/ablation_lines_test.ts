import { deepEqual, equal } from "node:assert/strict";
import { ablationLines, ablationPanels, openPublished, publishedAblationLines } from "@/lib/benchmarks/ruler/mod.ts";
import { makeTasks, readStudyFile } from "@/lib/runs/mod.ts";

const TASKS = makeTasks(await readStudyFile("data/studies/03-ablations.yaml"));

Deno.test("publishedAblationLines() holds every digitised point of Figures 2 and 3, and the derived common words", async () => {
  const published = await openPublished();
  const lines = publishedAblationLines(published);
  const digitised = published.series.filter(({ figure }) => figure !== 4).length;
  equal(lines.flatMap(({ points }) => points).length, digitised + 6);
  const chains = lines.find(({ series }) => series === "chain=3, hop=2");
  deepEqual([chains?.panel, chains?.points.at(-1)?.score], ["chains", 57.7]);
  const baseline = lines.find(({ series }) => series === "SQuAD w/o context");
  deepEqual([baseline?.panel, baseline?.points.map(({ score }) => score)], ["qa without context", [28.8]]);
});

Deno.test("ablationLines() leaves out what was not asked, and lengths at which every call failed", () => {
  const row = { task: "fwe", n: 4, failed: 0, noAnswer: 0 };
  const lines = ablationLines([
    { ...row, length: 4096, score: 75, low: 30, high: 95 },
    { ...row, length: 8192, n: 0, failed: 4, score: null, low: null, high: null },
    { ...row, task: "qa_1_no_context", length: 512, score: 0, low: 0, high: 50 },
  ], ablationPanels(TASKS));
  deepEqual(lines.map(({ panel, series, points }) => [panel, series, points.map(({ length }) => length)]), [
    ["alpha", "alpha=2.0", [4096]],
    ["qa without context", "SQuAD w/o context", [512]],
  ]);
  deepEqual(ablationLines([], ablationPanels(TASKS)), []);
});
