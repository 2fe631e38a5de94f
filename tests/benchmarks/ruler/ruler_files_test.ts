import { deepEqual, equal } from "node:assert/strict";
import { scorePredictions } from "@/lib/benchmarks/mod.ts";
import { inRulerOrder, readPredictions, rulerScoreFiles } from "@/lib/benchmarks/ruler/ruler_files.ts";
import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { allFound, type FileScore } from "@/lib/scorers/mod.ts";

/** The score of a file: each reply with what it should hold. */
function scoreOf(task: string, replies: readonly (readonly [reply: string, wanted: string])[]): Promise<FileScore> {
  const lines = replies.map(([pred, wanted], index) => JSON.stringify({ index, pred, outputs: [wanted] }));
  return scorePredictions(readPredictions(lines), { task, scorer: allFound });
}

Deno.test("inRulerOrder() puts RULER's tasks as RULER lists them, and others behind them by name", () => {
  const wanted = [...RULER_TASK_NAMES, "a task", "mine", "yours"];
  deepEqual(wanted.toSorted().toSorted(inRulerOrder), wanted);
  deepEqual(wanted.toReversed().toSorted(inRulerOrder), wanted);
  equal(inRulerOrder("mine", "mine"), 0);
});

Deno.test("rulerScoreFiles() writes the tasks in RULER's order, whatever theirs, and each prediction in a line", async () => {
  const scores = [
    await scoreOf("qa_1", [["Oslo", "Oslo"], ["", "Rome"]]),
    await scoreOf("mine", [['a "b"', "c"]]),
    await scoreOf("niah_single_1", [["1, 2", "1"], ["3", "3"], ["4", "5"]]),
  ];
  for (const given of [scores, scores.toReversed()]) {
    const [summary, submission] = rulerScoreFiles(given);
    deepEqual([summary!.path, submission!.path], ["summary.csv", "submission.csv"]);
    deepEqual(summary!.text.split("\n"), [
      "0,1,2,3",
      "Tasks,niah_single_1,qa_1,mine",
      "Score,66.67,50.0,0.0",
      "Nulls,0/3,1/2,0/1",
      "",
    ]);
    deepEqual(submission!.text.split("\n"), [
      "Task,ID,Prediction",
      'niah_single_1,0,"1, 2"',
      "niah_single_1,1,3",
      "niah_single_1,2,4",
      "qa_1,0,Oslo",
      "qa_1,1,",
      'mine,0,"a ""b"""',
      "",
    ]);
  }
});

Deno.test("rulerScoreFiles() names the summary of a single task after it, and takes ids from the files", async () => {
  const predictions = [{ id: 7, prediction: "ABCDE, FGHIJ", references: ["ABCDE"] }];
  const vt = await scorePredictions(predictions, { task: "vt", scorer: allFound });
  const [summary, submission] = rulerScoreFiles([vt]);
  deepEqual([summary!.path, summary!.text], ["summary-vt.csv", "0,1\nTasks,vt\nScore,100.0\nNulls,0/1\n"]);
  equal(submission!.text, 'Task,ID,Prediction\nvt,7,"ABCDE, FGHIJ"\n');
});
