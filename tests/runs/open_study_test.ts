import { deepEqual, equal, match, notEqual, throws } from "node:assert/strict";
import { NIAH } from "@/lib/benchmarks/ruler/mod.ts";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import type { RunRecord } from "@/lib/models/mod.ts";
import { checkStudy, openMaterials, openStudy, rememberSamples } from "@/lib/runs/mod.ts";
import { remakeSample } from "@/lib/runs/open_study.ts";

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

Deno.test("rememberSamples() makes again what does not fit, and gives the same", () => {
  const [task] = rememberSamples(opened, { mostCharacters: 10 }).tasks;
  notEqual(task!.sample(request), task!.sample(request));
  deepEqual(task!.sample(request), task!.sample(request));
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
