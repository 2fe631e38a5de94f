import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { correlationMatrix, type TaskVectors } from "@/lib/benchmarks/ruler/mod.ts";

function vectorsOf(values: readonly (readonly (number | null)[])[]): TaskVectors {
  return {
    tasks: values.map((_, at) => `t${at}`),
    columns: (values[0] ?? []).map((_, at) => ({ model: "m", length: at + 1 })),
    values,
  };
}

Deno.test("correlationMatrix() gives Anscombe's first data set its correlation of 0.816", () => {
  const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
  // Anscombe 1973, "Graphs in Statistical Analysis".
  equal(correlationMatrix(vectorsOf([x, y])).matrix[0]![1]!.toFixed(4), "0.8164");
});

Deno.test("correlationMatrix() by ranks gives -29/165 for intelligence and hours of television", () => {
  // The worked example of Wikipedia, "Spearman's rank correlation coefficient": 1 - 6 * 194 / (10 * 99).
  const quotient = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110];
  const hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17];
  const { matrix } = correlationMatrix(vectorsOf([quotient, hours]), { method: "spearman" });
  ok(Math.abs(matrix[0]![1]! + 29 / 165) < 1e-12);
});

Deno.test("correlationMatrix() by ranks gives equal scores equal ranks", () => {
  // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: covariance 4.5 / 3, variances 4.5 / 3 and 5 / 3.
  const { matrix } = correlationMatrix(vectorsOf([[1, 2, 2, 9], [1, 2, 3, 4]]), { method: "spearman" });
  equal(matrix[0]![1]!.toFixed(9), Math.sqrt(4.5 / 5).toFixed(9));
});

Deno.test("correlationMatrix() leaves out the columns that one of a pair lacks, and counts the others", () => {
  const { matrix, shared } = correlationMatrix(vectorsOf([[1, 2, 3, 100], [2, 4, 6, null]]));
  equal(matrix[0]![1], 1);
  deepEqual(shared, [[4, 3], [3, 3]]);
});

Deno.test("correlationMatrix() has no correlation, and no NaN, for constant vectors, two columns or none", () => {
  deepEqual(correlationMatrix(vectorsOf([[5, 5, 5], [1, 2, 3]])).matrix, [[null, null], [null, 1]]);
  deepEqual(correlationMatrix(vectorsOf([[1, 2], [2, 1]])).matrix, [[null, null], [null, null]]);
  deepEqual(correlationMatrix(vectorsOf([[null, null, null], [1, 2, 3]])).matrix, [[null, null], [null, 1]]);
  // Constant where both have scores, though not over all.
  deepEqual(correlationMatrix(vectorsOf([[5, 5, 5, 9], [1, 2, 3, null]])).matrix[0], [1, null]);
});

Deno.test("correlationMatrix() is symmetric, in [-1, 1] or null, and the same for scores in another unit", () => {
  const score = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
  const rows = fc.array(fc.array(score, { minLength: 6, maxLength: 6 }), { minLength: 2, maxLength: 5 });
  fc.assert(fc.property(rows, fc.constantFrom("pearson" as const, "spearman" as const), (values, method) => {
    const { matrix } = correlationMatrix(vectorsOf(values), { method });
    const halved = values.map((row) => row.map((value) => value === null ? null : value / 2 + 1));
    const other = correlationMatrix(vectorsOf(halved), { method }).matrix;
    matrix.forEach((row, at) =>
      row.forEach((value, column) => {
        equal(value, matrix[column]![at]);
        ok(value === null || (value >= -1 && value <= 1));
        equal(value?.toFixed(9), other[at]![column]?.toFixed(9));
      })
    );
  }));
});
