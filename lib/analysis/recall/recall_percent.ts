/** The lowest and the highest grade that a judge can give. */
const [LOWEST, HIGHEST] = [1, 5];

/** Recall as the paper counts it, and without its floor. */
export interface RecallPercent {
  /** The sum of grades over 5 x cells, in percent. Range: 20 to 100, as the lowest grade is 1. */
  readonly recall: number;
  /** The share of what lies above the lowest grade, in percent. Range: 0 to 100. */
  readonly aboveFloor: number;
}

/**
 * Gives recall from grades of 1 to 5: the sum of grades / (5 x cells).
 *
 * Machlab and Battle (arXiv 2404.08865v1), section 3.3. A model that finds nothing has 20%, not 0.
 *
 * @param gradeSum The sum of all grades.
 * @param cells How many there are.
 * @throws {RangeError} If there is no cell, or the sum is none that so many grades can have.
 *
 * @example Mistral 7B v0.1 on Thornfield Hollow
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { recall, aboveFloor } = recallPercent(2507, 1225);
 * equal(recall.toFixed(2), "40.93");
 * equal(aboveFloor.toFixed(1), "26.2");
 * ```
 */
export function recallPercent(gradeSum: number, cells: number): RecallPercent {
  if (!Number.isInteger(cells) || cells < 1) {
    throw new RangeError(`Cannot give recall as cells must be a whole number from 1: current value is ${cells}`);
  }
  if (!(gradeSum >= LOWEST * cells && gradeSum <= HIGHEST * cells)) {
    throw new RangeError(
      `Cannot give recall as the sum of ${cells} grades must be in [${cells}, ${
        5 * cells
      }]: current value is ${gradeSum}`,
    );
  }
  return {
    recall: 100 * gradeSum / (HIGHEST * cells),
    aboveFloor: 100 * (gradeSum - LOWEST * cells) / ((HIGHEST - LOWEST) * cells),
  };
}
