import { lengthText, type Origin, type ScoreRow } from "@/lib/analysis/mod.ts";
import { type Column, type Table, table } from "../table.ts";

/** Options for {@linkcode scoreTable}. */
export interface ScoreTableOptions {
  /** The finding. */
  readonly title: string;
  /** Where the scores come from. */
  readonly origin: Origin;
}

/** One task across the lengths: cells by length, as text. */
type TaskRow = Readonly<Record<string, string>>;

/**
 * Sets scores as a table: a task a row, a length a column, each score with its 95% interval.
 *
 * @param rows Scores by task and length, tasks in the order they are to stand.
 * @param options The title and the origin.
 * @returns The table; failed calls and empty replies are counted in its note.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const row = { task: "vt", length: 4096, n: 25, score: 92, low: 80.1, high: 97.2, failed: 0, noAnswer: 1 };
 * match(scoreTable([row], { title: "Chains hold", origin: "measured" }).text, /92.0 \[80, 97\]/);
 * ```
 */
export function scoreTable(rows: readonly ScoreRow[], options: ScoreTableOptions): Table {
  const lengths = [...new Set(rows.map(({ length }) => length))].sort((left, right) => left - right);
  const tasks = [...Map.groupBy(rows, ({ task }) => task)].map(([task, ofTask]): TaskRow => ({
    task,
    ...Object.fromEntries(ofTask.map((row) => [String(row.length), cellText(row)])),
  }));
  const columns: Column<TaskRow>[] = lengths.map((length) => ({
    field: String(length),
    label: lengthText(length),
    align: "right",
  }));
  return table(tasks, {
    ...options,
    caption: "Scores in percent. Failed calls are in no score; empty replies score 0.",
    n: countText(rows),
    interval: "95% interval in brackets",
    columns: [{ field: "task", label: "Task" }, ...columns],
  });
}

function cellText({ score, low, high }: ScoreRow): string {
  if (score === null) return "—";
  const interval = low === null || high === null ? "" : ` [${low.toFixed(0)}, ${high.toFixed(0)}]`;
  return `${score.toFixed(1)}${interval}`;
}

function countText(rows: readonly ScoreRow[]): string {
  const counts = [...new Set(rows.map(({ n }) => n))].sort((left, right) => left - right);
  const samples = counts.length === 1 ? `${counts[0]}` : `${counts[0]} to ${counts.at(-1)}`;
  const most = (field: "failed" | "noAnswer"): number => Math.max(0, ...rows.map((row) => row[field]));
  return `n = ${samples} a cell, at most ${most("failed")} failed calls and ${most("noAnswer")} empty replies in one`;
}
