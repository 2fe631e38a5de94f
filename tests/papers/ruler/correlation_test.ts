import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { correlateTasks } from "@/lib/papers/ruler/correlation.ts";

type Scores = readonly (number | null)[];

const correlate = (...rows: readonly Scores[]) =>
  correlateTasks(rows.map((scores, at) => ({ task: `t${at}`, scores })));

Deno.test("correlateTasks() gives Anscombe's first data set its correlation of 0.816", () => {
  const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
  // Anscombe 1973, "Graphs in Statistical Analysis".
  equal(correlate(x, y).matrix[0]![1]!.toFixed(4), "0.8164");
});

Deno.test("correlateTasks() ignores the scores that one of a pair lacks", () => {
  deepEqual(correlate([1, 2, 3, 100], [2, 4, 6, null]).matrix, [[1, 1], [1, 1]]);
});

Deno.test("correlateTasks() leaves out a task that correlates with none, with the reason", () => {
  const { tasks, matrix, leftOut } = correlate([1, 2, 3, 5], [7, 7, 7, 7], [1, 2, 4, 4]);
  deepEqual(tasks, ["t0", "t2"]);
  equal(matrix.length, 2);
  deepEqual(leftOut, [{ task: "t1", reason: "all 4 scores are equal" }]);
});

Deno.test("correlateTasks() leaves out the later of two that lack only each other", () => {
  const { tasks, leftOut } = correlate([1, 2, 3, null, null, null], [null, null, null, 1, 2, 3], [1, 2, 3, 3, 5, 4]);
  deepEqual(tasks, ["t0", "t2"]);
  deepEqual(leftOut, [{ task: "t1", reason: "too few or equal scores where others have theirs" }]);
});

Deno.test("correlateTasks() leaves out all tasks where nothing can be compared, with the reason", () => {
  const reasonsOf = (...rows: readonly Scores[]): readonly string[] => {
    const { tasks, leftOut } = correlate(...rows);
    deepEqual(tasks, []);
    return leftOut.map(({ task, reason }) => `${task}: ${reason}`);
  };
  deepEqual(reasonsOf([5, 5, 5], [1, 2, 3]), ["t0: all 3 scores are equal", "t1: no other task has a correlation"]);
  deepEqual(reasonsOf([1, null], [2, null]), ["t1: 1 score", "t0: 1 score"]);
  deepEqual(reasonsOf([1, 2], [2, 1]), ["t1: 2 scores", "t0: 2 scores"]);
  deepEqual(reasonsOf(), []);
});

Deno.test("correlateTasks() gives a symmetric matrix without gaps, in [-1, 1], and the same for scores in another unit", () => {
  const score = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
  const rows = fc.array(fc.array(score, { minLength: 6, maxLength: 6 }), { minLength: 2, maxLength: 5 });
  fc.assert(fc.property(rows, (values) => {
    const { tasks, matrix, leftOut } = correlate(...values);
    const other = correlate(...values.map((row) => row.map((value) => value === null ? null : value / 2 + 1)));
    equal(tasks.length + leftOut.length, values.length);
    ok(tasks.length !== 1);
    deepEqual(other.tasks, tasks);
    matrix.forEach((row, at) =>
      row.forEach((value, column) => {
        equal(value, matrix[column]![at]);
        ok(value >= -1 && value <= 1);
        equal(value.toFixed(9), other.matrix[at]![column]!.toFixed(9));
      })
    );
  }));
});
