import type { FigureOptions, Titled } from "./figure.ts";
import { type Table, table } from "./table.ts";
import { capitalised } from "./text_fit.ts";
import { intervalText } from "./tooltips.ts";
import { lengthText, plural, sum } from "@/lib/base/mod.ts";
import {
  anytimeInterval,
  type BoardRow,
  type LengthVerdict,
  meanOfRounds,
  type ModelTaskScore,
  type PairedRow,
  statedInterval,
  unitsText,
} from "@/lib/statistics/mod.ts";

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
    verdict: verdictOf(row, [baseline, other]),
  }));
  return table(written, {
    title,
    ...drawn,
    caption:
      `Differences in points, ${other} less ${baseline}, on the same samples: below 0 is a loss. In each row every task at a ` +
      `length weighs the same; thirds of the context have the tasks with one target. Intervals are those of single rows. ${
        capitalised(corrected)
      }. A difference counts as shown if the corrected p-value, the larger of a sign-flip test's and the interval's, is at most 5%.`,
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

/**
 * Returns a sentence on what each run loses or gains over all samples, such as "A 4-bit cache costs 19.3 points [15.3, 23.3].". Without
 * intervals only a difference that is shown has a number, so that the sentence can be read aloud.
 */
export function changeSentence(
  changes: readonly (Pick<PairedRow, "difference" | "higher" | "low" | "high"> & {
    readonly name: string;
    readonly units?: number;
  })[],
  { withIntervals = true }: { readonly withIntervals?: boolean } = {},
): string {
  const texts = changes.map(({ name, higher, ...change }) => {
    const { difference, low, high } = change;
    const shown = higher === "baseline" ? { ...change, difference: -difference, low: -high, high: -low } : change;
    const text = `${shown.difference.toFixed(1)} points${withIntervals ? intervalText(shown) : ""}`;
    const points = text.replaceAll("-", "−");
    if (higher !== null) return `${name} ${higher === "baseline" ? "costs" : "gains"} ${points}`;
    const none = `${name} shows no ${difference < 0 ? "loss" : "difference"}`;
    return withIntervals ? `${none} (${points})` : none;
  });
  // A model's name keeps its first letter.
  return `${/^an? /.test(texts[0] ?? "") ? capitalised(texts.join("; ")) : texts.join("; ")}.`;
}

function verdictOf({ higher, ...row }: PairedRow, [baseline, other]: readonly [string, string]): string {
  if (higher === null) return statedInterval(row).low === null ? unitsText([row]) : "no difference shown";
  return `${higher === "baseline" ? baseline : other} is higher`;
}

const BY: Readonly<Record<PairedRow["by"], string>> = {
  all: "",
  length: "length",
  task: "task",
  third: "depth of the target",
};

function titleOf(rows: readonly PairedRow[], [baseline, other]: readonly [string, string]): string {
  const [lower, higher] = (["baseline", "other"] as const).map((which) =>
    rows.filter((row) => row.higher === which).length
  );
  if (lower === 0 && higher === 0) return `${other} against ${baseline}: no difference is shown`;
  const of = `of ${rows.length} ${plural(rows.length, "comparison")}`;
  return `${other} against ${baseline}: lower in ${lower} ${of}, higher in ${higher}`;
}

export function pText(p: number | null): string | null {
  if (p === null) return null;
  return p < 0.001 ? "<0.001" : p.toFixed(3);
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
    ...(rows.some(({ low }) => low !== null) ? { interval: unitsText(rows) } : {}),
    columns: [
      { field: "model", label: "Model" },
      ...tasks.map((task) => ({ field: `task ${task}`, label: label(task), align: "right" as const })),
    ],
  });
}

function taskScoreText(row: ModelTaskScore): string {
  return `${row.score.toFixed(1)}${intervalText(row, 0)}${row.n === null ? "" : ` (${row.n})`}`;
}

/**
 * Makes a table of effective lengths, the lengths that the scores do not exclude, and the score nearest to the threshold.
 *
 * @param rows From `effectiveLengthBoard`.
 * @param options `nativeLength`: returns a length of a row in the model's own tokens, if known; adds a column.
 * @throws {RangeError} If there are no rows.
 */
export function effectiveLengthTable(
  rows: readonly BoardRow[],
  options: Titled & Pick<FigureOptions, "n"> & {
    readonly nativeLength?: ((length: number, row: BoardRow) => string | undefined) | undefined;
  },
): Table {
  const { nativeLength, ...words } = options;
  const isOwn = new Set(rows.map(({ threshold }) => threshold)).size > 1;
  const models = rows.map((row): Readonly<Record<string, string | null>> => ({
    model: row.model,
    threshold: row.threshold === null ? null : row.threshold.toFixed(1),
    found: row.found,
    native: nativeText(row, nativeLength),
    range: row.lengths.length === 0 ? null : row.range,
    nearest: row.nearest === null ? null : nearestText(row.nearest),
    refused: row.refused === undefined ? null : row.refused.map(refusedText).join(", "),
  }));
  return table(models, {
    ...words,
    caption:
      "The effective length by the scores, and the lengths that the scores do not exclude: a 95% confidence set, which holds the " +
      "true one in at least 95 of 100 runs. The longest length tried includes all beyond. Last, the score that is fewest " +
      "standard errors from the threshold, with its interval.",
    interval: "95% interval in brackets",
    columns: [
      { field: "model", label: "Model" },
      ...(isOwn ? [{ field: "threshold", label: "Threshold (%)", align: "right" } as const] : []),
      { field: "found", label: "Effective", align: "right" },
      ...(nativeLength === undefined ? [] : [{ field: "native", label: "In its own tokens", align: "right" } as const]),
      { field: "range", label: "Not excluded", align: "right" },
      { field: "nearest", label: "Nearest score (%)" },
      ...(rows.some(({ refused }) => refused !== undefined)
        ? [{ field: "refused", label: "Refused as too long" } as const]
        : []),
    ],
  });
}

/** Formats the share of refused prompts of a length, such as `32K: all 25` or `32K: 5 of 25`. */
function refusedText({ length, n, refused }: NonNullable<BoardRow["refused"]>[number]): string {
  return `${lengthText(length)}: ${n === 0 ? `all ${refused}` : `${refused} of ${n + refused}`}`;
}

function nativeText(
  row: BoardRow,
  nativeLength: ((length: number, row: BoardRow) => string | undefined) | undefined,
): string | null {
  const bracket = row.lengths.find(({ text }) => text === row.found);
  if (bracket === undefined || bracket.length === null) return null;
  const text = nativeLength?.(bracket.length, row);
  return text === undefined ? null : `${/^[<>]/.exec(row.found)?.[0] ?? ""}${text}`;
}

function nearestText(row: NonNullable<BoardRow["nearest"]>): string {
  return `${row.score!.toFixed(1)} at ${lengthText(row.length)}${intervalText(row)}`;
}

/**
 * Makes a table of the state of each length in an adaptive search.
 *
 * @throws {RangeError} If there are no lengths.
 */
export function searchTable(lengths: readonly LengthVerdict[], options: Titled): Table {
  const rows = lengths.map(({ length, rounds, weights, threshold, ...verdict }) => {
    const given = weights === undefined ? { rounds } : { rounds, weights };
    const { low, high } = anytimeInterval(given);
    const known = rounds.length > 0;
    return {
      length: lengthText(length),
      rounds: rounds.length,
      score: known ? 100 * meanOfRounds(given) : null,
      low: known ? 100 * low : null,
      high: known ? 100 * high : null,
      units: rounds.flat().length,
      threshold,
      verdict: searchVerdict(verdict),
    };
  });
  return table(rows, {
    ...options,
    caption:
      "Rounds of one sample a task; those that share a question or a text count as one. Intervals hold wherever the search stops. A length that was not needed was not asked, " +
      "or only for comparison.",
    n: `${sum(lengths, ({ scores }) => scores)} scores`,
    interval: unitsText(rows),
    columns: [
      { field: "length", label: "Length" },
      { field: "rounds", label: "Rounds", digits: 0 },
      { field: "score", label: "Mean of tasks (%)", digits: 1, low: "low", high: "high" },
      { field: "threshold", label: "Threshold (%)", digits: 1 },
      { field: "verdict", label: "Verdict" },
    ],
  });
}

function searchVerdict({ passes, isSettled }: Pick<LengthVerdict, "passes" | "isSettled">): string {
  if (passes === null) return "not needed";
  return `${passes ? "passes" : "falls short"}${isSettled ? "" : ", by the mean of all samples alone"}`;
}
