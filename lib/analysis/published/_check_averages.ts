import { isRoundedWrongly, roundingReason, roundingSlack } from "./_rounding.ts";
import type { Disagreement, DisagreementCause, DisagreementKind } from "./disagreement.ts";
import { leaderboard, type LeaderboardAverages } from "../ruler/leaderboard.ts";
import type { PublishedRow } from "./published.ts";

const AVERAGES = [
  ["average", "Avg."],
  ["weightedIncreasing", "wAvg. (inc)"],
  ["weightedDecreasing", "wAvg. (dec)"],
] as const;
const RANKS = [["rankIncreasing", "rank (inc)"], ["rankDecreasing", "rank (dec)"]] as const;

/** Computes every average, rank and effective length again and lists those that are printed otherwise. */
export function checkAverages(rows: readonly PublishedRow[]): readonly Disagreement[] {
  const tables = Map.groupBy(rows, (row) => `${row.edition} ${row.table}`);
  return [...tables.values()].flatMap((table) => leaderboard(table).flatMap(checkRow));
}

function checkRow(row: PublishedRow & LeaderboardAverages): readonly Disagreement[] {
  const { edition, table, model, printed } = row;
  const differs = (
    column: string,
    kind: DisagreementKind,
    found: {
      readonly printed: number | string;
      readonly expected: number | string;
      readonly why: string;
      readonly cause?: DisagreementCause;
    },
  ): Disagreement => ({
    kind,
    cause: found.cause ?? "misprint",
    edition,
    where: `Table ${table}, ${model}, ${column}`,
    printed: String(found.printed),
    expected: String(found.expected),
    why: found.why,
  });
  const found: Disagreement[] = [];
  for (const [key, column] of AVERAGES) {
    const [was, is] = [printed[key], row[key]];
    if (was === null || is === null || Math.abs(was - is) <= roundingSlack(table)) continue;
    const cause = isRoundedWrongly(was, is) ? "rounding" : "misprint";
    const why = roundingReason(table, cause);
    found.push(differs(column, "average", { printed: was.toFixed(1), expected: is.toFixed(3), why, cause }));
  }
  for (const [key, column] of RANKS) {
    const [was, is] = [printed[key], row[key]];
    if (was === null || is === null || was === is) continue;
    const why = "Models are ranked by the weighted average before it is rounded, within their group.";
    found.push(differs(column, "rank", { printed: was, expected: is, why }));
  }
  const [was, is] = [printed.effectiveLength, row.effectiveLength];
  if (was !== null && is !== null && plain(was) !== plain(is)) {
    const why = `The effective length is the longest whose score is at least the threshold, ${row.threshold}.`;
    found.push(differs("effective length", "effective length", { printed: was, expected: is, why }));
  }
  return found;
}

/**
 * An effective length without the notation that editions differ in: `128k` and `>128K` both say that the longest length
 * passes.
 */
function plain(text: string): string {
  return text.toUpperCase().replace(/^>/, "");
}
