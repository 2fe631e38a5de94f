import { deepEqual, equal, rejects } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { withFolder } from "./_fakes.ts";
import { checkStudy, makeTasks, readStudyFile } from "@/lib/runs/mod.ts";

async function readText(text: string): ReturnType<typeof readStudyFile> {
  const read: Awaited<ReturnType<typeof readStudyFile>>[] = [];
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/study.yaml`, text);
    const study = await readStudyFile(`${folder}/study.yaml`);
    read.push(JSON.parse(JSON.stringify(study).replaceAll(folder, "FOLDER")));
  });
  return read[0]!;
}

Deno.test("readStudyFile() reads what checkStudy() would take", async () => {
  const study = await readText("tasks: [vt, {task: niah, keys: 8}]\nlengths: [512, 1024]\nseed: 7\n");
  deepEqual(study, checkStudy({ tasks: ["vt", { task: "niah", keys: 8 }], lengths: [512, 1024], seed: 7 }));
});

Deno.test("readStudyFile() takes paths from the folder of the file, and names as they are", async () => {
  const own = await readText(
    "essays: texts\ntokenizer: ../model/tokenizer.json\nsquad: dev.json\nhotpotqa: /data/h.json\n",
  );
  equal(own.essays, "FOLDER/texts");
  equal(own.squad, "FOLDER/dev.json");
  equal(own.hotpotqa, "/data/h.json");
  equal(own.tokenizer.endsWith("/model/tokenizer.json"), true);
  const named = await readText("essays: essays_zh\ntokenizer: o200k_base\n");
  deepEqual([named.essays, named.tokenizer], ["essays_zh", "o200k_base"]);
});

Deno.test.each(["ruler", "ruler-quick"])(
  "data/studies/%s.yaml asks RULER's thirteen tasks at its six lengths",
  async (name) => {
    const study = await readStudyFile(fileURLToPath(new URL(`../../data/studies/${name}.yaml`, import.meta.url)));
    equal(makeTasks(study).length, 13);
    deepEqual(study.lengths, [4096, 8192, 16384, 32768, 65536, 131072]);
  },
);

Deno.test.each(
  [
    ["a: [1", "SyntaxError", /study\.yaml" as line 1 must be YAML: /],
    ["title: x\ntitle: y", "SyntaxError", /study\.yaml" as line 2 must be YAML: Map keys must be unique/],
    [
      "samples: many",
      "TypeError",
      /study\.yaml" as samples must be a whole number of at least 1: current value is "many"$/,
    ],
    ["sample: 3", "TypeError", /study\.yaml" as each key must be one of .*: current value is "sample"$/],
    ["", "TypeError", /study\.yaml" as it must be keys with values$/],
    ["- vt", "TypeError", /study\.yaml" as it must be keys with values$/],
  ] as [string, string, RegExp][],
)("readStudyFile() refuses a file with %j in one line", async (text, name, message) => {
  await rejects(readText(text), { name, message });
  await rejects(readText(text), /^[^\n]*$/);
});

Deno.test("readStudyFile() says that there is no such file", async () => {
  await rejects(readStudyFile("no/such.yaml"), {
    name: "RangeError",
    message:
      'Cannot read the study as it must be a YAML file: current value is "no/such.yaml" (there is nothing of that name)',
  });
});

Deno.test("data/studies/needle-threading.yaml turns every knob of Needle Threading's tasks", async () => {
  const study = await readStudyFile(
    fileURLToPath(new URL("../../data/studies/needle-threading.yaml", import.meta.url)),
  );
  const tasks = makeTasks(study);
  const byKind = Map.groupBy(tasks, ({ options }) => options["kind"]);
  deepEqual([...byKind].map(([kind, ofKind]) => [kind, ofKind.length]), [
    ["single_needle", 1],
    ["multi_needle", 12],
    ["conditional_needle", 12],
    ["single_thread", 18],
    ["multi_thread", 6],
    ["branched_thread", 3],
  ]);
  equal(new Set(tasks.map(({ name }) => name)).size, tasks.length);
});

Deno.test("readStudyFile() changes what the file says, with paths as they are given", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/study.yaml`;
    await Deno.writeTextFile(path, "tasks: [cdme_zh]\nset: { depths: 5 }\nlengths: [1000]\nessays: texts\n");
    const changed = await readStudyFile(path, { lengths: [512], samples: undefined!, set: { depths: 7 } });
    deepEqual([changed.lengths, changed.samples, changed.essays], [[512], 25, `${folder}/texts`]);
    deepEqual(changed.tasks, [{ task: "cdme_zh", knobs: { depths: 7 } }]);
    equal((await readStudyFile(path, { essays: "mine" })).essays, "mine");
    await rejects(
      readStudyFile(path, { set: { keys: 8 } }),
      /study\.yaml" as changed as set must name knobs of its tasks/,
    );
  });
});
