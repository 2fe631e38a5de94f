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

/**
 * Makes a table of the rows of `comparePairs`: a model compared with a baseline.
 *
 * @param options `models`: their names. `corrected`: the correction, from `comparePairs`. The default title counts the rows in
 *   which one of them is shown to be higher.
 * @throws {RangeError} If there are no rows.
 */
export function comparisonTable(
  rows: readonly PairedRow[],
  options: Partial<Titled> & Pick<Titled, "origin"> & {
    readonly models: readonly [baseline: string, other: string];
    readonly corrected: string;
  },
): Table {
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

/** Formats a p-value with three decimals. */
export function pText(p: number | null): string | null {
  if (p === null) return null;
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}

/**
 * Makes a table of models ranked by `leaderboard`: the mean, and the mean at each length.
 *
 * @param rows At least one, all with the same lengths.
 * @param drawn The default title states which mean is the highest, as far as the intervals decide it.
 */
export function leaderboardTable(
  rows: readonly LeaderboardRow[],
  { title = highestFinding(rows, "mean"), ...drawn }: Partial<Titled> & Pick<Titled, "origin">,
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

/**
 * Makes a table with a row for each model and a column for each task, from `modelTaskScores`: means over all lengths, with
 * intervals and numbers of samples if these are known.
 *
 * @param rows At least one, in the order of the table.
 * @param options `label`: returns the head of the column of a task, by default its name.
 */
export function modelTaskTable(
  rows: readonly ModelTaskScore[],
  options: Titled & { readonly label?: (task: string) => string },
): Table {
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
