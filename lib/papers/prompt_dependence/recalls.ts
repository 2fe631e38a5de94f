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

/** Writes a number with its sign, to two decimals. */
export function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

/** Writes a difference with its sign: `+3.20 points (95% interval −1.00 to +7.40)`. */
export function signedPoints(difference: ScoreWithInterval & { readonly units?: number }): string {
  const { score, low, high } = difference;
  const interval = `95% interval ${signed(low)} to ${signed(high)}`;
  return `${signed(score)} points (${unitsText([difference], interval)})`;
}

/** The models that the paper calls about the same on Thornfield Hollow and San Francisco. */
export const ABOUT_EQUAL: readonly string[] = ["Llama 2 70B Chat", "WizardLM-70B-V1.0", "Mixtral 8x7B Instruct v0.1"];

/** Returns the lead of a model's recall on Thornfield Hollow over San Francisco, in points. */
export function thornfieldLead(published: RecallPublished, model: string): number {
  const lead = recallOn(published, model, "Thornfield Hollow") - recallOn(published, model, "San Francisco");
  return Number(lead.toFixed(2));
}
