import { findRow, scoreAt } from "./_find_row.ts";
import type { PublishedCategory } from "./_published_tables.ts";
import type { PublishedRow } from "./published.ts";

/** Scores of the four categories, in percent. */
export interface CategoryScores {
  /** The mean over the 8 needle tasks. */
  readonly retrieval: number;
  /** Variable tracking. */
  readonly multiHop: number;
  /** The mean over common and frequent words. */
  readonly aggregation: number;
  /** The mean over the two question sets. */
  readonly questions: number;
}

/**
 * Gives the mean over RULER's 13 tasks that the four categories imply: `(8 NIAH + VT + 2 AG + 2 QA) / 13`.
 *
 * @param scores The categories' scores.
 * @returns The mean over 13 tasks, in percent.
 *
 * @example GPT-4 at 4K, from Tables 13 to 16; Table 3 prints the same
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const total = impliedTotal({ retrieval: 99.9, multiHop: 100, aggregation: 99.0, questions: 79.0 });
 * equal(total.toFixed(1), "96.6");
 * ```
 */
export function impliedTotal(scores: CategoryScores): number {
  return (8 * scores.retrieval + scores.multiHop + 2 * scores.aggregation + 2 * scores.questions) / 13;
}

/** A printed mean over 13 tasks beside the one that the printed categories imply. */
export interface ImpliedTotal {
  /** The row of Table 3 or 12. */
  readonly row: PublishedRow;
  /** Context length in tokens. */
  readonly length: number;
  /** The mean over 13 tasks as printed, in percent. */
  readonly printed: number;
  /** The mean over 13 tasks that Tables 13 to 16 imply, in percent. */
  readonly implied: number;
}

/**
 * Puts every mean over 13 tasks of Tables 3 and 12 beside what Tables 13 to 16 imply.
 *
 * @param rows Published rows; those of one edition are compared with each other.
 * @returns A pair for each model and length that all five tables print.
 *
 * @example
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { openPublished } from "@/lib/analysis/mod.ts";
 *
 * const { rows } = await openPublished();
 * ok(impliedTotals(rows).every(({ printed, implied }) => Math.abs(printed - implied) < 0.1));
 * ```
 */
export function impliedTotals(rows: readonly PublishedRow[]): readonly ImpliedTotal[] {
  return rows.filter((row) => row.category === "RULER-13").flatMap((row) =>
    row.scores.flatMap(({ length, score }) => {
      const at = (category: PublishedCategory): number | undefined =>
        scoreAt(findRow(rows, { edition: row.edition, category, model: row.model }), length);
      const [retrieval, multiHop] = [at("retrieval"), at("multi_hop_tracing")];
      const [aggregation, questions] = [at("aggregation"), at("qa")];
      if (retrieval === undefined || multiHop === undefined) return [];
      if (aggregation === undefined || questions === undefined) return [];
      return [{ row, length, printed: score, implied: impliedTotal({ retrieval, multiHop, aggregation, questions }) }];
    })
  );
}
