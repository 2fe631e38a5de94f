import type { FigureOptions, Titled } from "./figure.ts";
import { type Column, type Table, table } from "./table.ts";
import { anytimeInterval, type BoardRow, type LengthVerdict } from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

type ModelRow = Readonly<Record<string, string | null>>;

/** Options for {@linkcode effectiveLengthTable}. */
export interface EffectiveLengthTableOptions extends Titled, Pick<FigureOptions, "n"> {
  /** Gives a length of a row in the model's own tokens, where it is known; without it there is no such column. */
  readonly nativeLength?: (length: number, row: BoardRow) => string | undefined;
}

/**
 * Makes a table of effective lengths with the probability of each length, and the score that decides.
 *
 * @param rows Models with their chances, from `effectiveLengthBoard`.
 * @throws {RangeError} If there are no rows.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { effectiveLengthBoard } from "@/lib/statistics/mod.ts";
 *
 * const row = { task: "all 13 tasks", length: 4096, n: 325, failed: 0, noAnswer: 0, score: 85.9, low: 82, high: 89 };
 * const board = effectiveLengthBoard([{ model: "one", rows: [row], threshold: 85.6 }]);
 * match(effectiveLengthTable(board, { title: "One", origin: "measured", n: 325 }).text, />4K.*56%.*85.9 at 4K \[82.0, 89.0\]/);
 * ```
 */
export function effectiveLengthTable(rows: readonly BoardRow[], options: EffectiveLengthTableOptions): Table {
  const { nativeLength, ...words } = options;
  const lengths = [...new Set(rows.flatMap(({ brackets }) => brackets.map(({ length }) => length ?? 0)))]
    .sort((left, right) => left - right);
  const shortest = lengths.find((length) => length > 0) ?? 0;
  const isOwn = new Set(rows.map(({ threshold }) => threshold)).size > 1;
  const models = rows.map((row): ModelRow => {
    const { model, threshold, found, chance, isSettled, brackets, nearest } = row;
    return {
      model,
      threshold: threshold === null ? null : threshold.toFixed(1),
      found: isSettled || chance === null ? found : `${found} ?`,
      native: nativeText(row, nativeLength),
      chance: chance === null ? null : percentText(chance),
      nearest: nearest === null ? null : nearestText(nearest),
      refused: row.refused === undefined ? null : row.refused.map(refusedText).join(", "),
      ...Object.fromEntries(brackets.map(({ length, chance }) => [String(length ?? 0), percentText(chance)])),
    };
  });
  // Against its own score a model always passes at the shortest length.
  const isBelow = ({ brackets }: BoardRow): boolean =>
    brackets.some(({ length, chance }) => length === null && chance > 0);
  const shown = lengths.filter((length) => length > 0 || rows.some(isBelow));
  const columns = shown.map((length): Column<ModelRow> => ({
    field: String(length),
    label: length === 0 ? `<${lengthText(shortest)}` : lengthText(length),
    align: "right",
  }));
  return table(models, {
    ...words,
    caption:
      "The effective length by the scores, and the chance that the true scores give the same; a question mark means that this " +
      "is below 95%. Then the chance of each length, the longest one tried including all beyond; and the score that " +
      "is nearest to the threshold, with its interval. Lengths are taken as independent.",
    interval: "95% interval in brackets",
    columns: [
      { field: "model", label: "Model" },
      ...(isOwn ? [{ field: "threshold", label: "Threshold (%)", align: "right" } as const] : []),
      { field: "found", label: "Effective", align: "right" },
      ...(nativeLength === undefined ? [] : [{ field: "native", label: "In its own tokens", align: "right" } as const]),
      { field: "chance", label: "Chance", align: "right" },
      ...columns,
      { field: "nearest", label: "Nearest score (%)" },
      ...(rows.some(({ refused }) => refused !== undefined)
        ? [{ field: "refused", label: "Refused as too long" } as const]
        : []),
    ],
  });
}

/** How many prompts of a length were refused, such as `32K: all 25` or `32K: 5 of 25`. */
function refusedText({ length, n, refused }: NonNullable<BoardRow["refused"]>[number]): string {
  return `${lengthText(length)}: ${n === 0 ? `all ${refused}` : `${refused} of ${n + refused}`}`;
}

/** An effective length in the model's own tokens; below the shortest length, what that is. */
function nativeText(row: BoardRow, nativeLength: EffectiveLengthTableOptions["nativeLength"]): string | null {
  const bracket = row.brackets.find(({ text }) => text === row.found);
  if (bracket === undefined || bracket.length === null) return null;
  const text = nativeLength?.(bracket.length, row);
  return text === undefined ? null : `${/^[<>]/.exec(row.found)?.[0] ?? ""}${text}`;
}

function nearestText({ length, score, low, high }: NonNullable<BoardRow["nearest"]>): string {
  return `${score!.toFixed(1)} at ${lengthText(length)} [${low!.toFixed(1)}, ${high!.toFixed(1)}]`;
}

/** A chance in whole percent, never rounded to 0 or 100. */
function percentText(chance: number): string {
  if (chance === 0 || chance < 1e-6) return "0%";
  if (chance === 1 || chance > 1 - 1e-6) return "100%";
  return chance < 0.01 ? "<1%" : chance > 0.99 ? ">99%" : `${Math.round(100 * chance)}%`;
}

/**
 * Makes a table of what an adaptive search knows about each length.
 *
 * @throws {RangeError} If there are no lengths.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { searchWith } from "@/lib/statistics/mod.ts";
 *
 * const { lengths } = searchWith(() => 1, { tasks: ["vt"], lengths: [4096, 8192], samples: 100, threshold: 85.6 });
 * match(searchTable(lengths, { title: "Found", origin: "simulated" }).text, /8K.*passes/);
 * ```
 */
export function searchTable(lengths: readonly LengthVerdict[], options: Titled): Table {
  const rows = lengths.map(({ length, rounds, threshold, ...verdict }) => {
    const scores = rounds.flat();
    const { low, high } = anytimeInterval(rounds);
    const known = scores.length > 0;
    return {
      length: lengthText(length),
      rounds: rounds.length,
      score: known ? 100 * scores.reduce((sum, score) => sum + score, 0) / scores.length : null,
      low: known ? 100 * low : null,
      high: known ? 100 * high : null,
      threshold,
      verdict: searchVerdict(verdict),
    };
  });
  return table(rows, {
    ...options,
    caption:
      "Rounds of one sample a task. Intervals hold wherever the search stops. A length that was not needed was not asked, " +
      "or only for comparison.",
    n: `${lengths.reduce((sum, { rounds }) => sum + rounds.flat().length, 0)} scores`,
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

/** What a search says of a length. */
export function searchVerdict({ passes, isSettled }: Pick<LengthVerdict, "passes" | "isSettled">): string {
  if (passes === null) return "not needed";
  return `${passes ? "passes" : "falls short"}${isSettled ? "" : ", by the mean of all samples alone"}`;
}
