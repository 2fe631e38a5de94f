import { RULER_TASK_NAMES } from "./tasks.ts";
import type { FileScore } from "@/lib/scorers/mod.ts";

/** A line of RULER's prediction files, as its call_api.py writes it. */
export interface RulerPrediction {
  /** The sample's number. */
  readonly index: number;
  /** What the model wrote. */
  readonly pred: string;
  /** What it was asked: the prompt and the start of the answer. */
  readonly input: string;
  /** The right answers. */
  readonly outputs: readonly string[];
  /** What RULER has no field for. */
  readonly others: Readonly<Record<string, string | number>>;
  /** -1, as in RULER, where nobody says that a text was cut. */
  readonly truncation: -1;
  /** Tokens of prompt and answer room; -1 where they are not known. */
  readonly length: number;
}

/** A file by its path below a folder of predictions. */
export interface RulerFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Puts RULER's tasks in the order of its synthetic.yaml, and others after them by name.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(["qa_1", "mine", "vt"].toSorted(inRulerOrder), ["vt", "qa_1", "mine"]);
 * ```
 */
export function inRulerOrder(left: string, right: string): number {
  return placeOf(left) - placeOf(right) || (left < right ? -1 : left > right ? 1 : 0);
}

function placeOf(task: string): number {
  const place = (RULER_TASK_NAMES as readonly string[]).indexOf(task);
  return place < 0 ? RULER_TASK_NAMES.length : place;
}

/**
 * Writes the scores of a folder of predictions as RULER's evaluate.py does (c3f5e3b): summary.csv with the score and the number of
 * empty predictions of each task (summary-vt.csv where vt is the only one), and submission.csv with every prediction as it was
 * compared. A task without references has the score 0.0, as there.
 *
 * @param scores One a task, in any order.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { allFound, readPredictions, scorePredictions } from "@/lib/scorers/mod.ts";
 *
 * const lines = ['{"index": 7, "pred": "ABCDE, FGHIJ", "outputs": ["ABCDE"]}'];
 * const vt = await scorePredictions(readPredictions(lines), { task: "vt", scorer: allFound });
 * const [summary, submission] = rulerScoreFiles([vt]);
 * equal(summary?.text, "0,1\nTasks,vt\nScore,100.0\nNulls,0/1\n");
 * equal(submission?.text, 'Task,ID,Prediction\nvt,7,"ABCDE, FGHIJ"\n');
 * ```
 */
export function rulerScoreFiles(scores: readonly FileScore[]): readonly RulerFile[] {
  const ordered = scores.toSorted((left, right) => inRulerOrder(left.task, right.task));
  const [first] = ordered;
  const columns = [
    ["Tasks", ...ordered.map(({ task }) => task)],
    ["Score", ...ordered.map(({ score }) => pythonFloat(score ?? 0))],
    ["Nulls", ...ordered.map(({ nulls }) => nulls)],
  ];
  const predictions = ordered.flatMap(({ task, ids, scores }) =>
    scores.map(({ answer }, line) => [task, String(ids[line]), answer])
  );
  return [
    {
      path: ordered.length === 1 ? `summary-${first!.task}.csv` : "summary.csv",
      text: csvOf([columns[0]!.map((_, column) => String(column)), ...columns]),
    },
    { path: "submission.csv", text: csvOf([["Task", "ID", "Prediction"], ...predictions]) },
  ];
}

/** A number as Python writes a float: 100 is `100.0`. */
function pythonFloat(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

/** CSV as pandas writes it: a line break ends a line, and only what needs quotes has them. */
function csvOf(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}
