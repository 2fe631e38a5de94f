import { deepEqual, equal, throws } from "node:assert/strict";
import { checkStudy, makeTasks } from "@/lib/runs/mod.ts";

Deno.test("checkStudy() fills in what is not given", () => {
  deepEqual(checkStudy({}), {
    title: "untitled",
    tasks: [{ task: "all" }],
    lengths: [4096],
    samples: 25,
    first: 0,
    seed: "42",
    variant: "2026",
    tokenizer: "cl100k_base",
    essays: "essays_en",
  });
});

Deno.test("checkStudy() takes a number for a seed and a variant", () => {
  const { seed, variant } = checkStudy({ seed: 7, variant: 2024 });
  deepEqual([seed, variant], ["7", "2024"]);
});

Deno.test("checkStudy() tells a task's knobs from its name", () => {
  const { tasks } = checkStudy({ tasks: ["vt", { task: "niah", name: "eight_keys", keys: 8, haystack: "noise" }] });
  deepEqual(tasks, [{ task: "vt" }, { task: "niah", name: "eight_keys", knobs: { keys: 8, haystack: "noise" } }]);
});

Deno.test("checkStudy() leaves a checked study as it is, so that a manifest's can be checked again", () => {
  const study = checkStudy({
    tasks: [{ task: "niah", name: "eight_keys", keys: 8 }],
    lengths: [512],
    squad: "dev.json",
  });
  deepEqual(checkStudy(JSON.parse(JSON.stringify(study))), study);
});

Deno.test.each(
  [
    [{ lenghts: [1] }, /as each key must be one of title, tasks, lengths, .*: current value is "lenghts"$/],
    [
      { lengths: ["4K"] },
      /as lengths must be a list of whole numbers of tokens, such as \[4096, 8192\], or a range such as .*: current value is \["4K"\]$/,
    ],
    [{ lengths: 4096 }, /as lengths must be a list .*: current value is 4096$/],
    [{ lengths: [] }, /as lengths must be a list .*: current value is \[\]$/],
    [{ lengths: { from: 10, to: 12, count: 9 } }, /as lengths must be a list .*: current value is \{"from":10,/],
    [{ lengths: { from: 10, to: 12 } }, /as lengths must be a list/],
    [{ tasks: [{ task: "vt", grid: { hops: [] } }] }, /as tasks must be all, or a list/],
    [{ tasks: [{ task: "vt", grid: { hops: 2 } }] }, /as tasks must be all, or a list/],
    [
      { tasks: ["vt"], set: { points: 3 } },
      /as set must name knobs of its tasks \(.*hops.*\): current value is "points"$/,
    ],
    [{ set: { keys: null } }, /as set must be knobs with a value or a list of values/],
    [{ tasks: "none" }, /as tasks must be all, or a list .*: current value is "none"$/],
    [{ tasks: [{ keys: 8 }] }, /as tasks must be all, or a list .*: current value is \[\{"keys":8\}\]$/],
    [{ tasks: [{ task: "niah", keys: true }] }, /as tasks must be all, or a list/],
    [{ samples: 0 }, /as samples must be a whole number of at least 1: current value is 0$/],
    [{ samples: "25" }, /as samples must be a whole number of at least 1: current value is "25"$/],
    [{ first: 0.5 }, /as first must be a whole number of at least 0: current value is 0.5$/],
    [{ seed: null }, /as seed must be text or a whole number: current value is null$/],
    [{ variant: 2025 }, /as variant must be one of 2026, 2024, paper: current value is 2025$/],
    [
      { tokenizer: "" },
      /as tokenizer must be the name of an encoding or the path of a tokenizer.json: current value is ""$/,
    ],
    [{ constructor: 1 }, /as each key must be one of .*: current value is "constructor"$/],
    [[], /as it must be keys with values$/],
    [null, /as it must be keys with values$/],
  ] as [unknown, RegExp][],
)("checkStudy() refuses %j and names what was wanted", (value, message) => {
  throws(() => checkStudy(value, "a.yaml"), { name: "TypeError", message });
  throws(() => checkStudy(value, "a.yaml"), /^TypeError: Cannot read the study in a\.yaml as /);
});

Deno.test("checkStudy() does not change what it is given", () => {
  const value = Object.freeze({ tasks: Object.freeze(["vt"]), lengths: Object.freeze([512]) });
  equal(checkStudy(value).samples, 25);
});

Deno.test("checkStudy() lays out a grid: every combination once, named by its knobs, the last turned fastest", () => {
  const grid = { steps: [2, 5, 25], direction: ["forward", "backward"] };
  const { tasks } = checkStudy({ tasks: [{ task: "threading", name: "threads", kind: "single_thread", grid }] });
  equal(new Set(tasks.map(({ name }) => name)).size, 6);
  deepEqual(tasks[3], {
    task: "threading",
    name: "threads steps=5 direction=backward",
    knobs: { kind: "single_thread", steps: 5, direction: "backward" },
  });
});

Deno.test("checkStudy() names the tasks of a grid without a name by their family, and studies can make them", () => {
  const tasks = makeTasks(checkStudy({ tasks: [{ task: "niah", grid: { keys: [1, 8] } }] }));
  deepEqual(tasks.map(({ name, options }) => [name, options["keys"]]), [["niah keys=1", 1], ["niah keys=8", 8]]);
});

Deno.test("checkStudy() leaves a study with its grids laid out as it is", () => {
  const study = checkStudy({ tasks: [{ task: "niah", grid: { keys: [1, 8] } }] });
  deepEqual(checkStudy(study), study);
});

Deno.test("checkStudy() sets a knob of every task that has it, whatever the task says, and a grid's values", () => {
  const tasks = ["qa_1", { task: "vt", name: "own", hops: 2 }, { task: "vt", name: "grid", grid: { hops: [1, 2] } }];
  deepEqual(checkStudy({ tasks, set: { hops: 6 } }).tasks, [
    { task: "qa_1", knobs: { hops: 6 } },
    { task: "vt", name: "own", knobs: { hops: 6 } },
    { task: "vt", name: "grid hops=6", knobs: { hops: 6 } },
  ]);
  const names = checkStudy({ tasks, set: { chains: [1, 2] } }).tasks.map(({ name }) => name);
  deepEqual(names, [
    undefined,
    "own chains=1",
    "own chains=2",
    ...["grid hops=1 chains=1", "grid hops=1 chains=2", "grid hops=2 chains=1", "grid hops=2 chains=2"],
  ]);
});

Deno.test("checkStudy() takes all apart where a knob is set", () => {
  const { tasks } = checkStudy({ tasks: "all", set: { hops: 6 } });
  equal(tasks.length, 13);
  deepEqual(tasks.filter(({ knobs }) => knobs).map(({ task }) => task), ["vt", "qa_1", "qa_2"]);
});

Deno.test("checkStudy() lays out a range of lengths in even steps", () => {
  deepEqual(checkStudy({ lengths: { from: 4000, to: 12_000, count: 3 } }).lengths, [4000, 8000, 12_000]);
});
