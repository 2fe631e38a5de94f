import { deepEqual, equal, throws } from "node:assert/strict";
import { checkStudy } from "@/lib/runs/mod.ts";

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
      /as lengths must be a list of whole numbers of tokens, such as \[4096, 8192\]: current value is \["4K"\]$/,
    ],
    [{ lengths: 4096 }, /as lengths must be a list .*: current value is 4096$/],
    [{ lengths: [] }, /as lengths must be a list .*: current value is \[\]$/],
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
