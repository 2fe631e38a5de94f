import { deepEqual } from "node:assert/strict";
import { starSumScore } from "@/lib/benchmarks/counting_stars/scorer.ts";

Deno.test.each(
  [
    ["JSON", '{"总数": 17}', 1, "the sum 17 is right"],
    ["fenced JSON", '```json\n{"total": 17}\n```', 1, "the sum 17 is right"],
    ["a text in place of the number", '{"total": "17"}', 1, "the sum 17 is right"],
    ["full-width digits", "总数：１７", 1, "the sum 17 is right"],
    ["a bare number", "17", 1, "the sum 17 is right"],
    ["a wrong number", '{"total": 18}', 0, "the sum is 17, not 18"],
    ["many numbers and no key", "3 + 5 + 9 = 17", 0, "no sum could be read"],
    ["no number", "I cannot count.", 0, "no sum could be read"],
    ["nothing", "  ", 0, "no answer"],
  ] as [string, string, number, string][],
)("starSumScore() reads %s", (_name, reply, value, why) => {
  const score = starSumScore(reply, ["17"]);
  deepEqual([score.value, score.why], [value, why]);
});

Deno.test("starSumScore() has nothing to score without a reference", () => {
  deepEqual(starSumScore("17", []).value, null);
});
