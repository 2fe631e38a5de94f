import { deepEqual, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { correlatedTasks, type CorrelationMatrix } from "@/lib/benchmarks/ruler/mod.ts";

function matrixOf(matrix: readonly (readonly (number | null)[])[], shared = 4): CorrelationMatrix {
  return {
    tasks: matrix.map((_, at) => `t${at}`),
    method: "pearson",
    matrix,
    shared: matrix.map((row) => row.map(() => shared)),
  };
}

Deno.test("correlatedTasks() leaves out a task that correlates with none, and says why", () => {
  const { tasks, matrix, leftOut } = correlatedTasks(matrixOf([[1, null, 0.5], [null, null, null], [0.5, null, 1]]));
  deepEqual(tasks, ["t0", "t2"]);
  deepEqual(matrix, [[1, 0.5], [0.5, 1]]);
  deepEqual(leftOut, [{ task: "t1", reason: "the same score in all 4 places" }]);
});

Deno.test("correlatedTasks() leaves out the later of two that lack only each other", () => {
  deepEqual(correlatedTasks(matrixOf([[1, null, 0], [null, 1, 0], [0, 0, 1]])).leftOut, [
    { task: "t1", reason: "too few or equal scores where others have theirs" },
  ]);
});

Deno.test("correlatedTasks() gives a matrix without gaps, or refuses", () => {
  const size = 5;
  const gaps = fc.array(fc.boolean(), { minLength: size * size, maxLength: size * size });
  fc.assert(fc.property(gaps, (isGap) => {
    const row = (at: number) =>
      Array.from({ length: size }, (_, other) => isGap[Math.min(at, other) * size + Math.max(at, other)] ? null : 0.5);
    try {
      const { matrix } = correlatedTasks(matrixOf(Array.from({ length: size }, (_, at) => row(at))));
      ok(matrix.flat().every((value) => value === 0.5));
    } catch (error) {
      ok(error instanceof RangeError);
    }
  }));
});

Deno.test("correlatedTasks() refuses a run from which nothing can be learnt, with the reason", () => {
  throws(() => correlatedTasks(matrixOf([[null, null], [null, 1]])), {
    name: "RangeError",
    message:
      "Cannot compare tasks as at least 2 must have a correlation: current value is 1; left out: t0 (the same score in all 4 places)",
  });
  throws(() => correlatedTasks(matrixOf([[null, null], [null, null]], 1)), {
    message: /current value is 0; .*t0 \(1 scores\)/,
  });
  throws(() => correlatedTasks(matrixOf([])), { message: /current value is 0$/ });
});
