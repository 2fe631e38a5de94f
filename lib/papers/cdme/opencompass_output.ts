import { createHash } from "node:crypto";
import { type OpencompassDetail, type OpencompassResult, opencompassResult } from "./opencompass.ts";
import type { Task } from "@/lib/generators/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import { editMatch, type EditMatchOptions, type Prediction, removeSpace } from "@/lib/scorers/mod.ts";
import { type DepthCell, depthCells } from "@/lib/statistics/mod.ts";

/** A run of one model, for OpenCompass's files. */
export interface OpencompassRun {
  /** The model's short name: its column of the summary and its folder of results (`abbr`). */
  readonly abbr: string;
  /** The run's tasks by name. */
  readonly tasks: Readonly<Record<string, Pick<Task, "suite" | "options">>>;
  readonly replies: readonly ScoredReply[];
}

/** Options for {@linkcode opencompassFiles}. */
export interface OpencompassFilesOptions {
  /** What the summary is called: `summary_{name}.csv`. */
  readonly name: string;
  /**
   * Whether results have the score, edit distance and compared text of each reply (`--dump-eval-details`).
   *
   * @default {false}
   */
  readonly details?: boolean;
}

/** A file with its path below OpenCompass's work folder. */
export interface OpencompassFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes the CDME tasks of runs as OpenCompass does (summarizers/default.py and tasks/openicl_eval.py at e975a96f): the summary,
 * a row for each length and depth and a column for each model, and the result of each model on each of these.
 *
 * A row is called `CDME_Length{length}Depth{depth}`; several tasks follow in its name, after `_`. Its version is a hash of the
 * task's settings, where OpenCompass's is one of its prompt's. Failed calls are in no score, and `-` stands for none.
 *
 * @returns The summary, then the results.
 * @throws {RangeError} If no run has a CDME task.
 */
export function opencompassFiles(
  runs: readonly OpencompassRun[],
  { name, details = false }: OpencompassFilesOptions,
): readonly OpencompassFile[] {
  const tasks = new Map(runs.flatMap(({ tasks }) => Object.entries(tasks).filter(([, { suite }]) => isCdme(suite))));
  if (tasks.size === 0) {
    const names = runs.flatMap(({ tasks }) => Object.keys(tasks)).join(", ");
    throw new RangeError(
      `Cannot write OpenCompass's files as the run must have a CDME task, such as cdme_zh: current value is ${names}`,
    );
  }
  const columns = runs.map(({ abbr, replies }) => {
    const asked = replies.filter(({ task, record }) => tasks.has(task) && record.depth !== undefined);
    const cells = depthCells(asked).map((cell): DatasetCell => ({ ...cell, dataset: nameOf(cell, tasks.size) }));
    return { abbr, cells: new Map(cells.map((cell) => [cell.dataset, cell])), asked };
  });
  const datasets = new Map(columns.flatMap(({ cells }) => [...cells]));
  const rows = [...datasets.values()].map(({ dataset, task }) => {
    const scores = columns.map(({ cells }) => cells.get(dataset)?.score ?? null);
    const said = scores.some((score) => score !== null)
      ? [versionOf(tasks.get(task)!), "score", "gen"]
      : ["-", "-", "-"];
    return [dataset, ...said, ...scores.map((score) => score?.toFixed(2) ?? "-")];
  });
  return [
    summaryFile(name, columns.map(({ abbr }) => abbr), rows),
    ...columns.flatMap(({ abbr, cells, asked }) =>
      [...cells.values()].filter(({ score }) => score !== null).map((cell) => ({
        path: `results/${asFileName(abbr)}/${asFileName(cell.dataset)}.json`,
        text: JSON.stringify(resultOf(cell, { asked, details }), null, 4),
      }))
    ),
  ];
}

function summaryFile(
  name: string,
  models: readonly string[],
  rows: readonly (readonly string[])[],
): OpencompassFile {
  const header = ["dataset", "version", "metric", "mode", ...models];
  const text = [header, ...rows].map((row) => `${row.map(quote).join(",")}\n`).join("");
  return { path: `summary/summary_${asFileName(name)}.csv`, text };
}

/** What one model answered in one dataset, which is one length and depth. */
export interface OpencompassAnswers {
  /** The model's short name. */
  readonly abbr: string;
  /** The dataset's, such as `CDME_Length1000Depth0`. */
  readonly dataset: string;
  /** Its predictions; the reference of each is its `gold`, whole. */
  readonly predictions: readonly Prediction[];
}

/**
 * Scores predictions of OpenCompass's again, as its evaluator does (`run.py -m eval`): a summary of all, then the result of each
 * dataset, with the details of each reply. A version of `-` stands for the hash of a prompt configuration, which nothing here tells.
 *
 * @param answers Of any models and datasets; a row and a result for each, by length and depth.
 * @returns The summary, then the results.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const predictions = [{ prediction: "Jack", references: ["Jack"] }];
 * const [summary] = opencompassScoreFiles([{ abbr: "m", dataset: "CDME_Length1000Depth0", predictions }], { name: "again" });
 * match(summary!.text, /CDME_Length1000Depth0,-,score,gen,100\.00/);
 * ```
 */
export function opencompassScoreFiles(
  answers: readonly OpencompassAnswers[],
  { name, ...options }: Pick<OpencompassFilesOptions, "name"> & EditMatchOptions,
): readonly OpencompassFile[] {
  const results = answers.map(({ abbr, dataset, predictions }) => {
    const golds = predictions.map(({ references }) => references[0] ?? "");
    const result = opencompassResult(predictions.map(({ prediction }) => prediction), golds, options);
    return { abbr, dataset, result: result as OpencompassResult };
  }).toSorted((left, right) => left.dataset.localeCompare(right.dataset, "en", { numeric: true }));
  const models = [...new Set(answers.map(({ abbr }) => abbr))].sort();
  const rows = Map.groupBy(results, ({ dataset }) => dataset).entries().map(([dataset, ofDataset]) => {
    const scores = models.map((model) => ofDataset.find(({ abbr }) => abbr === model)?.result.score);
    return [dataset, "-", "score", "gen", ...scores.map((score) => score?.toFixed(2) ?? "-")];
  });
  return [
    summaryFile(name, models, [...rows]),
    ...results.map(({ abbr, dataset, result }) => ({
      path: `results/${asFileName(abbr)}/${asFileName(dataset)}.json`,
      text: JSON.stringify(result, null, 4),
    })),
  ];
}

/** The score of one task at one length and depth, with its name at OpenCompass. */
interface DatasetCell extends DepthCell {
  readonly dataset: string;
}

/** Whether a suite is CDME, of any version. */
function isCdme(suite: string): boolean {
  return /^cdme-\d+$/.test(suite);
}

function nameOf({ task, length, depth }: DepthCell, tasks: number): string {
  // OpenCompass cuts decimals off, so that some of its sigmoid depths have one name; its tool reads them.
  return `CDME_Length${length}Depth${depth}${tasks > 1 ? `_${task}` : ""}`;
}

function versionOf({ suite, options }: Pick<Task, "suite" | "options">): string {
  return createHash("sha256").update(JSON.stringify([suite, options])).digest("hex").slice(0, 6);
}

function resultOf(
  cell: DatasetCell,
  { asked, details }: { readonly asked: readonly ScoredReply[]; readonly details: boolean },
): Partial<OpencompassResult> {
  if (!details) return { score: cell.score! };
  const own = asked.filter(({ task, length, value, record }) =>
    value !== null && task === cell.task && length === cell.length &&
    Math.round(record.depth! * 1e5) / 1e3 === cell.depth
  );
  return { score: cell.score!, details: own.map(detailOf) };
}

/** The text that was compared is the reply's, without white space, and cut where the task says so. */
function detailOf({ score, value, record }: ScoredReply): OpencompassDetail {
  const [pred, answer] = [score!.answer, removeSpace(record.references[0] ?? "")];
  return { pred, answer, "edit_distance": editMatch(pred, answer).distance, score: 100 * value! };
}

/** Puts a cell in quotes where commas would split it, as OpenCompass does not: its tool reads both. */
function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A name in characters that every file system takes. */
function asFileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "_");
}
