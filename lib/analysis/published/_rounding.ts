// A model answers 500 questions a task. Passkey and vanilla needle answers (Tables 10, 11) are right or wrong, so
// scores are multiples of 0.2; the mean of two such tasks (Table 16) is a multiple of 0.1. One decimal prints them in
// full.
const EXACT_TABLES: readonly number[] = [10, 11, 16];

/**
 * How far an average may lie from its printed value, in points, when all that is known are printed scores: half a tenth
 * for the rounding of the average, and as much again for that of the scores unless the table prints them in full.
 */
export function roundingSlack(table: number): number {
  return (EXACT_TABLES.includes(table) ? 0.05 : 0.1) + 1e-9;
}

/** Says which slack a table has, for the reason of a disagreement. */
export function roundingReason(table: number): string {
  return EXACT_TABLES.includes(table)
    ? "Scores of 500 right or wrong answers are printed in full; an average more than 0.05 off is not rounded but wrong."
    : "Scores and averages are rounded to a tenth; an average more than 0.1 off is not rounded but wrong.";
}
