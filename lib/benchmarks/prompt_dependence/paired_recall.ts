import { signed } from "./claims.ts";
import { integer, stream } from "@/lib/random/mod.ts";
import { type Claim, type Finding, percentiles, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

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

/** Differences of at most so many points are called none. */
const SAME = 1;

/**
 * The paper's central claim, asked of a run pair by pair of tests: recall differs between two tests whose prompts differ in the needle
 * and its question alone. A verdict is given only where the 95% interval leaves no doubt; within 1 point there is no difference.
 *
 * @param pairs The comparisons of a run, from `pairedRecall`.
 * @returns A claim for each pair, to be checked against it.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const pair = { first: "a", second: "b", cells: 9, higher: 5, lower: 0, score: 8, low: 3, high: 14 };
 * equal(recallRunClaims([pair])[0]?.check(undefined).verdict, "holds");
 * ```
 */
export function recallRunClaims(pairs: readonly PairedRecall[]): readonly Claim<unknown>[] {
  return pairs.map((pair, at) => ({
    id: `P${at + 1}`,
    source: "section 4.1, asked of the run",
    kind: "paper",
    quote: "we see differences in performance between the San Francisco, Thornfield Hollow and PistachioAI tests",
    statement:
      `Recall differs between ${pair.first} and ${pair.second} (our measure: with 95% confidence; surely within ${SAME} point it does not).`,
    check: (): Finding => decide(pair),
  }));
}

function decide({ cells, higher, lower, score, low, high }: PairedRecall): Finding {
  const differs = low > 0 || high < 0;
  const isSame = low >= -SAME && high <= SAME;
  return {
    verdict: differs ? "holds" : isSame ? "fails" : "cannot tell",
    observed: `${signed(score)} points (95% interval ${signed(low)} to ${signed(high)}) over ${cells} cells; ` +
      `higher in ${higher}, lower in ${lower}.`,
  };
}
