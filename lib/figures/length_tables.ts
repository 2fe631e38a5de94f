import type { FigureOptions, Titled } from "./figure.ts";
import { type Table, table } from "./table.ts";
import { anytimeInterval, type BoardRow, type LengthVerdict, meanOfRounds } from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

type ModelRow = Readonly<Record<string, string | null>>;

/** Returns a length of a row in the model's own tokens, if known. */
type NativeLength = (length: number, row: BoardRow) => string | undefined;

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
    readonly nativeLength?: (length: number, row: BoardRow) => string | undefined;
  },
): Table {
  const { nativeLength, ...words } = options;
  const isOwn = new Set(rows.map(({ threshold }) => threshold)).size > 1;
  const models = rows.map((row): ModelRow => ({
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
      "true one in at least 95 of 100 runs. The longest length tried includes all beyond. Last, the score that is nearest to the " +
      "threshold, with its interval.",
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

/** Formats an effective length in the model's own tokens. */
function nativeText(row: BoardRow, nativeLength: NativeLength | undefined): string | null {
  const bracket = row.lengths.find(({ text }) => text === row.found);
  if (bracket === undefined || bracket.length === null) return null;
  const text = nativeLength?.(bracket.length, row);
  return text === undefined ? null : `${/^[<>]/.exec(row.found)?.[0] ?? ""}${text}`;
}

function nearestText({ length, score, low, high }: NonNullable<BoardRow["nearest"]>): string {
  return `${score!.toFixed(1)} at ${lengthText(length)} [${low!.toFixed(1)}, ${high!.toFixed(1)}]`;
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
      threshold,
      verdict: searchVerdict(verdict),
    };
  });
  return table(rows, {
    ...options,
    caption:
      "Rounds of one sample a task; those that share a question or a text count as one. Intervals hold wherever the search stops. A length that was not needed was not asked, " +
      "or only for comparison.",
    n: `${lengths.reduce((sum, { scores }) => sum + scores, 0)} scores`,
    interval: "95% interval in brackets",
    columns: [
      { field: "length", label: "Length" },
      { field: "rounds", label: "Rounds", digits: 0 },
      { field: "score", label: "Mean of tasks (%)", digits: 1, low: "low", high: "high" },
      { field: "threshold", label: "Threshold (%)", digits: 1 },
      { field: "verdict", label: "Verdict" },
    ],
  });
}

/** Formats the verdict of a search on a length. */
export function searchVerdict({ passes, isSettled }: Pick<LengthVerdict, "passes" | "isSettled">): string {
  if (passes === null) return "not needed";
  return `${passes ? "passes" : "falls short"}${isSettled ? "" : ", by the mean of all samples alone"}`;
}
