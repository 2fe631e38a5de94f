import { deepEqual, equal, throws } from "node:assert/strict";
import { parquetWriteBuffer } from "hyparquet-writer";
import { withFolder } from "../../_folder.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { GRAPH_WALKS, GRAPHWALKS } from "@/lib/benchmarks/graphwalks/graphwalks.ts";
import { type Sample, userText } from "@/lib/generators/mod.ts";
import { studyOfSamples } from "@/lib/studies/mod.ts";
import { openStudy } from "@/lib/studies/open_study.ts";

const materials = await openTestMaterials("cl100k_base");
const files = GRAPHWALKS.testFiles!;
const refuse = (wanted: string, value: unknown): Error => new SyntaxError(`${wanted}: ${value}`);

function rowOf(
  name: (typeof GRAPH_WALKS.tasks)[number],
  { length, index }: { readonly length: number; readonly index: number },
): { readonly sample: Sample; readonly row: Readonly<Record<string, unknown>> } {
  const task = GRAPH_WALKS.task(name);
  const sample = task.sample({ length, seed: "rows", index, materials });
  return { sample, row: { ...files.write(sample, task), "date_added": "02-27-2026" } };
}

Deno.test("a sample is written as a row of the data set, and read back", () => {
  for (const name of GRAPH_WALKS.tasks) {
    const { sample, row } = rowOf(name, { length: 2048, index: 1 });
    deepEqual(Object.keys(row), ["prompt", "answer_nodes", "prompt_chars", "problem_type", "date_added"]);
    deepEqual(files.read(row, refuse), {
      task: name,
      input: userText(sample.prompt),
      references: sample.references,
    });
  }
});

Deno.test("files of the data set are asked as they are, by operation and power of two", async () => {
  const made = [
    rowOf("graphwalks_parents", { length: 2048, index: 0 }),
    rowOf("graphwalks_parents", { length: 3000, index: 1 }),
    rowOf("graphwalks_bfs", { length: 8000, index: 2 }),
  ];
  const rows = made.map(({ row }) => row);
  const columnData = Object.keys(rows[0]!).map((name) => ({ name, data: rows.map((row) => row[name]) }));
  const parquet = new Uint8Array(parquetWriteBuffer({ columnData }));
  await withFolder({ "graphwalks_128k_and_shorter.parquet": parquet }, async (folder) => {
    const study = await studyOfSamples(folder);
    deepEqual([study.tasks.map(({ task }) => task), study.lengths], [["graphwalks_parents", "graphwalks_bfs"], [
      2048,
      4096,
      8192,
    ]]);
    const { tasks } = await openStudy(study);
    for (const [at, length] of [2048, 4096, 8192].entries()) {
      const task = tasks[at === 2 ? 1 : 0]!;
      const { prompt, references } = task.sample({ length, index: 0, seed: "", materials });
      deepEqual([prompt.messages, references], [
        made[at]!.sample.prompt.messages,
        made[at]!.sample.references,
      ]);
      equal(task.scorer.name, "graphwalks nemo");
    }
  });
});

Deno.test("a node listed as its own parent, as in 24 rows of 2025, is left out", () => {
  const { sample, row } = rowOf("graphwalks_parents", { length: 2048, index: 1 });
  const [, root] = /\nFind the parents of node (\w{10})\./.exec(userText(sample.prompt))!;
  deepEqual(
    files.read({ ...row, "answer_nodes": [root, ...sample.references] }, refuse)?.references,
    sample.references,
  );
});

Deno.test("other rows are none of the data set, and rows with other values are refused", () => {
  const { row } = rowOf("graphwalks_bfs", { length: 2048, index: 0 });
  for (const name of ["prompt", "answer_nodes", "problem_type"]) {
    equal(files.read({ ...row, [name]: undefined }, refuse), null);
  }
  throws(() => files.read({ ...row, "problem_type": "dfs" }, refuse), /problem_type must be bfs or parents: dfs/);
  throws(() => files.read({ ...row, "answer_nodes": "a" }, refuse), /answer_nodes must be a list of nodes: a/);
  throws(() => files.read({ ...row, "problem_type": "parents" }, refuse), /then the operation of parents/);
  const cut = String(row["prompt"]).slice(0, -600);
  throws(
    () => files.read({ ...row, prompt: cut }, refuse),
    /prompt must be whole, with edges and then the operation of bfs/,
  );
});

Deno.test("a depth is read in the words of NVIDIA and Anthropic too", () => {
  const { row } = rowOf("graphwalks_bfs", { length: 2048, index: 0 });
  const prompt = String(row["prompt"]).replace(
    /(from node \w{10}) with depth 2\./,
    "$1 and return only the nodes at exactly depth 2 (not nodes at intermediate depths).",
  );
  equal(files.read({ ...row, prompt }, refuse)?.input, prompt);
});
