import { deepEqual, equal, notEqual } from "node:assert/strict";
import { checkStudy, openMaterials, openStudy, rememberSamples } from "@/lib/runs/mod.ts";

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
