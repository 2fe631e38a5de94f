import { deepEqual, equal, ok } from "node:assert/strict";
import {
  ablationPanels,
  openPublished,
  publishedAblationLines,
  rulerTask,
  type RulerTaskName,
} from "@/lib/benchmarks/ruler/mod.ts";
import { RULER_STUDY_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { checkStudy, makeTasks, readStudyFile } from "@/lib/runs/mod.ts";

const TASKS = makeTasks(await readStudyFile("data/studies/03-ablations.yaml"));

const knobsOf = ({ options }: { readonly options: Readonly<Record<string, unknown>> }): string =>
  JSON.stringify(Object.entries(options).toSorted());

Deno.test("ablationPanels() has every line of Figures 2 and 3 of the paper, by its name and in its order", async () => {
  const printed = publishedAblationLines(await openPublished())
    .filter(({ panel }) => panel !== "cwe" && panel !== "qa without context");
  const ours = ablationPanels(TASKS).flatMap(({ panel, series }) => series.map((line) => `${panel}: ${line.series}`));
  deepEqual(ours, printed.map(({ panel, series }) => `${panel}: ${series}`));
});

Deno.test("data/studies/03-ablations.yaml asks settings that RULER has as its own tasks, no task twice, and one in no panel", () => {
  const own = new Map(RULER_STUDY_TASK_NAMES.map((name) => [knobsOf(rulerTask(name)), name]));
  for (const task of TASKS) {
    const name = own.get(knobsOf(task));
    ok(name === undefined || name === task.name, `${task.name} has the knobs of ${name}`);
    ok(name !== undefined || !RULER_STUDY_TASK_NAMES.includes(task.name as RulerTaskName));
  }
  equal(new Set(TASKS.map(({ name }) => name)).size, 29);
  const drawn = new Set(ablationPanels(TASKS).flatMap(({ series }) => series.map(({ task }) => task)));
  deepEqual(TASKS.map(({ name }) => name).filter((name) => !drawn.has(name)), ["cwe"]);
});

Deno.test("ablationPanels() draws other settings too, and leaves out panels without any", () => {
  const panels = ablationPanels(makeTasks(checkStudy({
    tasks: [
      { task: "niah", name: "mine", haystack: "essay", keyType: "uuids", valueType: "words" },
      { task: "niah", name: "keys", haystack: "needle", keyType: "words", valueType: "uuids" },
      { task: "vt", grid: { chains: [1, 5], hops: [9] } },
      { task: "fwe", name: "alpha", alpha: 1.25 },
      "niah_multikey_1",
      "cwe",
    ],
  })));
  deepEqual(panels.map(({ panel, series }) => [panel, ...series.map(({ series, task }) => `${series} = ${task}`)]), [
    ["needle type", "K=U, V=W = mine"],
    ["keys", "#K=FULL, K=W, V=U = keys", "#K=4 = niah_multikey_1"],
    ["hops", "chain=1, hop=9 = vt chains=1 hops=9"],
    ["chains", "chain=5, hop=9 = vt chains=5 hops=9"],
    ["alpha", "alpha=1.25 = alpha"],
  ]);
});
