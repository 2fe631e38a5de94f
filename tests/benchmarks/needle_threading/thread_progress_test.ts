import { deepEqual, equal } from "node:assert/strict";
import { A, B, C, D } from "../../scorers/_values.ts";
import { threadProgress } from "@/lib/benchmarks/needle_threading/scorer.ts";

Deno.test.each(
  [
    ["the end", C, 1, [3]],
    ["the first step", A, 1 / 3, [1]],
    ["the second step, in a sentence", `The last value is ${B}.`, 2 / 3, [2]],
    ["off the thread", D, 0, [0]],
    ["no value", "I do not know.", 0, [0]],
    ["the whole thread told", `${D} -> ${A} -> ${B} -> ${C}`, 1, [3]],
  ] as [string, string, number, number[]][],
)("threadProgress() of one thread: %s", (_name, reply, value, steps) => {
  const score = threadProgress(reply, [[A, B, C]]);
  equal(score.value, value);
  deepEqual(score.steps, steps);
});

Deno.test("threadProgress() takes each answer for the thread in its place", () => {
  // 2 of 2 and 0 of 2: half of the way; the second answer is on the first thread only.
  const score = threadProgress(JSON.stringify([B, A]), [[A, B], [C, D]]);
  deepEqual(score.steps, [2, 0]);
  equal(score.value, 0.5);
  equal(score.why, "steps followed: 2 of 2, 0 of 2");
});

Deno.test("threadProgress() has nothing to score without threads", () => {
  equal(threadProgress(A, []).value, null);
});
