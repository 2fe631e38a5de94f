import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { inFolder, withFolder } from "../_folder.ts";
import { opencompassResult } from "../papers/cdme/_opencompass_result.ts";
import { importRun, replyRows } from "@/lib/exchange/mod.ts";
import { checkStudy, openStudy } from "@/lib/studies/mod.ts";
import { runLeaderboard } from "@/lib/papers/suites/run_leaderboard.ts";
import { closeUp, compareRuns, runReport } from "@/lib/reports/mod.ts";
import { readScoredRun, verifyRun } from "@/lib/records/mod.ts";
import { userText } from "@/lib/generators/mod.ts";

const IMPORTED = new URL("../data/imported", import.meta.url).pathname;

const PREDICTIONS = [
  { index: 0, pred: " 17 and 18", input: "Some magic numbers …", outputs: ["17", "18"], others: {}, length: 900 },
  { index: 2, pred: "17", input: "Other magic numbers …", outputs: ["17", "19"], others: {}, length: 900 },
  { index: 1, pred: "", input: "", outputs: ["4"], others: { id: 1 }, length: -1 },
];

function lines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

const RULER = {
  "m/synthetic/4096/pred/niah_multivalue.jsonl": lines(PREDICTIONS),
  "m/synthetic/4096/pred/qa_1-0.jsonl": lines(PREDICTIONS.slice(0, 1)),
  "m/synthetic/4096/pred/qa_1-1.jsonl": lines(PREDICTIONS.slice(1, 2)),
  "m/synthetic/4096/pred/mystery.jsonl": lines(PREDICTIONS),
  "m/synthetic/4096/data/vt/validation.jsonl": lines([{ input: "x", outputs: ["y"] }]),
};

Deno.test("importRun() makes a run of RULER's predictions, the prompts beside it", async () => {
  await withFolder(RULER, async (folder) => {
    const made = await importRun(`${folder}/m/synthetic`, { folder: `${folder}/runs`, name: "mine" });
    equal(made.records, 5);
    match(made.notes[0]!, /^mystery\.jsonl: skipped, as no task with a scorer is called mystery$/);
    const run = await readScoredRun("mine", { folder: `${folder}/runs` });
    deepEqual([run.manifest.model, run.manifest.origin, run.manifest.study.lengths], ["m", "unknown", [4096]]);
    deepEqual(run.manifest.imported?.files.map(({ name, bytes }) => [name, bytes > 0]), [
      ["niah_multivalue.jsonl", true],
      ["qa_1-0.jsonl", true],
      ["qa_1-1.jsonl", true],
    ]);
    ok(run.manifest.imported?.unknown.includes("some prompts"));
    // string_match_all gives (1 + 0 + 1/2) / 3, string_match_part 1.
    const { rows } = runReport(run);
    deepEqual(rows.slice(0, 2).map(({ task, score, n }) => [task, score, n]), [["niah_multivalue", 50, 3], [
      "qa_1",
      100,
      2,
    ]]);
    const { isSame, sample } = await closeUp(run, run.replies.find(({ record }) => record.index === 2)!);
    deepEqual([isSame, userText(sample.prompt)], [true, "Other magic numbers …"]);
    const unknown = await closeUp(run, run.replies.find(({ record }) => record.index === 1)!);
    deepEqual([unknown.isSame, unknown.reply.value], [false, 0]);
    deepEqual((await replyRows(run)).map(({ score }) => score), [1, 0, 0.5, 1, 1]);
    // Its prompts are in its folder.
    await Deno.rename(`${folder}/runs/mine`, `${folder}/runs/moved`);
    const moved = await readScoredRun("moved", { folder: `${folder}/runs` });
    equal((await closeUp(moved, moved.replies[0]!)).isSame, true);
  });
});

Deno.test("importRun() holds runs of the same prompts against each other, and never unknown prompts", async () => {
  await withFolder(RULER, async (folder) => {
    for (const name of ["one", "two"]) await importRun(`${folder}/m/synthetic`, { folder, name, model: name });
    const runs = await Promise.all(["one", "two"].map((name) => readScoredRun(name, { folder })));
    const { others } = await compareRuns(runs, { by: ["all"] });
    equal(others[0]?.shared.samples.length, 4);
    equal(others[0]?.shared.changed, 1);
  });
});

Deno.test("importRun() makes a run of OpenCompass's predictions with its scores", async () => {
  const held = {
    "0": {
      origin_prompt: [{ role: "HUMAN", prompt: "小明最喜欢的实习的地点…" }],
      prediction: "上海人工智能实验室",
      gold: "上海人工智能实验室",
    },
    "1": { origin_prompt: "…", prediction: "在上海的实验室", gold: "上海人工智能实验室" },
  };
  const several = { "0": { origin_prompt: "…", prediction: "是Jack", gold: "叫Jack*Jack" } };
  await withFolder({
    "predictions/internlm/CDME_Length1000Depth0.json": JSON.stringify(held),
    "predictions/internlm/CDME_Length1000Depth50.json": JSON.stringify(held),
    "predictions/internlm/Length2000Depth21_3needle_zh_8k.json": JSON.stringify(several),
    "results/internlm/CDME_Length1000Depth0.json": "{}",
  }, async (folder) => {
    const made = await importRun(folder, { folder: `${folder}/runs` });
    equal(made.name, "internlm");
    const { replies } = await readScoredRun("internlm", { folder: `${folder}/runs` });
    deepEqual(replies.map(({ task, length, record }) => [task, length, record.depth, record.index]), [
      ["cdme_zh", 1000, 0, 0],
      ["cdme_zh", 1000, 0, 1],
      ["cdme_zh", 1000, 0.5, 2],
      ["cdme_zh", 1000, 0.5, 3],
      ["cdme_multi_zh", 2000, 0.21, 0],
    ]);
    const result = opencompassResult(
      Object.values(held).map(({ prediction, gold }) => ({ prediction, references: [gold] })),
    );
    deepEqual(replies.slice(0, 2).map(({ value }) => 100 * value!), result.details.map(({ score }) => score));
    equal(replies.at(-1)?.value, 1);
  });
});

Deno.test("importRun() has the scores of real samples of lm-evaluation-harness", async () => {
  await inFolder(async (folder) => {
    const made = await importRun(`${IMPORTED}/lm-eval`, { folder });
    equal(made.notes.at(-1), "all 12 scores agree with lm-evaluation-harness 0.4.13");
    const run = await readScoredRun(made.name, { folder });
    deepEqual([run.manifest.model, run.manifest.origin], ["sim:longalpaca", "simulated"]);
    const err = JSON.parse(await Deno.readTextFile(`${IMPORTED}/lm-eval/results_2026-11-22T12-13-17.533530.json`));
    for (const { task, score } of runReport(run).rows.filter(({ task }) => !task.startsWith("mean"))) {
      const name = task === "niah_single_1" ? task : `ruler_${task}`;
      ok(Math.abs(score! - 100 * err.results[name]["1024,none"]) < 1e-9, task);
    }
    deepEqual((await verifyRun(made.name, { folder })).faults, []);
    const path = `${made.path}/records.jsonl`;
    await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace('"text":"', '"text":"x'));
    match((await verifyRun(made.name, { folder })).faults.join(), /changed since the run ended/);
  });
});

Deno.test("importRun() keeps lm-evaluation-harness's own score of questions, and reads what Python writes for no number", async () => {
  const doc = {
    index: 0,
    input: "Who?",
    outputs: ["Ada", "Ada Lovelace"],
    "max_length": 4096,
    "gen_prefix": "Answer:",
  };
  const sample = JSON.stringify({ doc, filtered_resps: ["Ada; not NaN"], filter: "none", "4096": 0.5 });
  const path = "m/samples_ruler_qa_squad_2026-01-01T00-00-00.5.jsonl";
  const other = JSON.stringify({ doc, filtered_resps: ["Ada Lovelace"], filter: "strict", "4096": 1 });
  await withFolder({ [path]: `${sample.replace(/\}$/, ', "8192": NaN}')}\n${other}\n` }, async (folder) => {
    const made = await importRun(`${folder}/m`, { folder: `${folder}/runs` });
    equal(made.notes.at(-1), "its score agrees with lm-evaluation-harness");
    const { replies, manifest } = await readScoredRun("m", { folder: `${folder}/runs` });
    deepEqual(replies.map(({ task, value }) => [task, value]), [["qa_1", 0.5]]);
    equal(manifest.tasks["qa_1"]?.scoring, "all");
    match(JSON.stringify(replies[0]?.record.reply), /Ada; not NaN/);
  });
});

Deno.test("importRun() has the scores of real logs of Inspect, .json and .eval alike", async () => {
  await inFolder(async (folder) => {
    for (const ending of ["json", "eval"]) {
      const made = await importRun(`${IMPORTED}/inspect/samples.${ending}`, { folder, name: ending });
      deepEqual(made.notes, ["all 6 scores agree with Inspect 0.3.285"]);
    }
    const runs = await Promise.all(["json", "eval"].map((name) => readScoredRun(name, { folder })));
    const { others } = await compareRuns(runs, { by: ["all"] });
    deepEqual([others[0]?.shared.samples.length, others[0]?.rows[0]?.difference], [6, 0]);
    // The texts are those of Fathom's own samples, so a run of these can be held against them.
    const { tasks, materials } = await openStudy(checkStudy({ tasks: ["vt"], lengths: [1024] }));
    const asked = runs[0]!.records.filter(({ task }) => task === "vt").map(({ sha256 }) => sha256);
    deepEqual(asked, [0, 1].map((index) => tasks[0]!.sample({ length: 1024, seed: "42", index, materials }).sha256));
  });
});

const DOC = { task: "vt", index: 0, input: "Which?", outputs: ["AB"], "max_length": 512 };
const harness = (doc: object, filtered = ["AB"]): string => lines([{ doc, filtered_resps: filtered }]);
const results = (model: string, args: object): string =>
  JSON.stringify({ config: { model, model_args: args }, model_name: "m" });
const inspect = (model: string, output: object): string =>
  JSON.stringify({
    eval: { model, task: "vt" },
    samples: [{ id: 1, input: "Which?", target: "AB", metadata: { length: 512 }, output }],
  });
const choices = [{ message: { content: "AB" }, stop_reason: "stop" }];
const SAMPLES_NAME = "samples_vt_2026-01-01T00-00-00.5.jsonl";
const RESULTS_NAME = "results_2026-01-01T00-00-00.5.json";
const prediction = (origin: object): string =>
  lines([{ pred: "AB", input: "Which?", outputs: ["AB"], others: origin }]);

Deno.test.each([
  ["predictions of RULER's code", { "vt.jsonl": prediction({}) }, "unknown"],
  ["those that Fathom wrote", { "vt.jsonl": prediction({ origin: "measured" }) }, "measured"],
  ["those that Fathom wrote of a simulated reader", { "vt.jsonl": prediction({ origin: "simulated" }) }, "simulated"],
  ["an origin that is none", { "vt.jsonl": prediction({ origin: "surely measured" }) }, "unknown"],
  ["samples of the harness alone", { [SAMPLES_NAME]: harness(DOC) }, "unknown"],
  ["weights that the harness ran", { [SAMPLES_NAME]: harness(DOC), [RESULTS_NAME]: results("hf", {}) }, "measured"],
  [
    "a server that the harness asked",
    { [SAMPLES_NAME]: harness(DOC), [RESULTS_NAME]: results("local-completions", { "base_url": "http://localhost" }) },
    "unknown",
  ],
  ["the harness's dummy", { [SAMPLES_NAME]: harness(DOC), [RESULTS_NAME]: results("dummy", {}) }, "simulated"],
  ["a log of Inspect of a server", { "a.json": inspect("openai/m", { choices, model: "m" }) }, "unknown"],
  ["a log of Inspect of weights that it ran", { "a.json": inspect("hf/m", { choices, model: "m" }) }, "measured"],
  ["a log that does not say who replied", { "a.json": inspect("openai/m", { choices }) }, "unknown"],
  [
    "a log of a served simulated reader",
    { "a.json": inspect("openai/m", { choices, model: "sim:gpt-4" }) },
    "simulated",
  ],
  ["a log of Inspect's mock", { "a.json": inspect("mockllm/model", { choices, model: "mockllm" }) }, "simulated"],
] as [string, Record<string, string>, string][])("importRun() knows the origin of %s", async (_, files, origin) => {
  await withFolder(files, async (folder) => {
    const given = { folder: `${folder}/runs`, name: "mine", model: "a model", length: 512 };
    const { manifest } = await importRun(folder, given);
    const run = await readScoredRun("mine", given);
    deepEqual([manifest.origin, run.manifest.origin, run.records[0]!.origin], [origin, origin, origin]);
    equal(run.replies[0]!.value, 1);
    equal(manifest.imported?.unknown.includes("whether a real model answered"), origin === "unknown");
    // What reads the run names the same origin.
    equal((await replyRows(run))[0]!.origin, origin);
    const { boards } = runLeaderboard([run]);
    equal(boards[0]!.board.rows[0]!.origin, origin);
    ok(origin === "measured" || !/measured/i.test(`${runReport(run).overview.text}${boards[0]!.table.text}`));
  });
});

Deno.test("importRun() says which line of which file is broken and what was wanted, and leaves nothing behind", async () => {
  await withFolder({
    "m/synthetic/4096/pred/vt.jsonl": `${lines(PREDICTIONS)}\n{"pred": 7}\n`,
    "cut/synthetic/4096/pred/vt.jsonl": `${lines(PREDICTIONS)}{"pred": "a`,
    "samples_niah_single_1_2026-01-01T00-00-00.jsonl": lines([{ doc: { outputs: ["1"] }, filtered_resps: ["1"] }]),
    "log.json": JSON.stringify({ eval: { task: "vt", model: "m" }, samples: [{ id: "a", input: "b", target: 7 }] }),
    "model.json": JSON.stringify({
      eval: { task: "vt", model: "m" },
      samples: [{ input: "b", target: "c", metadata: { length: 9 }, scores: { model_graded_qa: { value: "C" } } }],
    }),
    "other.jsonl": lines([{ text: "hello" }]),
    "empty.jsonl": "",
  }, async (folder) => {
    const refused = async (path: string, wanted: RegExp): Promise<void> => {
      await rejects(importRun(`${folder}/${path}`, { folder: `${folder}/runs`, length: undefined }), wanted);
    };
    await refused("m/synthetic", /"pred" must be a text in line 5: current value is 7$/);
    await refused(
      "cut/synthetic",
      /there must be a whole JSON object in line 4: current value is "\{\\"pred\\": \\"a"$/,
    );
    await refused(
      "samples_niah_single_1_2026-01-01T00-00-00.jsonl",
      /--length must give the length of the samples, from 1 to 2000000 tokens, in line 1/,
    );
    await refused("log.json", /--length must give the length of the samples, from 1 to 2000000 tokens, in sample "a"/);
    await refused("model.json", /its scorer must be includes or fathom, or --task/);
    await refused("other.jsonl", /it must be or hold samples_.*other\.jsonl" with "text"$/);
    await refused("empty.jsonl", /it must be or hold samples_/);
    await refused("nothing", /its path must be a file or folder/);
    await rejects(
      importRun(`${folder}/log.json`, { folder: `${folder}/runs`, length: 4096 }),
      /"target" must be a list of texts in sample "a": current value is 7/,
    );
    deepEqual(await Array.fromAsync(Deno.readDir(`${folder}/runs`)).catch(() => []), []);
  });
});

Deno.test("importRun() takes thinking and repeated prompts out as asking does, and notes them", async () => {
  const input =
    "A special number is hidden in this text: the number for kiwi is 17. What is the number for kiwi in it?";
  const preds = [
    "<think>It may be 17.</think> I see none.",
    "It may be 17.</think>I see none.",
    "<|channel|>analysis<|message|>It may be 17.<|end|><|start|>assistant<|channel|>final<|message|>I see none.",
    `${input} I see none.`,
    "It is 17.",
  ];
  const rows = preds.map((pred, index) => ({ index, pred, input, outputs: ["17"], others: {}, length: 40 }));
  await withFolder({ "m/synthetic/4096/pred/niah_single_1.jsonl": lines(rows) }, async (folder) => {
    const made = await importRun(`${folder}/m/synthetic`, { folder: `${folder}/runs`, name: "mine" });
    match(made.notes.join("\n"), /^the thinking in 3 replies is taken out, and not scored$/m);
    match(made.notes.join("\n"), /^Warning: 1 of 5 replies repeat the prompt before the answer/m);
    const { replies } = await readScoredRun("mine", { folder: `${folder}/runs` });
    deepEqual(replies.map(({ value }) => value), [0, 0, 0, 0, 1]);
  });
});
