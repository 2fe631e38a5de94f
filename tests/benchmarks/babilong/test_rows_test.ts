import { deepEqual, equal } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { BABILONG, BABILONG_TASKS } from "@/lib/benchmarks/babilong/babilong.ts";
import { userText } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const files = BABILONG.testFiles!;

function readRow(row: Readonly<Record<string, unknown>>): ReturnType<typeof files.read> {
  return files.read(row, (wanted) => new Error(wanted));
}

Deno.test("a sample written as the authors' row is read as the same prompt and answer", () => {
  for (const name of BABILONG_TASKS.tasks) {
    const task = BABILONG_TASKS.task(name);
    for (const length of [2000, 8000]) {
      const sample = task.sample({ length, seed: "1", index: 5, materials });
      const row = files.write(sample, task);
      deepEqual(Object.keys(row), ["input", "question", "target"]);
      const { input, references, task: read } = readRow(row)!;
      equal(input, userText(sample.prompt));
      deepEqual([references, read], [sample.references, name]);
    }
  }
});

Deno.test("rows of the authors have a space after the question, which the prompt has not", () => {
  const row = { input: "John went to the garden.\n", question: "Where is John? ", target: "garden" };
  const { input, references, task } = readRow(row)!;
  equal(input!.endsWith("<context>\nJohn went to the garden.\n</context>\n\nQuestion: Where is John?"), true);
  deepEqual([references, task], [["garden", "Where is John?"], "babilong_qa1"]);
});

Deno.test("rows of other tasks and other forms are not read", () => {
  deepEqual(readRow({ input: "x", question: "Is John in the garden? ", target: "no" }), null);
  deepEqual(readRow({ input: "x", question: "How many objects is Mary carrying? ", target: "two" }), null);
  deepEqual(readRow({ input: "x", outputs: ["garden"] }), null);
});

Deno.test("files are named after their task, as folders of the authors' data are", () => {
  const names = ["qa1", "qa3_16k", "QA5-0k", "babilong_qa2", "babilong-qa4-1M", "qa_1", "qa6", "qa10", "16k"];
  deepEqual(names.map((name) => files.taskOf(name)), [
    ..."qa1 qa3 qa5 qa2 qa4".split(" ").map((kind) => `babilong_${kind}`),
    ...Array(4).fill(undefined),
  ]);
});
