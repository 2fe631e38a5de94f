import type { RecallPublished } from "./published.ts";
import { type ScoreWithInterval, unitsText } from "@/lib/statistics/mod.ts";

/** The three tests of Table 5. */
export const TESTS = ["Thornfield Hollow", "San Francisco", "PistachioAI"] as const;

/** A test's name in Table 5. */
export type TestName = typeof TESTS[number];

/** Returns the printed recall of a model on a test, in percent. */
export function recallOn({ recalls }: RecallPublished, model: string, test: TestName): number {
  return recalls.find((row) => row.model === model && row.test === test)!.recall;
}

/** Lists the models of Table 5, in its order. */
export function modelsOf({ recalls }: RecallPublished): readonly string[] {
  return [...new Set(recalls.map(({ model }) => model))];
}

/** Joins names with numbers to two decimals. */
export function listPrecisely(items: readonly (readonly [string, number])[]): string {
  return items.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(", ");
}

/** Writes a number with its sign, to some decimals. */
export function signed(value: number, digits = 2): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;
}

/** Writes a difference with its sign: `+3.2 points (95% interval −1.0 to +7.4)`. */
export function signedPoints(difference: ScoreWithInterval & { readonly units?: number }): string {
  const { score, low, high } = difference;
  const interval = `95% interval ${signed(low, 1)} to ${signed(high, 1)}`;
  return `${signed(score, 1)} points (${unitsText([difference], interval)})`;
}
