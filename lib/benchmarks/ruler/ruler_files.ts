import { basename, dirname } from "node:path";
import { isFields, shownJson } from "@/lib/base/mod.ts";
import { RULER_TASK_NAMES } from "./tasks.ts";
import { parseJson } from "@/lib/models/mod.ts";
import type { FileScore, Prediction } from "@/lib/scorers/mod.ts";

/** A line of RULER's prediction files, as its call_api.py writes it. */
export interface RulerPrediction {
  readonly index: number;
  /** The reply to `input`, which includes the start of the answer. */
  readonly pred: string;
  readonly input: string;
  readonly outputs: readonly string[];
  /** Values that RULER has no field for. */
  readonly others: Readonly<Record<string, string | number>>;
  /** Always -1, as RULER writes it when it does not know whether the text was cut. */
  readonly truncation: -1;
  /** Tokens of prompt and answer room; -1 if unknown. */
  readonly length: number;
}

/** Makes the error for a line from the expected form and the value found. */
export type RefuseLine = (expected: string, value: unknown) => Error;

export type LineFields = Readonly<Record<string, unknown>>;

/** Reads the fields of one of RULER's JSON lines; throws the error of `refuse` if references or distractors are not texts. */
export function readRulerLine({ outputs, output, distractors, index, others }: LineFields, refuse: RefuseLine): {
  /** The references (`outputs`, or `output` for a single one); empty for `[null]`, a test set without answers. */
  readonly references: readonly string[];
  /** The wrong answers in the text that compete with the references. */
  readonly distractors: readonly string[] | undefined;
  /** The sample's name: `id` of `others`, otherwise `index`. */
  readonly id: string | number | undefined;
} {
  const given = outputs ?? (output === undefined ? undefined : [output]);
  const isUnknown = Array.isArray(given) && given.every((each) => each === null);
  const id = (others as { readonly id?: unknown } | null | undefined)?.id ?? index;
  return {
    references: isUnknown ? [] : readTexts(given, "outputs", refuse),
    distractors: distractors === undefined ? undefined : readTexts(distractors, "distractors", refuse),
    id: typeof id === "string" || typeof id === "number" ? id : undefined,
  };
}

function readTexts(value: unknown, field: string, refuse: RefuseLine): readonly string[] {
  if (!Array.isArray(value)) throw refuse(`"${field}" must be a list of texts`, value);
  const at = value.findIndex((each) => typeof each !== "string");
  if (at >= 0) throw refuse(`"${field}" must be a list of texts`, value[at]);
  return value;
}

/**
 * Parses a line that holds one JSON object. `NaN` and `Infinity`, which Python writes, are read as `null`.
 *
 * @throws The error of `refuse`, if it is not an object.
 */
export function parseLine(line: string, refuse: RefuseLine): LineFields {
  const value = parseJson(line) ?? parseJson(line.replaceAll(STRING_OR_NAN, (part) => part[0] === '"' ? part : "null"));
  if (isFields(value)) return value;
  throw refuse("the line must be one JSON object", line);
}

/** A JSON string, which is kept, or one of Python's non-finite numbers. */
const STRING_OR_NAN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/gs;

/**
 * Reads RULER's prediction file: `pred` and the references of each line, and its distractors if `fathom generate` wrote them. Empty
 * lines are skipped.
 *
 * @param rename Maps the fields of another benchmark's files to RULER's names.
 * @throws {SyntaxError} If a line is malformed; the message gives its number, from 1.
 */
export async function* readPredictions(
  lines: Iterable<string> | AsyncIterable<string>,
  rename: (fields: LineFields) => LineFields = (fields) => fields,
): AsyncGenerator<Prediction> {
  let number = 0;
  for await (const line of lines) {
    number++;
    const text = number === 1 ? line.replace(/^\uFEFF/, "") : line;
    if (text.trim() === "") continue;
    const refuse = (expected: string, value: unknown): SyntaxError =>
      new SyntaxError(
        `Cannot read line ${number} of the predictions as ${expected}: current value is ${shownJson(value)}`,
      );
    const fields = rename(parseLine(text, refuse));
    const { pred, task } = fields;
    if (typeof pred !== "string") throw refuse('"pred" must be a text', pred);
    const { references, distractors, id } = readRulerLine(fields, refuse);
    if (distractors !== undefined && distractors.length !== references.length) {
      throw refuse(`"distractors" must be a list of ${references.length} texts, one for each output`, distractors);
    }
    yield { prediction: pred, references, distractors, id, task: typeof task === "string" ? task : undefined };
  }
}

export interface PredictionFiles {
  readonly task: string;
  readonly folder: string;
  /** One file, such as `vt.jsonl`, or its parts `vt-0.jsonl`, `vt-1.jsonl`, …, which replace it as in RULER's code. */
  readonly paths: readonly string[];
}

/** Groups prediction files by folder and task, the task being the name of the file. */
export function groupPredictionFiles(paths: readonly string[]): readonly PredictionFiles[] {
  return [...Map.groupBy(paths, (path) => JSON.stringify([dirname(path), taskOfFile(path)])).values()].map((same) => {
    const task = taskOfFile(same[0]!);
    const parts = same.filter((path) => basename(path) !== `${task}.jsonl`);
    return { task, folder: dirname(same[0]!), paths: parts.length > 0 ? parts : same };
  });
}

/** Returns the task that a prediction file is named after: `vt` for vt.jsonl and for its part vt-0.jsonl. */
export function taskOfFile(path: string): string {
  return basename(path).replace(/(-\d+)?\.jsonl$/, "");
}

/** Compares tasks by the order of RULER's synthetic.yaml; other tasks follow by name. */
export function inRulerOrder(left: string, right: string): number {
  const byName = left < right ? -1 : Number(left > right);
  return placeOf(left) - placeOf(right) || byName;
}

function placeOf(task: string): number {
  const place = (RULER_TASK_NAMES as readonly string[]).indexOf(task);
  return place < 0 ? RULER_TASK_NAMES.length : place;
}

/**
 * Returns the files of scores that RULER's evaluate.py (c3f5e3b) writes to a folder of predictions: summary.csv with the score and
 * the number of empty predictions of each task (summary-vt.csv if vt is the only one), and submission.csv with each prediction as
 * it was compared. A task without references scores 0.0, as in RULER.
 *
 * @param scores One per task, in any order.
 */
export function rulerScoreFiles(
  scores: readonly FileScore[],
): readonly { readonly path: string; readonly text: string }[] {
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

/** Formats a number as Python formats a float: 100 is `100.0`. */
function pythonFloat(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

/** Formats CSV as pandas does: lines end in a line feed, and cells are quoted only if necessary. */
function csvOf(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}
