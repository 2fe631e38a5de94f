import { impliedTotal, impliedTotals } from "./category_identity.ts";
import type { Disagreement } from "./disagreement.ts";
import { effectiveLength } from "../lengths/effective_length.ts";
import { lengthText } from "../length_text.ts";
import type { PublishedCategory, PublishedThreshold } from "./_published_tables.ts";
import type { PublishedRow } from "./published.ts";

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
