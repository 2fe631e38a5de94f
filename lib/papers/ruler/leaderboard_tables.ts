import type { Disagreement } from "./disagreement.ts";
import type { LeaderboardAverages, LeaderboardEntry, SettledLengths } from "./leaderboard.ts";
import { type Column, type Table, table } from "@/lib/figures/mod.ts";
import type { Origin } from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** Options for {@linkcode leaderboardTable}. */
export interface LeaderboardTableOptions {
  /** The finding. */
  readonly title: string;
  /** Where the scores come from. */
  readonly origin: Origin;
  /** Samples behind each score. */
  readonly n: number | string;
  /** What else must be known of the models; said at the end of the caption. */
  readonly remark?: string;
}

type ModelRow = Readonly<Record<string, string | number | null>>;

/**
 * A leaderboard in the form of RULER's Table 3: claimed and effective length, scores by length, averages and ranks. Scores that
 * reach the model's threshold are underlined, as in the paper, and the best of each column is bold.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { leaderboard } from "@/lib/papers/ruler/leaderboard.ts";
 *
 * const scores = [{ length: 4096, score: 96 }, { length: 8192, score: 90 }];
 * const entries = leaderboard([{ model: "one", group: "all", scores, threshold: 85.6 }]);
 * const { text, html } = leaderboardTable(entries, { title: "One", origin: "measured", n: 100 });
 * match(text, />8K +96\.0\+/);
 * match(html, /<u>96\.0<\/u>/);
 * ```
 */
export function leaderboardTable(
  entries: readonly (LeaderboardEntry & LeaderboardAverages & { readonly claimedLength?: string })[],
  { remark, ...options }: LeaderboardTableOptions,
): Table {
  const rows = entries.map((entry): ModelRow => ({
    model: entry.model,
    threshold: entry.threshold,
    claimed: entry.claimedLength ?? null,
    effective: entry.effectiveLength,
    ...Object.fromEntries(entry.scores.map(({ length, score }) => [String(length), score])),
    average: entry.average,
    increasing: rankedText(entry.weightedIncreasing, entry.rankIncreasing),
    decreasing: rankedText(entry.weightedDecreasing, entry.rankDecreasing),
  }));
  const lengths = [...new Set(entries.flatMap(({ scores }) => scores.map(({ length }) => length)))]
    .sort((left, right) => left - right);
  const byLength: Column<ModelRow>[] = lengths.map((length) => ({
    field: String(length),
    label: lengthText(length),
    digits: 1,
    best: "highest",
    underline: (score, { threshold }) =>
      typeof score === "number" && typeof threshold === "number" && score >= threshold,
  }));
  return table(rows, {
    ...options,
    caption: [
      "Scores in percent by context length in tokens, the best of each column in bold.",
      ...(entries.some(({ threshold }) => threshold !== null)
        ? ["What reaches the threshold is underlined (plain text has a + behind it)."]
        : []),
      "Weighted averages weigh lengths 1, 2, 3 … from the shortest (inc) or from the longest (dec); the rank stands behind them.",
      ...(remark === undefined ? [] : [remark]),
    ].join(" "),
    columns: [
      { field: "model", label: "Model" },
      { field: "claimed", label: "Claimed", align: "right" },
      { field: "effective", label: "Effective", align: "right" },
      ...byLength,
      { field: "average", label: "Average", digits: 1, best: "highest" },
      { field: "increasing", label: "wAvg (inc)", align: "right" },
      { field: "decreasing", label: "wAvg (dec)", align: "right" },
    ],
  });
}

function rankedText(average: number | null, rank: number | null): string | null {
  return average === null ? null : `${average.toFixed(1)} (${rank})`;
}

/** Options for {@linkcode disagreementTable}. */
export interface DisagreementTableOptions {
  /** The finding. */
  readonly title: string;
  /** How many rows were compared. */
  readonly compared: number;
}

/**
 * The places of {@linkcode disagreements}, one row each.
 *
 * @throws {RangeError} If there are none.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { disagreements, openPublished } from "@/lib/papers/ruler/mod.ts";
 *
 * const places = disagreements(await openPublished()).filter(({ edition }) => edition === "repository");
 * const { text } = disagreementTable(places, { title: "What does not follow", compared: 44 });
 * match(text, /Qwen3-14B\* \(14B\), effective length +>128K +64K/);
 * ```
 */
export function disagreementTable(
  places: readonly Disagreement[],
  { title, compared }: DisagreementTableOptions,
): Table {
  const columns = ["cause", "kind", "where", "printed", "expected", "why"] as const;
  return table(places, {
    title,
    caption: "Recomputed, or printed otherwise elsewhere; what rounding to the nearest explains is not listed.",
    origin: "published",
    n: `${compared} rows compared`,
    columns: columns.map((field) => ({ field, label: field })),
  });
}

/**
 * How many printed effective lengths are settled, one row for each published table; the title has the sums.
 *
 * @throws {RangeError} If there are no rows.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const row = { table: 3, category: "RULER-13", lengths: 10, settled: 7, most: 3 } as const;
 * equal(settledTable([row]).title, "7 of 10 printed effective lengths are settled by the samples behind them");
 * ```
 */
export function settledTable(rows: readonly SettledLengths[]): Table {
  const total = (part: (row: SettledLengths) => number): number => rows.reduce((sum, row) => sum + part(row), 0);
  const named = rows.map((row) => ({ ...row, name: `Table ${row.table}` }));
  return table(named, {
    title: `${total(({ settled }) => settled)} of ${total(({ lengths }) => lengths)} ` +
      "printed effective lengths are settled by the samples behind them",
    caption:
      "Settled: the 95% confidence set of the effective length holds no other. The spread of scores is taken at its widest, so " +
      "more may be settled; thresholds are taken as certain, so fewer may be.",
    origin: "published",
    n: "500 samples of each task",
    columns: [
      { field: "name", label: "Of" },
      { field: "category", label: "Scores" },
      { field: "lengths", label: "Effective lengths", digits: 0 },
      { field: "settled", label: "Settled", digits: 0 },
      { field: "most", label: "Most lengths not excluded", digits: 0 },
    ],
  });
}
