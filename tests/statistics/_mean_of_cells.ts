import { meanOfRows, type ScoredRecord, type ScoreWithInterval, summarise } from "@/lib/statistics/mod.ts";

/** Returns the mean of all tasks and lengths with equal weights, as a leaderboard averages lengths. */
export function meanOfCells(records: readonly ScoredRecord[]): ScoreWithInterval {
  const rows = summarise(records) as Parameters<typeof meanOfRows>[0];
  return meanOfRows(rows, rows.map(() => 1));
}
