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

/** Whether a printed average is off by less than a tenth, its last digit: rounded, but to the wrong side. */
export function isRoundedWrongly(printed: number, average: number): boolean {
  return Math.abs(printed - average) < 0.1;
}

/** Says which slack a table has, for the reason of a disagreement. */
export function roundingReason(table: number, cause: "misprint" | "rounding"): string {
  if (!EXACT_TABLES.includes(table)) {
    return "Scores and averages are rounded to a tenth; an average more than 0.1 off is not rounded but wrong.";
  }
  const exact = "Scores of 500 right or wrong answers are printed in full";
  return cause === "rounding"
    ? `${exact}; an average between 0.05 and 0.1 off is rounded to the wrong side.`
    : `${exact}; an average 0.1 off or more is not rounded but wrong.`;
}
