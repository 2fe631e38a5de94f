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

/**
 * Gives the scores of a published row with intervals, as if each had been measured here.
 *
 * The paper prints no intervals. These are the mid-p ones of as many yes/no answers as were asked: {@linkcode
 * PAPER_SAMPLES} times the number of tasks. Scores that are shares vary less than that, and so does a mean over tasks
 * of different difficulty; so these intervals are at their widest, as far as the drawing of samples goes. They say
 * nothing of other prompts, seeds or decoding.
 *
 * @param row A row of a published table.
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
 * const at32k = publishedScoreRows(mixtral).find((row) => row.length === 32_768)!;
 * ok(at32k.low! < 85.6 && at32k.high! > 85.6);
 * ```
 */
export function publishedScoreRows(row: PublishedRow): readonly ScoreRow[] {
  const n = TASKS[row.category] * PAPER_SAMPLES;
  return row.scores.map(({ length, score }) => {
    const { low, high } = midInterval((score / 100) * n, n);
    return { task: row.category, length, n, score, low: 100 * low, high: 100 * high, failed: 0, noAnswer: 0 };
  });
}
