import { deepEqual, equal, match, throws } from "node:assert/strict";
import { CDME_NEEDLES } from "@/lib/benchmarks/cdme/mod.ts";
import {
  opencompassFiles,
  type OpencompassRun,
  opencompassScoreFiles,
  readOpencompassSummary,
} from "@/lib/papers/cdme/mod.ts";
import { opencompassResult } from "@/lib/papers/cdme/opencompass.ts";
import type { RunRecord, ScoredReply } from "@/lib/models/mod.ts";
import { depthGrid } from "@/lib/generators/mod.ts";
import { depthCells } from "@/lib/statistics/mod.ts";

const WANTED = "小明最喜欢的实习地点就是上海人工智能实验室。";
const TASK = CDME_NEEDLES.task("cdme_zh");
const TASKS = { "cdme_zh": { suite: TASK.suite, options: TASK.options } };

/** A reply to a sample of a task at 1,000 tokens, scored; a failed call without a text. */
function replyOf(text: string | null, changes: Partial<RunRecord> = {}): ScoredReply {
  const record = { task: "cdme_zh", length: 1000, index: 0, seed: "1", depth: 0, references: [WANTED], ...changes };
  const about = { record: record as RunRecord, task: record.task, length: record.length };
  if (text === null) return { ...about, value: null, failed: true, noAnswer: false, score: null, penalised: null };
  const { score, penalised } = TASK.scorer.grade(text, record);
  return { ...about, value: score.value, failed: false, noAnswer: false, score, penalised };
}

function runOf(abbr: string, replies: readonly ScoredReply[], tasks: OpencompassRun["tasks"] = TASKS): OpencompassRun {
  return { abbr, tasks, replies };
}

const REPLIES = [
  replyOf(WANTED),
  replyOf("上海 人工智能\n实验室", { index: 1 }),
  replyOf("", { index: 2, depth: 1 }),
  replyOf(null, { index: 3, depth: 0.47 }),
];

Deno.test("opencompassFiles() writes the summary in OpenCompass's columns, rows and decimals", () => {
  const [summary] = opencompassFiles([runOf("internlm-20b", REPLIES), runOf("org/m", [REPLIES[0]!])], {
    name: "first",
  });
  equal(summary!.path, "summary/summary_first.csv");
  const lines = summary!.text.split("\n");
  const version = lines[1]!.split(",")[1]!;
  match(version, /^[0-9a-f]{6}$/);
  // (100 + 100 × (1 − 13 / 22)) / 2: 9 of the needle's 22 characters are there.
  deepEqual(lines, [
    "dataset,version,metric,mode,internlm-20b,org/m",
    `CDME_Length1000Depth0,${version},score,gen,70.45,100.00`,
    "CDME_Length1000Depth47,-,-,-,-,-",
    `CDME_Length1000Depth100,${version},score,gen,0.00,-`,
    "",
  ]);
});

Deno.test("opencompassFiles() writes each reply's details as OpenCompass's evaluator gives them", () => {
  const files = opencompassFiles([runOf("org/m", REPLIES)], { name: "first", details: true });
  deepEqual(files.slice(1).map(({ path }) => path), [
    "results/org_m/CDME_Length1000Depth0.json",
    "results/org_m/CDME_Length1000Depth100.json",
  ]);
  deepEqual(JSON.parse(files[1]!.text), opencompassResult([WANTED, "上海人工智能实验室"], [WANTED, WANTED]));
  match(files[1]!.text, /^\{\n {4}"score": 70\.\d+,\n {4}"details": \[\n {8}\{\n {12}"pred"/);
  const [, plain] = opencompassFiles([runOf("org/m", REPLIES)], { name: "first" });
  deepEqual(Object.keys(JSON.parse(plain!.text)), ["score"]);
});

Deno.test("opencompassFiles() scores a keyword's details by the keyword", () => {
  const { suite, options, scorer } = CDME_NEEDLES.task("cdme_multi_zh");
  const references = ["制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫Jack。", "Jack"];
  const { score, penalised } = scorer.grade("是 Jack", { references });
  const reply = { ...replyOf("是 Jack", { references }), value: score.value, score, penalised };
  const [, result] = opencompassFiles([runOf("m", [reply], { "cdme_zh": { suite, options } })], {
    name: "first",
    details: true,
  });
  const [answer] = references;
  // 是 takes the place of one of the 22 characters before Jack; the full stop is missing.
  deepEqual(JSON.parse(result!.text), {
    score: 100,
    details: [{ pred: "是Jack", answer, "edit_distance": 23, score: 100 }],
  });
});

Deno.test("readOpencompassSummary() reads back what opencompassFiles() wrote, linear depths, sigmoid ones and several tasks", () => {
  for (const spacing of ["linear", "sigmoid"] as const) {
    const depths = depthGrid({ points: 20, spacing, pinned: true });
    for (const names of [["cdme_zh"], ["cdme_zh", "one, two"]]) {
      const replies = names.flatMap((task) =>
        depths.map((depth, index) => replyOf(WANTED.slice(0, index), { task, index, depth: depth / 100 }))
      );
      const tasks = Object.fromEntries(names.map((name) => [name, TASKS.cdme_zh]));
      const [summary] = opencompassFiles([runOf("a,b", replies, tasks)], { name: "first" });
      const { models, skipped } = readOpencompassSummary(summary!.text, summary!.path);
      deepEqual(skipped, []);
      deepEqual([...new Set(models.map(({ model }) => model))], ["a,b"]);
      deepEqual(
        models.map(({ dataset }) => dataset),
        names.length === 1 ? ["CDME"] : ["CDME_cdme_zh", "CDME_one, two"],
      );
      for (const [at, { cells }] of models.entries()) {
        const own = depthCells(replies.filter(({ task }) => task === names[at]));
        deepEqual(
          cells.map(({ depth, score }) => [depth, score]),
          own.map(({ depth, score }) => [depth, Number(score!.toFixed(2))]),
        );
      }
    }
  }
});

Deno.test("opencompassFiles() leaves other benchmarks out, and refuses a run without CDME", () => {
  const other = { "niah_single_1": { suite: "ruler-2", options: {} } };
  const [summary] = opencompassFiles([
    runOf("m", [...REPLIES, replyOf("1", { task: "niah_single_1" })], { ...TASKS, ...other }),
  ], { name: "first" });
  equal(summary!.text.split("\n").length, 5);
  throws(() => opencompassFiles([runOf("m", [], other)], { name: "first" }), {
    name: "RangeError",
    message:
      "Cannot write OpenCompass's files as the run must have a CDME task, such as cdme_zh: current value is niah_single_1",
  });
});

Deno.test("opencompassScoreFiles() writes a row for each dataset by number and a column for each model by name", () => {
  const of = (prediction: string) => [{ prediction, references: ["Jack"] }];
  const [at1000, at200] = ["CDME_Length1000Depth0", "CDME_Length200Depth0"] as const;
  const answers = [
    { abbr: "b/1", dataset: at1000, predictions: of("Jack") },
    { abbr: "b/1", dataset: at200, predictions: of("Jill") },
    { abbr: "a", dataset: at1000, predictions: [...of("Jack"), { prediction: "Jack", references: [] }] },
  ];
  const [summary, ...results] = opencompassScoreFiles(answers, { name: "again" });
  equal(summary!.path, "summary/summary_again.csv");
  deepEqual(summary!.text.trimEnd().split("\n"), [
    "dataset,version,metric,mode,a,b/1",
    `${at200},-,score,gen,-,25.00`,
    `${at1000},-,score,gen,50.00,100.00`,
  ]);
  deepEqual(results.map(({ path }) => path), [
    `results/b_1/${at200}.json`,
    `results/b_1/${at1000}.json`,
    `results/a/${at1000}.json`,
  ]);
  deepEqual(JSON.parse(results[0]!.text), opencompassResult(["Jill"], ["Jack"]));
  match(results[0]!.text, /^\{\n {4}"score": 25,\n {4}"details": \[\n {8}\{\n {12}"pred"/);
});
