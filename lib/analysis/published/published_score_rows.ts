import { findRow, scoreAt } from "./_find_row.ts";
import { midInterval } from "../intervals/interval.ts";
import type { PublishedCategory } from "./_published_tables.ts";
import type { PublishedRow } from "./published.ts";
import type { ScoreRow } from "../row.ts";

/** How many samples of each task and length the RULER paper asks (section 4). */
export const PAPER_SAMPLES = 500;

const TASKS: Readonly<Record<PublishedCategory, number>> = {
  "RULER-13": 13,
  "passkey": 1,
  "vanilla_niah": 1,
  "retrieval": 8,
  "multi_hop_tracing": 1,
  "aggregation": 2,
  "qa": 2,
};

/** The categories that a mean over 13 tasks is of. */
const CATEGORIES = ["retrieval", "multi_hop_tracing", "aggregation", "qa"] as const;

/** Options for {@linkcode publishedScoreRows}. */
export interface PublishedScoreOptions {
  /**
   * Rows of other tables. Where those of the same edition print the model's four categories, its mean over 13 tasks gets
   * the narrower interval that they allow.
   *
   * @default {[]}
   */
  readonly beside?: readonly PublishedRow[];
}

/**
 * Gives the scores of a published row with intervals, as if each had been measured here.
 *
 * The paper prints no intervals. These are the mid-p ones of as many yes/no answers as were asked: {@linkcode
 * PAPER_SAMPLES} times the number of tasks. They are upper bounds: scores that are shares vary less, and so does a mean
 * over tasks of different difficulty. Where the categories are known, that part of the difficulty is taken out. Yi-34B's
 * 83.2 at 64K, for one, is known to 0.91 points from its mean alone, to 0.84 with its categories, and to 0.75 with its 13
 * task scores, which were published of no other model. The intervals say nothing of other prompts, seeds or decoding.
 *
 * @param row A row of a published table.
 * @param options Where the categories are printed.
 * @returns A row for each length, `task` being the table's category; `failed` and `noAnswer` are unknown and stand at
 * 0.
 *
 * @example Mixtral's 85.9 at 32K is not surely above the threshold of 85.6
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { openPublished } from "@/lib/analysis/mod.ts";
 *
 * const { rows } = await openPublished();
 * const mixtral = rows.find((row) => row.table === 3 && row.model === "Mixtral (8x7B)")!;
 * const at32k = publishedScoreRows(mixtral, { beside: rows }).find((row) => row.length === 32_768)!;
 * ok(at32k.low! < 85.6 && at32k.high! > 85.6);
 * ```
 */
export function publishedScoreRows(row: PublishedRow, options: PublishedScoreOptions = {}): readonly ScoreRow[] {
  const { beside = [] } = options;
  const n = TASKS[row.category] * PAPER_SAMPLES;
  return row.scores.map(({ length, score }) => {
    const share = score / 100;
    const trials = n * Math.max(1, (share * (1 - share)) / (withinCategories(row, length, beside) ?? Infinity));
    const { low, high } = midInterval(share * trials, trials);
    return { task: row.category, length, n, score, low: 100 * low, high: 100 * high, failed: 0, noAnswer: 0 };
  });
}

/** The greatest variance that an answer of a mean over 13 tasks can have on average, where its categories are known. */
function withinCategories(row: PublishedRow, length: number, beside: readonly PublishedRow[]): number | null {
  if (row.category !== "RULER-13" || beside.length === 0) return null;
  const { edition, model } = row;
  const parts = CATEGORIES.map((category) => {
    const score = scoreAt(findRow(beside, { edition, category, model }), length);
    return score === undefined ? null : TASKS[category] * (score / 100) * (1 - score / 100);
  });
  const known = parts.filter((part) => part !== null);
  const variance = known.reduce((sum, part) => sum + part, 0) / TASKS[row.category];
  return known.length === CATEGORIES.length && variance > 0 ? variance : null;
}
