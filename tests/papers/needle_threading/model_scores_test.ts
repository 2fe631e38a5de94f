import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import {
  modelContextLimits,
  modelThreadingScores,
  partialRows,
  threadingPart,
  threadingRows,
  type ThreadingRun,
} from "@/lib/papers/needle_threading/model_scores.ts";
import { modelLimitTable } from "@/lib/papers/needle_threading/tables.ts";

const KINDS = ["single_needle", "multi_needle", "conditional_needle", "single_thread", "multi_thread"] as const;
const tasks = Object.fromEntries(
  [...KINDS, "branched_thread"].map((kind) => [`task of ${kind}`, { options: { kind, placement: "random" } }]),
);

function reply(kind: string, length: number, value: number | null): ThreadingRun["replies"][number] {
  return {
    task: `task of ${kind}`,
    length,
    value,
    failed: value === null,
    noAnswer: false,
    record: { index: 0, seed: "1" },
  };
}

function runOf(model: string, scoreAt: (kind: string, length: number) => number | null): ThreadingRun {
  const replies = Object.keys(tasks).flatMap((task) =>
    [2500, 5000, 10_000].map((length) => reply(task.slice(8), length, scoreAt(task.slice(8), length)))
  );
  return { manifest: { model, tasks }, replies };
}

Deno.test("modelThreadingScores() has the names of the paper's tables, and the mean of all five tasks", () => {
  const rows = modelThreadingScores([runOf("a", (kind) => kind === "multi_thread" ? 0 : 1)]);
  const at = (length: number) => rows.filter((row) => row.length === length);
  deepEqual(at(2500).map(({ task, score }) => [task, score]), [
    ["overall", 80],
    ["single_needle", 100],
    ["multiple_needles", 100],
    ["conditional_needles", 100],
    ["threading", 100],
    ["multi_threading", 0],
  ]);
  // Without one of the tasks there is no mean.
  const few = runOf("a", (kind) => kind === "multi_thread" ? null : 1);
  equal(modelThreadingScores([few]).some(({ task, score }) => task === "overall" && score !== null), false);
});

Deno.test("modelContextLimits() lie between the last size read and the first lost, and rise with a lower level", () => {
  const run = runOf("a", (_, length) => length <= 2500 ? 1 : length === 5000 ? 0.5 : 0);
  const limitAt = (level: number) => modelContextLimits([run], { level, charactersPerToken: 2 })[0]!;
  const { effective, low, high, supported, percent, tokens, isBeyond } = limitAt(0.75);
  ok(effective > 5 && effective < 10 && low <= effective && effective <= high);
  deepEqual([supported, isBeyond], [20, false]);
  equal(tokens.toFixed(3), (500 * effective).toFixed(3));
  equal(percent.toFixed(6), (100 * effective / 20).toFixed(6));
  ok(limitAt(0.4).effective > effective);
  equal(limitAt(0.75).effective, effective, "the same replies give the same interval");
  throws(() => limitAt(0), /level must be in \(0, 1\]: current value is 0/);
});

Deno.test("modelLimitTable() says where a limit is at least the longest size, and where there is none", () => {
  const limits = modelContextLimits([runOf("all", () => 1), runOf("none", () => 0)], {
    level: 0.75,
    charactersPerToken: 1.6,
  });
  const { text } = modelLimitTable(limits, { title: "Limits", n: 1, origin: "measured", level: 75 });
  match(text, /about this text only/);
  match(text, /all +≥ 16\.0, 10,000/);
  match(text, /none +0\.0, 0/);
});

Deno.test("threadingPart() and threadingRows() pick tasks by their knobs; rows have model and length", () => {
  const run = runOf("a", () => 1);
  equal(threadingPart(run, { kind: "single_thread" }).replies.length, 3);
  equal(threadingPart(run, {}).replies.length, run.replies.length);
  equal(threadingPart(run, { steps: 3 }).replies.length, 0);
  const rows = threadingRows([run, runOf("b", () => 0)], { kind: "single_thread", length: 5000 });
  deepEqual(rows.map(({ knobs, score }) => [knobs["model"], knobs["length"], score]), [["a", 5000, 100], [
    "b",
    5000,
    0,
  ]]);
});

Deno.test("partialRows() averages only replies that have both scores", () => {
  const replies = [
    { task: "thread", value: 1, partial: { value: 1 } },
    { task: "thread", value: 0, partial: { value: 0.5 } },
    { task: "thread", value: null },
    { task: "needle", value: 1 },
  ];
  deepEqual(partialRows(replies), [{ task: "thread", n: 2, whole: 50, partial: 75 }]);
  equal(partialRows([]).length, 0);
});
