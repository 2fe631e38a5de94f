import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { ablationTasks, CLOSED_BOOK_TASKS } from "@/lib/benchmarks/ruler/ablations.ts";
import {
  openPublished,
  publishedAblationLines,
  rulerAblations,
  rulerTask,
  type RulerTaskName,
} from "@/lib/benchmarks/ruler/mod.ts";
import { RULER_STUDY_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { checkStudy, makeTasks } from "@/lib/runs/mod.ts";

const knobsOf = ({ options }: { readonly options: Readonly<Record<string, unknown>> }): string =>
  JSON.stringify(Object.entries(options).toSorted());

Deno.test("rulerAblations() has every line of Figures 2 and 3 of the paper, by its name", async () => {
  const printed = publishedAblationLines(await openPublished()).filter(({ panel }) => panel !== "cwe");
  const ours = [
    ...rulerAblations().flatMap(({ panel, series }) => series.map((line) => `${panel}: ${line.series}`)),
    ...CLOSED_BOOK_TASKS.map(({ series }) => `qa without context: ${series}`),
  ];
  deepEqual(ours.toSorted(), printed.map(({ panel, series }) => `${panel}: ${series}`).toSorted());
});

Deno.test("rulerAblations() asks settings that RULER has as its own tasks, and no other", () => {
  const tasks = makeTasks(checkStudy({ tasks: ablationTasks(rulerAblations()) }));
  const own = new Map(RULER_STUDY_TASK_NAMES.map((name) => [knobsOf(rulerTask(name)), name]));
  for (const task of tasks) {
    const name = own.get(knobsOf(task));
    ok(name === undefined || name === task.name, `${task.name} has the knobs of ${name}`);
    ok(name !== undefined || !RULER_STUDY_TASK_NAMES.includes(task.name as RulerTaskName));
  }
});

Deno.test("ablationTasks() asks what several panels share once", () => {
  const tasks = ablationTasks(rulerAblations());
  equal(new Set(tasks.map(({ task, name }) => name ?? task)).size, tasks.length);
  equal(tasks.filter(({ task }) => task === "niah_single_2").length, 1);
});

Deno.test("rulerAblations() takes other knobs, and leaves out panels without any", () => {
  const panels = rulerAblations({
    needleTypes: ["uuids-words"],
    keys: [],
    chains: [[1, 4], [1, 9]],
    alphas: [2, 1.25],
  });
  deepEqual(panels.map(({ panel }) => panel), ["needle type", "values", "queries", "hops", "alpha", "qa"]);
  deepEqual(panels[0]?.series[0], {
    series: "K=U, V=W",
    task: "niah_uuids_words",
    choice: {
      task: "niah",
      name: "niah_uuids_words",
      knobs: { haystack: "essay", keyType: "uuids", valueType: "words" },
    },
  });
  deepEqual(panels.find(({ panel }) => panel === "hops")?.series.map(({ task }) => task), ["vt", "vt_1_chains_9_hops"]);
  deepEqual(panels.find(({ panel }) => panel === "alpha")?.series.map(({ series }) => series), [
    "alpha=2.0",
    "alpha=1.25",
  ]);
});

Deno.test("rulerAblations() refuses a needle type or a number of keys that it does not know", () => {
  throws(() => rulerAblations({ needleTypes: ["words"] }), {
    name: "RangeError",
    message:
      'Cannot ask for needles as each type must be passkey, or two of words, numbers, uuids joined by a hyphen: current value is "words"',
  });
  throws(() => rulerAblations({ needleTypes: ["words-constructor"] }), RangeError);
  throws(() => rulerAblations({ chains: [[3]] }), {
    message: "Cannot ask for chains as each must be two numbers, of chains and of hops: current value is [3]",
  });
  throws(() => rulerAblations({ keys: ["all"] }), {
    message:
      'Cannot ask for needles as the number of keys must be a number, full or full-uuids: current value is "all"',
  });
});
