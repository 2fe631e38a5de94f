import { deepEqual, equal, match, notEqual, throws } from "node:assert/strict";
import { listFamilies } from "@/lib/benchmarks/mod.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import type { RunRecord } from "@/lib/records/mod.ts";
import { checkStudy, makeTasks, openMaterials, openStudy, rememberSamples } from "@/lib/studies/mod.ts";
import { remakeSample } from "@/lib/studies/open_study.ts";

const FAMILY_NAMES = listFamilies().map(({ name }) => name);
const TASK_NAMES = listFamilies().flatMap(({ tasks }) => tasks);

Deno.test("makeTasks() makes RULER's thirteen tasks for all, in its order", () => {
  deepEqual(makeTasks(checkStudy({})).map(({ name }) => name), [...RULER_TASK_NAMES]);
});

Deno.test("makeTasks() makes each task of each benchmark by its name, and each family by its own", () => {
  const names = [...new Set([...TASK_NAMES, ...FAMILY_NAMES])];
  // Without a name, cdme and counting_stars are benchmarks.
  const tasks = names.map((task) => TASK_NAMES.includes(task) ? task : { task, name: task });
  deepEqual(makeTasks(checkStudy({ tasks })).map(({ name }) => name), names);
});

Deno.test("makeTasks() makes a task once that is named twice, and keeps two tasks of one name apart", () => {
  equal(makeTasks(checkStudy({ tasks: ["all", "vt"] })).length, 13);
  equal(makeTasks(checkStudy({ tasks: ["vt", { task: "vt", hops: 2 }] })).length, 2);
});

Deno.test("makeTasks() gives every task the study's variant, unless a task has its own", () => {
  const tasks = makeTasks(checkStudy({ tasks: ["vt", { task: "cwe", variant: "paper" }], variant: "2024" }));
  deepEqual(tasks.map(({ options }) => options["variant"]), ["2024", "paper"]);
});

Deno.test("makeTasks() calls a family's task as the study says, with the study's knobs", () => {
  const [task] = makeTasks(checkStudy({ tasks: [{ task: "niah", name: "eight_keys", keys: 8, haystack: "noise" }] }));
  equal(task?.name, "eight_keys");
  deepEqual([task?.options["keys"], task?.options["haystack"]], [8, "noise"]);
});

Deno.test("makeTasks() gives no variant of RULER's wording to the tasks of other benchmarks", () => {
  const [task] = makeTasks(checkStudy({ tasks: ["counting_stars_search_zh"], variant: "paper" }));
  equal(task?.options["variant"], undefined);
  equal(task?.options["language"], "zh");
});

Deno.test("makeTasks() takes texts for knobs that are texts, and words for the others", () => {
  const question = "雪是什么颜色？请按照“雪是____的。”的格式回答。";
  const [task] = makeTasks(checkStudy({ tasks: [{ task: "cdme", name: "snow", needle: "雪是白的。", question }] }));
  equal(task?.name, "snow");
  equal(task?.options["needles"], "雪是白的。");
  throws(() => makeTasks(checkStudy({ tasks: [{ task: "cdme_zh", needle: 7 }] })), {
    message: "Cannot make task cdme_zh as needle must be a text: current value is 7",
  });
});

Deno.test("makeTasks() changes a knob of one of RULER's tasks and keeps its others", () => {
  const [task] = makeTasks(checkStudy({ tasks: [{ task: "niah_multikey_3", values: 2 }] }));
  deepEqual([task?.options["keyType"], task?.options["values"]], ["uuids", 2]);
});

Deno.test.each(
  [
    [
      "vtt",
      /as each must be all, a benchmark \(ruler, .*\), a family \(niah, vt, cwe, fwe, qa, .*\), or a task that `fathom tasks` lists such as vt, vt_2_chains: current value is "vtt"$/,
    ],
    [
      "niah_single_9",
      /lists such as niah_single_1, niah_single_2, niah_single_3, niah_single_words: current value is "niah_single_9"$/,
    ],
    ["toString", /as each must be all, .*: current value is "toString"$/],
    [
      { task: "vt", keys: 3 },
      /^Cannot make task vt as each knob must be one of variant, chains, hops, examples, haystack, questions: current value is "keys"$/,
    ],
    [
      { task: "niah", keys: "three" },
      /^Cannot make task niah as keys must be a whole number from 1 to 1000: current value is "three"$/,
    ],
    [{ task: "niah", haystack: "hay" }, /as haystack must be one of essay, noise, needle: current value is "hay"$/],
    [{ task: "vt", variant: "1999" }, /as variant must be one of 2026, 2024, paper: current value is "1999"$/],
    [
      { task: "niah", keys: 0 },
      /^Cannot make task niah as keys must be a whole number from 1 to 1000: current value is 0$/,
    ],
    [
      { task: "qa_1", name: "squad" },
      /^Cannot make task qa_1 as only a family \(.*\) can be given a name: current value is "squad"$/,
    ],
  ] as [unknown, RegExp][],
)("makeTasks() refuses %j", (task, message) => {
  throws(() => makeTasks(checkStudy({ tasks: [task] })), { name: "RangeError", message });
});

const opened = await openStudy(checkStudy({ tasks: ["niah_single_1", "vt"] }));
const request = { length: 1024, seed: "42", index: 0, materials: opened.materials };

Deno.test("rememberSamples() gives the samples that the tasks give, and the same object again", () => {
  const { tasks } = rememberSamples(opened);
  tasks.forEach((task, at) => {
    deepEqual(task.sample(request), opened.tasks[at]!.sample(request));
    equal(task.sample(request), task.sample({ ...request }));
    notEqual(task.sample(request), task.sample({ ...request, index: 1 }));
  });
  notEqual(tasks[0]!.sample(request).id, tasks[1]!.sample(request).id);
});

Deno.test("rememberSamples() keeps templates and materials apart", async () => {
  const [task] = rememberSamples(opened).tasks;
  const template = { name: "short", before: "Hi. ", after: "", extraTokens: 0, answerPrefix: false };
  notEqual(task!.sample({ ...request, template }).id, task!.sample(request).id);
  const materials = await openMaterials({ tokenizer: "o200k_base" });
  notEqual(task!.sample({ ...request, materials }).id, task!.sample(request).id);
});

const materials = await openMaterials();
const task = NIAH.make({ name: "needle" });
const made = task.sample({ length: 512, seed: "s", index: 3, materials });
const record = {
  sample: made.id,
  sha256: made.sha256,
  suite: made.suite,
  task: "needle",
  length: 512,
  index: 3,
  seed: "s",
} as RunRecord;
const options = { tasks: [task], materials, template: PLAIN_TEMPLATE };

Deno.test("remakeSample() makes the text that was asked, its facts included", () => {
  const { sample, isSame, why } = remakeSample(record, options);
  deepEqual(sample, made);
  deepEqual([isSame, why], [true, "the text is the one that was asked"]);
});

Deno.test("remakeSample() says so where the text is another", () => {
  const { isSame, why } = remakeSample({ ...record, sha256: "0" }, options);
  equal(isSame, false);
  equal(why, "the recipe is the same and the text is not: its materials, or the code that makes it, have changed");
});

Deno.test("remakeSample() says so where the recipe is another", () => {
  const tasks = [NIAH.make({ name: "needle", keys: 2 })];
  const { isSame, why } = remakeSample(record, { ...options, tasks });
  equal(isSame, false);
  match(why, /^the recipe is ruler-2\/needle\/.*keys=2.* now and was ruler-2\/needle\/.*keys=1.* when it was asked$/);
});

Deno.test("remakeSample() says so where the suite is another", () => {
  const { why } = remakeSample({ ...record, sha256: "0", suite: "ruler-0" }, options);
  match(why, /^the suite is ruler-\d+ now and was ruler-0 when it was asked$/);
});

Deno.test("remakeSample() refuses a task that the run has not", () => {
  throws(() => remakeSample({ ...record, task: "vt" }, options), {
    name: "RangeError",
    message: 'Cannot make the sample again as its task must be one of needle: current value is "vt"',
  });
});
