import type { JudgeRow, Origin } from "@/lib/analysis/mod.ts";
import { type Column, type Table, table } from "../table.ts";

/** Options for {@linkcode judgeTable}. */
export interface JudgeTableOptions {
  /** The finding. */
  readonly title: string;
  /** Where the replies come from, and the judge's grades where that is elsewhere. */
  readonly origin: Origin | Readonly<Record<string, Origin>>;
}

/**
 * Sets a judging model beside the rubric as a table: recall by each, how often they agree, and what stayed unscored. Without a judge
 * it is the rubric alone.
 *
 * @param rows Rows from `judgeRows`.
 * @param options The title and the origins.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const row = { task: "a", replies: 9, unscored: 1, failed: 0, byRubric: 95, byJudge: 90, accepted: 100, kappa: null };
 * match(judgeTable([row], { title: "Alike", origin: "measured" }).text, /a +9 +0 +95\.0 +1 +90\.0 +100\.0 +–/);
 * ```
 */
export function judgeTable(rows: readonly JudgeRow[], options: JudgeTableOptions): Table {
  const { replies, unscored } = rows.at(-1) ?? { replies: 0, unscored: 0 };
  const hasJudge = rows.some(({ byJudge, unscored }) => byJudge !== null || unscored > 0);
  const counts: Column<JudgeRow>[] = [
    { field: "task", label: "Task" },
    { field: "replies", label: "Replies" },
    { field: "failed", label: "Failed calls" },
  ];
  const judged: Column<JudgeRow>[] = [
    { field: "unscored", label: "Unscored" },
    { field: "byJudge", label: "Recall by judge (%)", digits: 1, align: "right" },
    { field: "accepted", label: "Alike (%)", digits: 1, align: "right" },
    { field: "kappa", label: "Kappa", digits: 3, align: "right" },
  ];
  return table(rows, {
    ...options,
    n: `${replies} replies${hasJudge ? `, ${unscored} unscored` : ""}`,
    caption: hasJudge
      ? "Recalls are of the replies that both graded. Alike: both accept (4 and above) or both reject. Kappa has squared " +
        "weights. Unscored: the judge gave no grade that can be read, twice."
      : "Recall = sum of grades / (5 x replies); a model that finds nothing has 20%.",
    columns: [
      ...counts,
      { field: "byRubric", label: "Recall by rubric (%)", digits: 1, align: "right" },
      ...(hasJudge ? judged : []),
    ],
  });
}
