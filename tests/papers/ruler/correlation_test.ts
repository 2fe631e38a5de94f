import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import {
  correlatedTasks,
  type CorrelationMatrix,
  correlationMatrix,
  type TaskVectors,
  taskVectors,
} from "@/lib/papers/ruler/correlation.ts";

const cell = (model: string, task: string, length: number, score: number | null) =>
  Object.freeze({ model, task, length, score });

Deno.test("taskVectors() lays models out in their order, their lengths rising, and leaves what was not asked open", () => {
  const vectors = taskVectors([
    cell("b", "vt", 8192, 60),
    cell("b", "vt", 4096, 70),
    cell("a", "cwe", 4096, null),
    cell("a", "vt", 4096, 90),
  ]);
  deepEqual(vectors, {
    tasks: ["vt", "cwe"],
    columns: [{ model: "b", length: 4096 }, { model: "b", length: 8192 }, { model: "a", length: 4096 }],
    values: [[70, 60, 90], [null, null, null]],
  });
});

Deno.test("taskVectors() refuses an empty run, a run without any score, and two scores of one cell", () => {
  throws(() => taskVectors([]), {
    name: "RangeError",
    message: "Cannot make task vectors as there must be at least one score: current value is 0 of 0",
  });
  throws(() => taskVectors([cell("a", "vt", 4096, null)]), { message: /current value is 0 of 1/ });
  throws(() => taskVectors([cell("a", "vt", 4096, 1), cell("a", "vt", 4096, 2)]), {
    message:
      'Cannot make task vectors as a task must have one score for each model and length: current value is two for "vt" of a at 4K',
  });
});

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
  fc.assert(fc.property(rows, (values) => {
    const { matrix } = correlationMatrix(vectorsOf(values));
    const halved = values.map((row) => row.map((value) => value === null ? null : value / 2 + 1));
    const other = correlationMatrix(vectorsOf(halved)).matrix;
    matrix.forEach((row, at) =>
      row.forEach((value, column) => {
        equal(value, matrix[column]![at]);
        ok(value === null || (value >= -1 && value <= 1));
        equal(value?.toFixed(9), other[at]![column]?.toFixed(9));
      })
    );
  }));
});

function matrixOf(matrix: readonly (readonly (number | null)[])[], shared = 4): CorrelationMatrix {
  return {
    tasks: matrix.map((_, at) => `t${at}`),
    matrix,
    shared: matrix.map((row) => row.map(() => shared)),
  };
}

Deno.test("correlatedTasks() leaves out a task that correlates with none, with the reason", () => {
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

Deno.test("correlatedTasks() gives a matrix without gaps, of no task or of at least two", () => {
  const size = 5;
  const gaps = fc.array(fc.boolean(), { minLength: size * size, maxLength: size * size });
  fc.assert(fc.property(gaps, (isGap) => {
    const row = (at: number) =>
      Array.from({ length: size }, (_, other) => isGap[Math.min(at, other) * size + Math.max(at, other)] ? null : 0.5);
    const { tasks, matrix, leftOut } = correlatedTasks(matrixOf(Array.from({ length: size }, (_, at) => row(at))));
    ok(matrix.flat().every((value) => value === 0.5) && matrix.length === tasks.length && tasks.length !== 1);
    equal(tasks.length + leftOut.length, size);
  }));
});

Deno.test("correlatedTasks() leaves out all tasks of a run from which nothing can be learnt, with the reason", () => {
  const reasonsOf = (...matrix: Parameters<typeof matrixOf>): readonly string[] => {
    const { tasks, leftOut } = correlatedTasks(matrixOf(...matrix));
    deepEqual(tasks, []);
    return leftOut.map(({ task, reason }) => `${task}: ${reason}`);
  };
  deepEqual(reasonsOf([[null, null], [null, 1]]), [
    "t0: the same score in all 4 places",
    "t1: no other task has one",
  ]);
  deepEqual(reasonsOf([[null, null], [null, null]], 1), ["t1: 1 score", "t0: 1 score"]);
  deepEqual(reasonsOf([]), []);
});
