import { deepEqual, equal, match, notEqual, throws } from "node:assert/strict";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import type { RunRecord } from "@/lib/records/mod.ts";
import { checkStudy, makeTasks, openMaterials, openStudy, rememberSamples } from "@/lib/studies/mod.ts";
import { remakeSample } from "@/lib/studies/open_study.ts";

Deno.test("makeTasks() makes RULER's thirteen tasks for all, in its order", () => {
  deepEqual(makeTasks(checkStudy({})).map(({ name }) => name), [...RULER_TASK_NAMES]);
});

Deno.test("makeTasks() makes a task once that is named twice, and keeps two tasks of one name apart", () => {
  equal(makeTasks(checkStudy({ tasks: ["all", "vt"] })).length, 13);
  equal(makeTasks(checkStudy({ tasks: ["vt", { task: "vt", hops: 2 }] })).length, 2);
});

Deno.test.each(
  [
    [
      "vtt",
      /as each must be all, a benchmark \(ruler, .*\), a family \(niah, .*\), or a task .* vt, vt_2_chains: .*"vtt"$/,
    ],
    ["niah_single_9", /lists such as niah_single_1, .*, niah_single_words: current value is "niah_single_9"$/],
    [{ task: "vt", keys: 3 }, /^Cannot make task vt as each knob must be one of variant, chains, .*: .* is "keys"$/],
    [{ task: "niah", keys: "three" }, /^Cannot make task niah as keys must be a whole number .*: .* is "three"$/],
    [{ task: "niah", keys: 0 }, /^Cannot make task niah as keys must be a whole number from 1 to 1000: .* is 0$/],
    [{ task: "qa_1", name: "squad" }, /^Cannot make task qa_1 as only a family \(.*\) can be given a name: .*"squad"$/],
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

const materials = await openMaterials();
const task = NIAH.make({ name: "needle" });
const made = task.sample({ length: 512, seed: "s", index: 3, materials });
const { id, sha256, suite } = made;
const record = { sample: id, sha256, suite, task: "needle", length: 512, index: 3, seed: "s" } as RunRecord;
const options = { tasks: [task], materials, template: PLAIN_TEMPLATE };

Deno.test("remakeSample() makes the text that was asked, its facts included, or explains why it is another", () => {
  const { sample, isSame, why } = remakeSample(record, options);
  deepEqual(sample, made);
  deepEqual([isSame, why], [true, "the text is the one that was asked"]);
  const otherText = remakeSample({ ...record, sha256: "0" }, options);
  equal(otherText.isSame, false);
  match(otherText.why, /^the recipe is the same and the text is not: its materials, or the code .*, have changed$/);
  const otherRecipe = remakeSample(record, { ...options, tasks: [NIAH.make({ name: "needle", keys: 2 })] });
  equal(otherRecipe.isSame, false);
  match(otherRecipe.why, /^the recipe is ruler-2\/needle\/.*keys=2.* now and was ruler-2\/needle\/.*keys=1.* when/);
});

Deno.test("remakeSample() refuses a task that the run has not", () => {
  throws(() => remakeSample({ ...record, task: "vt" }, options), {
    name: "RangeError",
    message: 'Cannot make the sample again as its task must be one of needle: current value is "vt"',
  });
});
