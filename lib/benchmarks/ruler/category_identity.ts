import type { Disagreement } from "./misprints.ts";
import { findRow, type PublishedCategory, type PublishedThreshold, scoreAt } from "./published_tables.ts";
import type { PublishedRow } from "./published.ts";
import { effectiveLength } from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** Scores of the four categories, in percent. */
interface CategoryScores {
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
interface ImpliedTotal {
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
 * import { openPublished } from "@/lib/benchmarks/ruler/mod.ts";
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

// The total and the categories are rounded to a tenth each, and the categories' weights add up to 1.
const SLACK = 0.1 + 1e-9;

/** Lists the means over 13 tasks that do not follow from the categories. */
export function checkTotals(rows: readonly PublishedRow[]): readonly Disagreement[] {
  return impliedTotals(rows).filter(({ printed, implied }) => Math.abs(printed - implied) > SLACK)
    .map(({ row, length, printed, implied }) => ({
      kind: "categories" as const,
      cause: "misprint" as const,
      edition: row.edition,
      where: `Table ${row.table}, ${row.model}, ${lengthText(length)}`,
      printed: printed.toFixed(1),
      expected: implied.toFixed(2),
      why: "(8 NIAH + VT + 2 AG + 2 QA) / 13 from Tables 13 to 16; more than 0.1 apart is no rounding.",
    }));
}

/**
 * Lists the thresholds over 13 tasks that do not follow from the categories' thresholds, with the effective lengths
 * that hang on it.
 */
export function checkThresholds(
  rows: readonly PublishedRow[],
  thresholds: readonly PublishedThreshold[],
): readonly Disagreement[] {
  return [true, false].flatMap((aligned) => {
    const limit = (category: PublishedCategory): PublishedThreshold =>
      thresholds.find((threshold) => threshold.category === category && threshold.aligned === aligned)!;
    const total = limit("RULER-13");
    const implied = impliedTotal({
      retrieval: limit("retrieval").threshold,
      multiHop: limit("multi_hop_tracing").threshold,
      aggregation: limit("aggregation").threshold,
      questions: limit("qa").threshold,
    });
    if (Math.abs(total.threshold - implied) <= SLACK) return [];
    const table = rows.filter((row) => row.edition === "v1" && row.table === total.table);
    return [{
      kind: "threshold" as const,
      cause: "threshold" as const,
      edition: "v1" as const,
      where: `Table ${total.table}, Llama2-7B (${aligned ? "chat" : "base"}), 4K`,
      printed: total.threshold.toFixed(1),
      expected: implied.toFixed(2),
      why: `(8 NIAH + VT + 2 AG + 2 QA) / 13 from its rows in Tables 13 to 16. ${effectOf(implied, table)}`,
    }];
  });
}

/** Says which effective lengths of a table another threshold would change. */
export function effectOf(threshold: number, table: readonly PublishedRow[]): string {
  const changes = table.flatMap((row) => {
    const was = effectiveLength(row.scores, row.threshold!).text;
    const is = effectiveLength(row.scores, threshold).text;
    return was === is ? [] : [`${row.model} from ${was} to ${is}`];
  });
  const limit = threshold.toFixed(1);
  return changes.length === 0
    ? `A threshold of ${limit} changes no effective length.`
    : `A threshold of ${limit} takes the effective length of ${changes.join(", of ")}.`;
}
