import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { withFolder } from "../asking/_fakes.ts";
import { BENCHMARKS, openBenchmark } from "@/lib/benchmarks/mod.ts";
import { checkStudy, makeTasks, readStudyFile } from "@/lib/studies/mod.ts";

Deno.test("checkStudy() fills in what is not given", () => {
  deepEqual(checkStudy({}), {
    title: "untitled",
    tasks: [{ task: "all" }],
    lengths: [4096],
    samples: 25,
    first: 0,
    seed: "42",
    variant: "2026",
    essays: "essays_en",
  });
});

Deno.test.each(
  [
    [{ lenghts: [1] }, /as each key must be one of title, tasks, lengths, .*: current value is "lenghts"$/],
    [{ lengths: ["4K"] }, /as lengths must be a list .*, or a range of at most 100000 such as .*: .* is \["4K"\]$/],
    [{ lengths: 4096 }, /as lengths must be a list .*: current value is 4096$/],
    [{ lengths: { from: 10, to: 12, count: 9 } }, /as lengths must be a list .*: current value is \{"from":10,/],
    [{ lengths: { from: 10, to: 12, count: 2, step: 1 } }, /as lengths must be a list/],
    [{ tasks: [{ task: "vt", grid: { hops: [] } }] }, /as tasks must be all, or a list/],
    [{ tasks: ["vt"], set: { points: 3 } }, /as set must name knobs of its tasks \(.*hops.*\): .* is "points"$/],
    [{ set: { keys: null } }, /as set.keys must be a text, a number or a list of them: current value is null$/],
    [{ tasks: "none" }, /as tasks must be all, or a list .*: current value is "none"$/],
    [{ tasks: [{ keys: 8 }] }, /as tasks must be all, or a list .*: current value is \[\{"keys":8\}\]$/],
    [{ samples: 0 }, /as samples must be a whole number from 1 to 1000000: current value is 0$/],
    [{ lengths: { from: 1, to: 1e9, count: 1e9 } }, /as lengths must be .* a range of at most 100000 /],
    [{ first: 0.5 }, /as first must be a whole number from 0 to 1000000: current value is 0.5$/],
    [{ repeats: 0 }, /as repeats must be a whole number from 1 to 1000: current value is 0$/],
    [{ lengths: [3e6] }, /as lengths must be a list of whole numbers of tokens up to 2000000, .*3000000\]$/],
    [{ samplesAt: {} }, /as samplesAt must be at least one length: current value is \{\}$/],
    [{ samplesAt: { 4096: 0 } }, /as samplesAt.4096 must be a whole number from 1 to 1000000: current value is 0$/],
    [{ samplesAt: { long: 5 } }, /as samplesAt.long must be a length in tokens, such as .*: current value is "long"$/],
    [{ samplesAt: 5 }, /as samplesAt must be lengths with a number of samples, such as .*: current value is 5$/],
    [{ seed: null }, /as seed must be text or a whole number: current value is null$/],
    [{ variant: 2025 }, /as variant must be one of 2026, 2024, paper: current value is "2025"$/],
    [{ tokenizer: "" }, /as tokenizer must be the name of an encoding or the path of a tokenizer.json: .* is ""$/],
    [null, /as it must be keys with values: current value is .*$/],
  ] as [unknown, RegExp][],
)("checkStudy() refuses %j and names what was wanted", (value, message) => {
  const refusal = new RegExp(`^Cannot read the study in a\\.yaml ${message.source}`, "s");
  throws(() => checkStudy(value, { where: "a.yaml" }), { name: "TypeError", message: refusal });
});

const TEN = Array.from({ length: 10 }, (_, at) => at + 1);

Deno.test.each(
  [
    [
      "a grid",
      { tasks: [{ task: "niah", grid: { keys: TEN, values: TEN, queries: TEN, depths: TEN, a: TEN, b: TEN } }] },
      "1000000, 1000000 tasks at 1 length (the largest grid is 10 × 10 × 10 × 10 × 10 × 10)",
    ],
    [
      "a grid by its lengths",
      {
        tasks: ["vt", { task: "niah", grid: { keys: TEN, values: TEN } }],
        lengths: { from: 1, to: 1000, count: 1000 },
      },
      "101000, 101 tasks at 1000 lengths (the largest grid is 10 × 10)",
    ],
    [
      "lists of set, which are grids",
      { tasks: ["niah"], set: { keys: TEN, values: TEN, queries: TEN }, lengths: { from: 1, to: 101, count: 101 } },
      "101000, 1000 tasks at 101 lengths (the largest grid is 10 × 10 × 10)",
    ],
  ] as [string, unknown, string][],
)("checkStudy() refuses %s with more cells than memory holds, before it is laid out", (_what, value, found) => {
  throws(() => checkStudy(value, { where: "a.yaml" }), {
    name: "RangeError",
    message:
      `Cannot read the study in a.yaml as its tasks times its lengths must be at most 100000: current value is ${found}`,
  });
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
  const suite = checkStudy({
    tasks: [{ task: "graphwalks", grid: { depth: [1] } }, { task: "longproc", grid: { output: [512] } }],
  });
  deepEqual(suite.tasks.map(({ name }) => name), [
    "graphwalks depth=1",
    "path_traversal output=512",
    "tom_tracking output=512",
  ]);
});

Deno.test("checkStudy() sets a knob of every task that has it, whatever the task has, and a grid's values", () => {
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

Deno.test("readStudyFile() and checkStudy() know the knobs of the user's own benchmark, whose tasks `all` are then", async () => {
  const example = new URL("../../docs/examples/word_at_depth.ts", import.meta.url);
  const benchmarks = [await openBenchmark(fileURLToPath(example)), ...BENCHMARKS];
  const { tasks } = checkStudy({ tasks: "all", set: { doors: 3 } }, { benchmarks });
  // With the same doors both are the same task.
  deepEqual(tasks, [{ task: "one_door", knobs: { doors: 3 } }]);
  await withFolder(async (folder) => {
    const path = `${folder}/study.yaml`;
    await Deno.writeTextFile(path, "tasks: [six_doors]\nset: { doors: [2, 4] }\n");
    const read = await readStudyFile(path, {}, { benchmarks });
    deepEqual(read.tasks.map(({ name }) => name), ["six_doors doors=2", "six_doors doors=4"]);
    const changed = await readStudyFile(path, { set: { doors: 5 } }, { benchmarks });
    deepEqual(changed.tasks, [{ task: "six_doors", knobs: { doors: 5 } }]);
    await rejects(readStudyFile(path), /as set must name knobs of its tasks \(\): current value is "doors"$/);
  });
});

async function readText(text: string): ReturnType<typeof readStudyFile> {
  const read: Awaited<ReturnType<typeof readStudyFile>>[] = [];
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/study.yaml`, text);
    const study = await readStudyFile(`${folder}/study.yaml`);
    read.push(JSON.parse(JSON.stringify(study).replaceAll(folder, "FOLDER")));
  });
  return read[0]!;
}

Deno.test("readStudyFile() takes paths from the folder of the file, and names as they are", async () => {
  const own = await readText(
    "essays: texts\ntokenizer: ../model/tokenizer.json\nsquad: dev.json\nhotpotqa: /data/h.json\n",
  );
  equal(own.essays, "FOLDER/texts");
  equal(own.squad, "FOLDER/dev.json");
  equal(own.hotpotqa, "/data/h.json");
  equal(own.tokenizer?.endsWith("/model/tokenizer.json"), true);
  const named = await readText("essays: essays_zh\ntokenizer: o200k_base\n");
  deepEqual([named.essays, named.tokenizer], ["essays_zh", "o200k_base"]);
});

Deno.test.each(
  [
    ["a: [1", "SyntaxError", /study\.yaml" as line 1 must be YAML: /],
    ["title: x\ntitle: y", "SyntaxError", /study\.yaml" as line 2 must be YAML: Map keys must be unique/],
    ["samples: many", "TypeError", /study\.yaml" as samples must be a whole number from 1 to 1000000: .* is "many"$/],
    ["", "TypeError", /study\.yaml" as it must be keys with values: current value is .*$/],
  ] as [string, string, RegExp][],
)("readStudyFile() refuses a file with %j in one line", async (text, name, message) => {
  await rejects(readText(text), { name, message });
  await rejects(readText(text), /^[^\n]*$/);
});

Deno.test("readStudyFile() refuses a missing file", async () => {
  await rejects(readStudyFile("no/such.yaml"), {
    name: "RangeError",
    message:
      'Cannot read the study as it must be a YAML file: current value is "no/such.yaml" (there is nothing of that name)',
  });
});

Deno.test("readStudyFile() overrides the keys of the file, with paths as they are given", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/study.yaml`;
    await Deno.writeTextFile(path, "tasks: [cdme_zh]\nset: { depths: 5 }\nlengths: [1000]\nessays: texts\n");
    const changed = await readStudyFile(path, { lengths: [512], samples: undefined!, set: { depths: 7 } });
    deepEqual([changed.lengths, changed.samples, changed.essays], [[512], 25, `${folder}/texts`]);
    deepEqual(changed.tasks, [{ task: "cdme_zh", knobs: { depths: 7 } }]);
    equal((await readStudyFile(path, { essays: "mine" })).essays, "mine");
    await rejects(
      readStudyFile(path, { set: { points: 8 } }),
      /study\.yaml" as changed as set must name knobs of its tasks/,
    );
    await rejects(
      readStudyFile(path, { set: { keys: 8 } }),
      /^RangeError: Cannot set keys as the task must be of niah: current value is cdme_zh$/,
    );
    const other = await readStudyFile(path, { tasks: ["cdme_en"], set: { depths: 9 } });
    deepEqual(other.tasks, [{ task: "cdme_en", knobs: { depths: 9 } }]);
  });
});

const OWN = { question: "谁？请按照“是____。”的格式回答。", answer: "是Jack。", keyword: "Jack" };

Deno.test("checkStudy() takes needles as a list, of a task or of all, and leaves the checked study as it is", () => {
  const needles = ["窗外的雪是蓝的。", "蓝的是Jack|Tom。"];
  const own = checkStudy({ tasks: [{ task: "cdme_zh", needles, ...OWN }] });
  deepEqual(own.tasks, [{ task: "cdme_zh", knobs: { needles: "窗外的雪是蓝的。|蓝的是Jack\\|Tom。", ...OWN } }]);
  deepEqual(checkStudy(own), own);
  deepEqual(checkStudy({ tasks: ["cdme_zh"], set: { needles, ...OWN } }).tasks, own.tasks);
  const [task] = makeTasks(own);
  equal(task!.options["needles"], own.tasks[0]!.knobs!["needles"]);
});

Deno.test("checkStudy() refuses a list for a knob that takes one value, and an empty needle", () => {
  const listed = { task: "vt", hops: [2, 4] };
  throws(() => checkStudy({ tasks: [listed] }), /in the options as a list of values of hops must be under grid or set/);
  const blank = { task: "cdme_zh", needles: ["a", " "] };
  throws(() => checkStudy({ tasks: [blank] }), /as needles must be a list of texts, or .*: .* is \["a"," "\]$/);
});

Deno.test("checkStudy() takes OpenCompass's name of the tokenizer, and a model's name is no path", async () => {
  equal(checkStudy({ tokenizer_model: "gpt-4" }).tokenizer, "gpt-4");
  const path = await Deno.makeTempFile({ suffix: ".yaml" });
  await Deno.writeTextFile(path, "tasks: [cdme_zh]\ntokenizer_model: gpt-4\n");
  const [read, changed] = [await readStudyFile(path), await readStudyFile(path, { tokenizer: "o200k_base" })];
  await Deno.remove(path);
  deepEqual([read.tokenizer, changed.tokenizer], ["gpt-4", "o200k_base"]);
});

Deno.test("checkStudy() reads fewer samples at some lengths, in tokens or in K", () => {
  deepEqual(checkStudy({ samples: 25, samplesAt: { "128K": 5, 4096: 10 } }).samplesAt, { 131072: 5, 4096: 10 });
});

Deno.test("checkStudy() takes RULER's and OpenCompass's names of knobs, in a task, in a grid and in set", () => {
  const { tasks } = checkStudy({
    tasks: [
      { task: "niah", name: "k", num_needle_k: 8, type_haystack: "repeat" },
      { task: "vt", grid: { num_hops: [2, 4] } },
      { task: "niah_single_1", type_haystack: "essay" },
    ],
    set: { num_needle_q: 2, add_fewshot: false },
  });
  const made = makeTasks({ tasks, variant: "2026" }).map(({ options }) => options);
  deepEqual(
    made.map(({ keys, queries, haystack, hops, examples }) => [keys ?? null, queries, haystack, hops, examples]),
    [
      [8, 2, "noise", undefined, undefined],
      [null, undefined, undefined, 2, 0],
      [null, undefined, undefined, 4, 0],
      [2, 2, "essay", undefined, undefined],
    ],
  );
});

Deno.test("checkStudy() counts samples by rounds of the depths, and refuses tasks with different numbers of them", () => {
  const rounds = (depths: number[]): unknown => ({
    tasks: depths.map((count, at) => ({ task: "cdme", name: `${at}`, depths: count })),
    num_repeats_per_file: 10,
  });
  equal(checkStudy(rounds([20])).samples, 200);
  equal(checkStudy({ tasks: [{ task: "cdme", depth: 0.5 }], num_repeats_per_file: 10 }).samples, 10);
  equal(checkStudy({ ...rounds([20]) as object, samples: 3 }).samples, 3);
  throws(() => checkStudy(rounds([20, 35])), /tasks that have the same number of depths: current value is \[200,350\]/);
});

Deno.test("checkStudy() refuses a task whose name no file can have, by its bytes, and grids that make one", () => {
  const named = (name: string, more: object = {}): unknown => checkStudy({ tasks: [{ task: "niah", name, ...more }] });
  named(`niah_${"a".repeat(175)}`);
  for (const name of [`niah_${"a".repeat(176)}`, `niah_${"長".repeat(60)}`]) {
    throws(() => named(name), /the name of a task must have at most 180 bytes, as it is part of file names: current/);
  }
  throws(() => named(`niah_${"a".repeat(170)}`, { grid: { keys: [2, 4] } }), /at most 180 bytes/);
});
