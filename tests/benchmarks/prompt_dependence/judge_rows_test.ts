import { deepEqual, equal, throws } from "node:assert/strict";
import { judgeRows, type RatedReply } from "@/lib/benchmarks/prompt_dependence/mod.ts";

function rated(task: string, grades: readonly (number | null)[], failed: readonly number[] = []): RatedReply[] {
  return grades.map((grade, at) => ({ task, value: grade === null ? null : grade / 5, failed: failed.includes(at) }));
}

Deno.test("judgeRows() are recalls of what both graded, agreement, and what stayed unscored", () => {
  const rubric = [...rated("a", [5, 5, 1, 4, null], [4]), ...rated("b", [5])];
  const judge = [...rated("a", [5, 3, 1, null, null], [4]), ...rated("b", [5])];
  const [a, b, all] = judgeRows(rubric, judge);
  // Of 5, 5, 1 and 5, 3, 1: 11 and 9 of 15; the second is accepted by one alone. Squared differences 0, 4, 0, and 60 over the nine pairs that
  // chance would make of them, 20 for three: kappa is 1 − 4 / 20.
  deepEqual(
    [a!.replies, a!.unscored, a!.failed, a!.byRubric!.toFixed(3), a!.byJudge!.toFixed(3), a!.accepted!.toFixed(3)],
    [4, 1, 1, "73.333", "60.000", "66.667"],
  );
  equal(a!.kappa!.toFixed(6), (1 - 4 / 20).toFixed(6));
  deepEqual([b!.byRubric, b!.byJudge, b!.kappa], [100, 100, null]);
  deepEqual([all!.task, all!.replies, all!.unscored, all!.failed], ["all", 5, 1, 1]);
});

Deno.test("judgeRows() without a judge are the rubric's recalls alone", () => {
  const [row] = judgeRows(rated("a", [5, 1]));
  deepEqual([row!.byRubric, row!.byJudge, row!.accepted, row!.kappa, row!.unscored], [60, null, null, null, 0]);
});

Deno.test("judgeRows() have no recall where nothing was graded by both", () => {
  const [row] = judgeRows(rated("a", [5, 1]), rated("a", [null, null]));
  deepEqual([row!.byRubric, row!.byJudge, row!.accepted, row!.unscored], [null, null, null, 2]);
});

Deno.test("judgeRows() refuses lists of other replies", () => {
  throws(() => judgeRows(rated("a", [5]), rated("b", [5])), /same replies/);
  throws(() => judgeRows(rated("a", [5, 5]), rated("a", [5])), /current value is 2 and 1/);
});
