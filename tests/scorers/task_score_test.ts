import { equal } from "node:assert/strict";
import fc from "fast-check";
import { taskScore } from "@/lib/scorers/prediction_file.ts";

Deno.test.each([
  ["a third", [1, 0, 0], 33.33],
  ["two thirds", [1, 1, 0], 66.67],
  // 1/800 of 100 is 0.125, exactly between two hundredths: Python gives the even one, toFixed the greater.
  ["a tie goes to the even digit below", [1 / 800], 0.12],
  ["a tie goes to the even digit above", [3 / 800], 0.38],
  // 0.01005 * 100 is a little below 1.005 as a binary number.
  ["what only looks like a tie is rounded as the binary number is", [0.01005], 1],
  ["a whole score", [1, 1], 100],
  ["nothing found", [0, 0], 0],
] as [string, number[], number][])("taskScore() of %s", (_name, values, want) => {
  equal(taskScore(values.map((value) => ({ value }))), want);
});

Deno.test("taskScore() leaves out what could not be scored, and has no score without any", () => {
  equal(taskScore([{ value: 1 }, { value: null }, { value: 0 }]), 50);
  equal(taskScore([{ value: null }]), null);
  equal(taskScore([]), null);
});

Deno.test("taskScore() is within half a hundredth of the mean", () => {
  const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 });
  fc.assert(fc.property(values, (list) => {
    const mean = list.reduce((sum, value) => sum + value, 0) / list.length * 100;
    equal(Math.abs(taskScore(list.map((value) => ({ value })))! - mean) <= 0.005 + 1e-9, true);
  }));
});
