import type { RecallPublished } from "./published.ts";
import type { ScoreWithInterval } from "@/lib/statistics/mod.ts";

/** The three tests of Table 5. */
export const TESTS = ["Thornfield Hollow", "San Francisco", "PistachioAI"] as const;

/** A test's name in Table 5. */
export type TestName = typeof TESTS[number];

/** The printed recall of a model on a test, in percent. */
export function recallOn({ recalls }: RecallPublished, model: string, test: TestName): number {
  return recalls.find((row) => row.model === model && row.test === test)!.recall;
}

/** The models of Table 5, in its order. */
export function modelsOf({ recalls }: RecallPublished): readonly string[] {
  return [...new Set(recalls.map(({ model }) => model))];
}

/** Names with numbers to two decimals. */
export function printed(items: readonly (readonly [string, number])[]): string {
  return items.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(", ");
}

/** Numbers with their sign, to two decimals. */
export function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

/** A difference in words, with its sign: `+3.2 points (95% interval -1.0 to +7.4)`. */
export function signedPoints({ score, low, high }: ScoreWithInterval): string {
  return `${signed(score)} points (95% interval ${signed(low)} to ${signed(high)})`;
}
