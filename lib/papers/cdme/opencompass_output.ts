import { createHash } from "node:crypto";
import { type OpencompassResult, opencompassResult } from "./opencompass.ts";
import type { Task } from "@/lib/generators/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import { editMatch, type EditMatchOptions, type Prediction, removeSpace } from "@/lib/scorers/mod.ts";
import { depthCells } from "@/lib/statistics/mod.ts";

/** A run of one model, for OpenCompass's files. */
export interface OpencompassRun {
  /** The model's short name: its column of the summary and its folder of results (`abbr`). */
  readonly abbr: string;
  readonly tasks: Readonly<Record<string, Pick<Task, "suite" | "options">>>;
  readonly replies: readonly ScoredReply[];
}

/** A file with its path below OpenCompass's work folder. */
export interface OpencompassFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes the CDME tasks of runs as OpenCompass does (summarizers/default.py and tasks/openicl_eval.py at e975a96f): the summary,
 * with a row per length and depth and a column per model, then the result of each model at each length and depth.
 *
 * Rows are named `CDME_Length{length}Depth{depth}`, followed by `_` and the task if there are several. Their version is a hash of
 * the task's settings; OpenCompass's is one of its prompt's. Failed calls are in no score; `-` means no score.
 *
 * @param options The summary is `summary_{name}.csv`. With `details`, results include the score, edit distance and compared text
 *   of each reply (`--dump-eval-details`).
 * @throws {RangeError} If no run has a CDME task.
 */
export function opencompassFiles(
  runs: readonly OpencompassRun[],
  { name, details = false }: { readonly name: string; readonly details?: boolean },
): readonly OpencompassFile[] {
  const tasks = new Map(
    runs.flatMap(({ tasks }) => Object.entries(tasks).filter(([, { suite }]) => /^cdme-\d+$/.test(suite))),
  );
  if (tasks.size === 0) {
    const names = runs.flatMap(({ tasks }) => Object.keys(tasks)).join(", ");
    throw new RangeError(
      `Cannot write OpenCompass's files as the run must have a CDME task, such as cdme_zh: current value is ${names}`,
    );
  }
  const columns = runs.map(({ abbr, replies }) => {
    const asked = replies.filter(({ task, record }) => tasks.has(task) && record.depth !== undefined);
    const cells = depthCells(asked).map(({ task, length, depth, score }) => {
      // OpenCompass cuts decimals off, which gives some of its sigmoid depths one name; its tool reads decimals too.
      const dataset = `CDME_Length${length}Depth${depth}${tasks.size > 1 ? `_${task}` : ""}`;
      const own = asked.filter(({ value, record, ...reply }) =>
        value !== null && reply.task === task && reply.length === length &&
        Math.round(record.depth! * 1e5) / 1e3 === depth
      );
      return { dataset, task, score, result: details ? { score, details: own.map(detailOf) } : { score } };
    });
    return { abbr, cells };
  });
  const rows = Map.groupBy(columns.flatMap(({ cells }) => cells), ({ dataset }) => dataset);
  const lines = Array.from(rows, ([dataset, [first]]) => {
    const scores = columns.map(({ cells }) => cells.find((cell) => cell.dataset === dataset)?.score ?? null);
    const isScored = scores.some((score) => score !== null);
    return [dataset, ...(isScored ? [versionOf(tasks.get(first!.task)!), "score", "gen"] : ["-", "-", "-"]), ...scores];
  });
  const scored = columns.flatMap(({ abbr, cells }) =>
    cells.filter(({ score }) => score !== null).map((cell) => ({ abbr, ...cell }))
  );
  return [summaryFile(name, columns.map(({ abbr }) => abbr), lines), ...scored.map(resultFile)];
}

/** The predictions of one model for one dataset, which is one length and depth. */
export interface OpencompassAnswers {
  /** The model's short name. */
  readonly abbr: string;
  /** The dataset's name, such as `CDME_Length1000Depth0`. */
  readonly dataset: string;
  /** The first reference of each is its `gold`. */
  readonly predictions: readonly Prediction[];
}

/**
 * Scores OpenCompass's predictions as its evaluator does (`run.py -m eval`): a summary, then the result of each dataset with the
 * details of each reply. The version is `-`, as the hash of the prompt configuration is unknown.
 */
export function opencompassScoreFiles(
  answers: readonly OpencompassAnswers[],
  { name, ...options }: { readonly name: string } & EditMatchOptions,
): readonly OpencompassFile[] {
  const results = answers.map(({ abbr, dataset, predictions }) => {
    const golds = predictions.map(({ references }) => references[0] ?? "");
    const result = opencompassResult(predictions.map(({ prediction }) => prediction), golds, options);
    return { abbr, dataset, result: result as OpencompassResult };
  }).toSorted((left, right) => left.dataset.localeCompare(right.dataset, "en", { numeric: true }));
  const models = [...new Set(answers.map(({ abbr }) => abbr))].sort();
  const lines = Array.from(Map.groupBy(results, ({ dataset }) => dataset), ([dataset, ofDataset]) => {
    const scores = models.map((model) => ofDataset.find(({ abbr }) => abbr === model)?.result.score ?? null);
    return [dataset, "-", "score", "gen", ...scores];
  });
  return [summaryFile(name, models, lines), ...results.map(resultFile)];
}

function summaryFile(
  name: string,
  models: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): OpencompassFile {
  const cellText = (cell: string | number | null): string =>
    cell === null ? "-" : typeof cell === "number" ? cell.toFixed(2) : quote(cell);
  const lines = [["dataset", "version", "metric", "mode", ...models], ...rows];
  const text = lines.map((row) => `${row.map(cellText).join(",")}\n`).join("");
  return { path: `summary/summary_${asFileName(name)}.csv`, text };
}

function resultFile(
  { abbr, dataset, result }: { readonly abbr: string; readonly dataset: string; readonly result: unknown },
): OpencompassFile {
  return {
    path: `results/${asFileName(abbr)}/${asFileName(dataset)}.json`,
    text: JSON.stringify(result, null, 4),
  };
}

function versionOf({ suite, options }: Pick<Task, "suite" | "options">): string {
  return createHash("sha256").update(JSON.stringify([suite, options])).digest("hex").slice(0, 6);
}

/** Returns the compared text of a reply, which is cut if the task trims, with its reference and score. */
function detailOf({ score, value, record }: ScoredReply): OpencompassResult["details"][number] {
  const [pred, answer] = [score!.answer, removeSpace(record.references[0] ?? "")];
  return { pred, answer, "edit_distance": editMatch(pred, answer).distance, score: 100 * value! };
}

/** Quotes a cell that contains commas, quotes or line breaks. OpenCompass does not, but its tool reads quoted cells. */
function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Replaces characters that some file systems refuse. */
function asFileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "_");
}
