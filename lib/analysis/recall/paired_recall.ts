import { integer, stream } from "@/lib/random/mod.ts";
import { percentiles } from "../intervals/_percentiles.ts";
import type { ScoreWithInterval } from "../intervals/difference_interval.ts";

/** A graded reply in its cell. */
export interface GradedCell {
  /** The test or wording it belongs to. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The number of the sample, which decides depth and text. */
  readonly index: number;
  /** The grade over 5; `null` where there is none. */
  readonly value: number | null;
}

/** Two tests compared cell by cell. */
export interface PairedRecall extends ScoreWithInterval {
  /** The test from which is subtracted. */
  readonly first: string;
  /** The test that is subtracted. */
  readonly second: string;
  /** Cells in which both have a grade. */
  readonly cells: number;
  /** Cells in which the first is graded higher. */
  readonly higher: number;
  /** Cells in which the second is. */
  readonly lower: number;
}

const REPLICATES = 2000;

/**
 * Compares tests in pairs, cell by cell: the same length, depth and text round the needle.
 *
 * Cells are drawn again 2,000 times (Efron's bootstrap); the interval is the middle 95% of the mean differences. It takes cells as
 * independent.
 *
 * @param cells The graded replies of all tests.
 * @param options `seed`, any text: the same seed gives the same interval.
 * @returns Every pair of tests, in the order of their first cells: the difference of their recalls in percentage points.
 * @throws {RangeError} If two tests share no cell.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const cell = { length: 1000, index: 0 };
 * const [pair] = pairedRecall([{ ...cell, task: "a", value: 1 }, { ...cell, task: "b", value: 0.2 }], { seed: "1" });
 * equal(pair?.score, 80);
 * ```
 */
export function pairedRecall(
  cells: readonly GradedCell[],
  options: { readonly seed: string },
): readonly PairedRecall[] {
  const tests = [...Map.groupBy(cells, ({ task }) => task)].map(([task, own]) => ({
    task,
    grades: new Map(own.flatMap(({ length, index, value }) => value === null ? [] : [[`${length}/${index}`, value]])),
  }));
  return tests.flatMap((first, at) => tests.slice(at + 1).map((second) => compare(first, second, options.seed)));
}

interface TestGrades {
  readonly task: string;
  readonly grades: ReadonlyMap<string, number>;
}

function compare(first: TestGrades, second: TestGrades, seed: string): PairedRecall {
  const differences = [...first.grades].flatMap(([cell, value]) => {
    const other = second.grades.get(cell);
    return other === undefined ? [] : [100 * (value - other)];
  });
  const count = differences.length;
  if (count === 0) {
    throw new RangeError(
      `Cannot compare ${first.task} and ${second.task} as they must share a cell: current value is 0`,
    );
  }
  const draw = stream(seed, "paired recall", first.task, second.task);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / count;
  const replicates = Array.from(
    { length: REPLICATES },
    () => mean(differences.map(() => differences[integer(draw, { low: 0, high: count - 1 })]!)),
  );
  return {
    first: first.task,
    second: second.task,
    cells: count,
    higher: differences.filter((difference) => difference > 1e-9).length,
    lower: differences.filter((difference) => difference < -1e-9).length,
    ...percentiles(replicates, mean(differences)),
  };
}
