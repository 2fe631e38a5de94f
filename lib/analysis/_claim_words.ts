import { leaderboard, type LeaderboardAverages } from "./ruler/leaderboard.ts";
import type { Finding } from "./claims.ts";
import { scoreAt } from "./published/_find_row.ts";
import { readLengthText } from "./length_text.ts";
import type { PublishedRow, RulerPublished } from "./published/published.ts";

/** A row of a published table with its averages computed again. */
export type ComputedRow = PublishedRow & LeaderboardAverages;

/** The rows of a table of the first edition, which is the one that makes the claims. */
export function tableOf(published: RulerPublished, table: number): readonly ComputedRow[] {
  return leaderboard(published.rows.filter((row) => row.edition === "v1" && row.table === table));
}

/** A row by the start of its model's name. */
export function rowOf(rows: readonly ComputedRow[], name: string): ComputedRow {
  return rows.find((row) => row.model.startsWith(name))!;
}

/** A row's score at a length that its table prints. */
export function at(row: ComputedRow, length: number): number {
  return scoreAt(row, length)!;
}

/** A verdict that printed numbers decide. */
export function decided(holds: boolean, observed: string): Finding {
  return { verdict: holds ? "holds" : "fails", observed };
}

/** Names with numbers: `GPT-4 96.6, Yi (34B) 93.3`. */
export function listed(items: readonly (readonly [string, number])[]): string {
  return items.length === 0 ? "none" : items.map(([name, value]) => `${name} ${value.toFixed(1)}`).join(", ");
}

/** The longest tested length that a model's makers claim. */
export function longestWithinClaim(row: ComputedRow): number {
  const claimed = readLengthText(row.claimedLength);
  return Math.max(...row.scores.map(({ length }) => length).filter((length) => length <= claimed));
}
