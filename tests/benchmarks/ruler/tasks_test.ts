import { deepEqual, equal, throws } from "node:assert/strict";
import { column, openRows } from "@/lib/statistics/mod.ts";
import {
  RULER_GROUPS,
  RULER_OVERALL,
  RULER_STUDY_TASK_NAMES,
  RULER_TASK_NAMES,
  rulerFamilyOf,
  rulerTask,
  type RulerTaskName,
} from "@/lib/benchmarks/ruler/tasks.ts";

Deno.test("rulerTask() makes the thirteen tasks with RULER's answer rooms, categories and scoring", () => {
  const tasks = RULER_TASK_NAMES.map((name) => rulerTask(name));
  deepEqual(tasks.map(({ name }) => name), RULER_TASK_NAMES);
  // tokens_to_generate in RULER's code: NIAH 128, VT 30, CWE 120, FWE 50, QA 32.
  deepEqual(tasks.map(({ answerRoom }) => answerRoom), [...Array(8).fill(128), 30, 120, 50, 32, 32]);
  deepEqual(tasks.map(({ category }) => category), [
    ...Array(8).fill("retrieval"),
    "multi-hop tracing",
    "aggregation",
    "aggregation",
    "question answering",
    "question answering",
  ]);
  deepEqual(tasks.map(({ scorer }) => scorer.name), [...Array(11).fill("all"), "any", "any"]);
});

// haystack, key type, value type, keys, values, queries (RULER, table 5 and synthetic.yaml).
Deno.test.each([
  ["niah_single_1", "noise words numbers 1 1 1"],
  ["niah_single_2", "essay words numbers 1 1 1"],
  ["niah_single_3", "essay words uuids 1 1 1"],
  ["niah_multikey_1", "essay words numbers 4 1 1"],
  ["niah_multikey_2", "needle words numbers 1 1 1"],
  ["niah_multikey_3", "needle uuids uuids 1 1 1"],
  ["niah_multivalue", "essay words numbers 1 4 1"],
  ["niah_multiquery", "essay words numbers 4 1 4"],
  ["niah_single_words", "essay words words 1 1 1"],
  ["niah_multivalue_2", "essay words numbers 1 2 1"],
  ["niah_multiquery_2", "essay words numbers 2 1 2"],
] as [RulerTaskName, string][])("rulerTask() gives %s the knobs %s", (name, knobs) => {
  const { options } = rulerTask(name);
  const order = ["haystack", "keyType", "valueType", "keys", "values", "queries"];
  equal(order.map((knob) => options[knob]).join(" "), knobs);
});

Deno.test("rulerTask() gives the tasks of the correlation study their knobs", () => {
  equal(new Set(RULER_STUDY_TASK_NAMES).size, 18);
  const [vt, fwe] = [rulerTask("vt_2_chains").options, rulerTask("fwe_alpha_3_5").options];
  deepEqual([vt["chains"], vt["hops"], fwe["alpha"]], [2, 2, 3.5]);
});

Deno.test("rulerTask() takes words for the values of niah_single_3 as the paper prints it", () => {
  equal(rulerTask("niah_single_3", { variant: "paper" }).options["valueType"], "words");
  equal(rulerTask("niah_single_3", { variant: "paper", valueType: "uuids" }).options["valueType"], "uuids");
  equal(rulerTask("niah_single_2", { variant: "paper" }).options["valueType"], "numbers");
});

Deno.test("rulerTask() refuses names that it does not know", () => {
  throws(() => rulerTask("vtt" as RulerTaskName), {
    name: "RangeError",
    message: /^Cannot make the task as its name must be one of RULER's \(niah_single_1, .*\): current value is "vtt"$/,
  });
  throws(() => rulerTask("toString" as RulerTaskName), { name: "RangeError" });
});

Deno.test("RULER_GROUPS are the categories of the paper's Table 5, and all 13 tasks", async () => {
  const names = {
    "retrieval": "retrieval",
    "multi_hop_tracing": "multi-hop tracing",
    "aggregation": "aggregation",
    "qa": "question answering",
  };
  const tasks = await openRows("ruler_table5_task_configs.csv", {
    task: column.text("task"),
    category: column.choice("category", ["retrieval", "multi_hop_tracing", "aggregation", "qa"]),
  });
  const printed = Map.groupBy(tasks, (task) => names[task.category]);
  for (const [name, ofCategory] of printed) {
    deepEqual(RULER_GROUPS.find((group) => group.name === name)?.tasks, ofCategory.map(({ task }) => task));
  }
  deepEqual(RULER_GROUPS.find((group) => group.name === RULER_OVERALL)?.tasks, tasks.map(({ task }) => task));
  equal(RULER_GROUPS.length, 5);
});

Deno.test("rulerFamilyOf() knows the names of RULER's tasks and of its code", () => {
  const names = ["variable_tracking", "vt_2_chains", "niah_mine", "freq_words_extraction", "cdme_zh"];
  deepEqual(names.map(rulerFamilyOf), ["vt", "vt", "niah", "fwe", undefined]);
});
