import type { Titled } from "./figure.ts";
import { type Table, table } from "./table.ts";
import { capitalised } from "./text_fit.ts";
import {
  highestFinding,
  type LeaderboardRow,
  type ModelTaskScore,
  type PairedRow,
  type ScoreWithInterval,
  unitsText,
} from "@/lib/statistics/mod.ts";
import { lengthText, plural } from "@/lib/text/mod.ts";

/** Options for {@linkcode comparisonTable}. */
export interface ComparisonTableOptions extends Pick<Titled, "origin" | "warning"> {
  /** The names of the two models. */
  readonly models: readonly [baseline: string, other: string];
  /** How p-values were corrected, from `comparePairs`. */
  readonly corrected: string;
  /** The finding; by default in how many rows one is shown to be higher. */
  readonly title?: string;
}

/**
 * Makes a table of a model compared with a baseline by `comparePairs`: a row for all samples, each length, task and third of the
 * context, or whatever was compared.
 *
 * @throws {RangeError} If there are no rows.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { comparePairs } from "@/lib/statistics/mod.ts";
 *
 * const lost = { task: "vt", length: 4096, third: null, baseline: 1, other: 0 };
 * const { rows, corrected } = comparePairs([Array(8).fill(lost)]);
 * const { text } = comparisonTable(rows[0]!, { models: ["f16", "q4_0"], corrected, origin: "measured" });
 * match(text, /vt +task +8 +100\.0 +0\.0 +-100\.0 \[/);
 * ```
 */
export function comparisonTable(rows: readonly PairedRow[], options: ComparisonTableOptions): Table {
  const { models: [baseline, other], corrected, title = titleOf(rows, [baseline, other]), ...drawn } = options;
  const written = rows.map((row) => ({
    ...row,
    by: BY[row.by],
    corrected: pText(row.adjusted),
    verdict: row.higher === null ? "no difference shown" : `${row.higher === "baseline" ? baseline : other} is higher`,
  }));
  return table(written, {
    title,
    ...drawn,
    caption:
      `Differences in points, ${other} less ${baseline}, on the same samples: below 0 is a loss. In each row every task at a ` +
      `length weighs the same; thirds of the context have the tasks with one target. Intervals are those of single rows. ${
        capitalised(corrected)
      }; a difference counts as shown if the corrected p-value is at most 5% and the interval excludes 0.`,
    n: "samples as in each row",
    interval: unitsText(rows),
    columns: [
      { field: "name", label: "Samples" },
      { field: "by", label: "By" },
      { field: "n", label: "n", digits: 0 },
      { field: "baseline", label: `${baseline} (%)`, digits: 1 },
      { field: "other", label: `${other} (%)`, digits: 1 },
      { field: "difference", label: "Difference", digits: 1, low: "low", high: "high" },
      { field: "corrected", label: "p, corrected", align: "right" },
      { field: "verdict", label: "What it shows" },
    ],
  });
}

const BY: Readonly<Record<PairedRow["by"], string>> = {
  all: "",
  length: "length",
  task: "task",
  third: "depth of the target",
  group: "group and length",
};

function titleOf(rows: readonly PairedRow[], [baseline, other]: readonly [string, string]): string {
  const [lower, higher] = (["baseline", "other"] as const).map((which) =>
    rows.filter((row) => row.higher === which).length
  );
  if (lower === 0 && higher === 0) return `${other} against ${baseline}: no difference is shown`;
  const of = `of ${rows.length} ${plural(rows.length, "comparison")}`;
  return `${other} against ${baseline}: lower in ${lower} ${of}, higher in ${higher}`;
}

/** A p-value with three decimals. */
export function pText(p: number | null): string | null {
  if (p === null) return null;
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}

/**
 * Makes a table of models ranked by `leaderboard`: the mean, and the mean at each length.
 *
 * @param rows At least one, all with the same lengths.
 * @param drawn The title, by default what the intervals say of the highest mean, and the origin.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { leaderboard } from "@/lib/statistics/mod.ts";
 *
 * const record = { task: "vt", length: 4096, value: 1, failed: false, noAnswer: false };
 * match(leaderboardTable(leaderboard([{ name: "a", records: [record] }]), { origin: "measured" }).text, /a +1 +100\.0 \[/);
 * ```
 */
export function leaderboardTable(
  rows: readonly LeaderboardRow[],
  { title = highestFinding(rows, "mean"), ...drawn }:
    & Pick<Titled, "origin" | "warning">
    & Partial<Pick<Titled, "title">>,
): Table {
  const [best] = rows;
  const written = rows.map(({ lengths, ...row }) => ({
    ...row,
    ...Object.fromEntries(lengths.map((each) => [`${each.length}`, scoreText(each)])),
  }));
  return table<Readonly<Record<string, string | number>>>(written, {
    title,
    ...drawn,
    caption:
      "Means in percent over the samples that all of these were asked and have a score for; every task at a length weighs the " +
      "same. Whether two of them differ is told by the pairs, not by whether intervals overlap.",
    n: `${best?.n ?? 0} ${plural(best?.n ?? 0, "sample")}`,
    interval: unitsText(rows),
    columns: [
      { field: "name", label: "Run" },
      { field: "n", label: "n", digits: 0 },
      { field: "score", label: "All (%)", digits: 1, low: "low", high: "high" },
      ...(best?.lengths ?? []).map(({ length }) => ({
        field: `${length}`,
        label: `${lengthText(length)} (%)`,
        align: "right" as const,
      })),
    ],
  });
}

function scoreText({ score, low, high }: ScoreWithInterval): string {
  return `${score.toFixed(1)} [${low.toFixed(1)}, ${high.toFixed(1)}]`;
}

/** Options for {@linkcode modelTaskTable}. */
export interface ModelTaskTableOptions extends Titled {
  /** What the column of a task is called; its name unless given. */
  readonly label?: (task: string) => string;
}

/**
 * Makes a table with a row for each model and a column for each task, from `modelTaskScores`: means over all lengths, with
 * intervals and the number of samples where they are known.
 *
 * @param rows At least one, in the order of the table.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const row = { model: "a", task: "vt", score: 50, low: 20, high: 80, n: 8 };
 * const { text } = modelTaskTable([row], { title: "Half of the chains", origin: "measured" });
 * match(text, /a +50\.0 \[20, 80\] \(8\)/);
 * ```
 */
export function modelTaskTable(rows: readonly ModelTaskScore[], options: ModelTaskTableOptions): Table {
  const { label = (task) => task, ...drawn } = options;
  const tasks = [...new Set(rows.map(({ task }) => task))];
  const models = [...Map.groupBy(rows, ({ model }) => model)].map((
    [model, ofModel],
  ): Readonly<Record<string, string>> => (
    { model, ...Object.fromEntries(ofModel.map((row) => [`task ${row.task}`, taskScoreText(row)])) }
  ));
  const isCounted = rows.some(({ n }) => n !== null);
  return table(models, {
    ...drawn,
    caption: "Mean scores in percent over all lengths, each task by itself" +
      `${isCounted ? ", with the number of samples in parentheses. Failed calls are in no score" : ""}.`,
    n: isCounted ? "samples as in each cell" : "samples not stated",
    ...(rows.some(({ low }) => low !== null) ? { interval: "95% interval over samples in brackets" } : {}),
    columns: [
      { field: "model", label: "Model" },
      ...tasks.map((task) => ({ field: `task ${task}`, label: label(task), align: "right" as const })),
    ],
  });
}

function taskScoreText({ score, low, high, n }: ModelTaskScore): string {
  const interval = low === null || high === null ? "" : ` [${low.toFixed(0)}, ${high.toFixed(0)}]`;
  return `${score.toFixed(1)}${interval}${n === null ? "" : ` (${n})`}`;
}
