import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { KAMRADT_JUDGE, RECALL_JUDGE } from "@/lib/benchmarks/prompt_dependence/judge.ts";
import type { RunRecord, ScoredReply } from "@/lib/records/mod.ts";
import { systemText, userText } from "@/lib/generators/mod.ts";

function gradeIn(said: string): number | null {
  const grading = RECALL_JUDGE.grade(said, { score: null } as ScoredReply);
  return grading === null ? null : Math.round(5 * grading.score.value!);
}

Deno.test.each(
  [
    ["a rating after an explanation", "It aligns with the reference.\nRating: [[4]]", 4],
    ["the first of two", "[[2]] or rather [[5]]", 2],
    ["alone", "[[1]]", 1],
    ["above the scale", "[[6]]", null],
    ["of the other scale", "[[10]]", null],
    ["zero", "[[0]]", null],
    ["half a grade", "[[4.5]]", null],
    ["single brackets", "Rating: [4]", null],
    ["a bad one before a good one", "[[n]] means [[3]]", null],
    ["closing brackets alone", "(5]]", null],
    ["a line below one with closing brackets alone", "(5]]\n[[3]]", 3],
    ["a line below one with opening brackets alone", "[[5\n[[3]]", 3],
    ["two lines", "[[\n5]]", null],
    ["nothing", "", null],
  ] as [string, string, number | null][],
)("the judge's grade is read from %s", (_name, text, grade) => {
  equal(gradeIn(text), grade);
});

Deno.test("the judge's grade is null or from 1 to 5 for any text", () => {
  fc.assert(fc.property(fc.string(), (text) => {
    const grade = gradeIn(text);
    ok(grade === null || [1, 2, 3, 4, 5].includes(grade));
  }));
});

Deno.test("the judge is asked with criteria, needle, question and reply in the paper's order", () => {
  const record = { references: ["NEEDLE", "QUESTION"] } as unknown as RunRecord;
  const user = userText(RECALL_JUDGE.prompt("REPLY", record)!);
  const system = systemText(RECALL_JUDGE.prompt("REPLY", record)!);
  equal(system, "You are a helpful assistant.");
  ok(user.startsWith("[Instruction]\nPlease act as an impartial judge"));
  ok(
    user.includes(
      " Score 5: The answer is completely accurate and aligns perfectly with the reference.\n Only respond",
    ),
  );
  ok(user.includes("[Ground truth]\nNEEDLE\nBegin your evaluation"));
  ok(user.includes('for example: "Rating: [[5]]".\n\n[Question]\nQUESTION\n\n'));
  ok(user.endsWith("[The Start of Assistant's Answer]\nREPLY\n[The End of Assistant's Answer]"));
});

Deno.test.each(
  [
    [1, 0.2, 0],
    [3, 0.6, 0.5],
    [5, 1, 1],
  ] as [number, number, number][],
)("a grade of %d is a score of %d, and of %d above the floor", (grade, value, penalised) => {
  const answer = "A patent.";
  const scored = { score: { value: 1, answer, why: "the rubric says so" } } as ScoredReply;
  const said = `It aligns. Rating: [[${grade}]]`;
  deepEqual(RECALL_JUDGE.grade(said, scored), {
    score: { value, answer, why: said },
    penalised: { value: penalised, answer, why: said },
    least: 0.2,
  });
});

Deno.test("judge and rubric are alike where both accept, from 4 up, or both reject", () => {
  equal(RECALL_JUDGE.isAlike(0.8, 1), true);
  equal(RECALL_JUDGE.isAlike(0.2, 0.6), true);
  equal(RECALL_JUDGE.isAlike(0.8, 0.6), false);
});

Deno.test("Kamradt's judge grades from 1 to 10, by his criteria in the same prompt", () => {
  const record = { references: ["NEEDLE", "QUESTION"] } as unknown as RunRecord;
  const user = userText(KAMRADT_JUDGE.prompt("REPLY", record)!);
  ok(user.includes(" Score 7: The answer aligns with the reference but has minor omissions.\n Score 10: "));
  ok(user.includes("on a scale of 1 to 10 by strictly following"));
  const scored = { score: null } as ScoredReply;
  const valueOf = (said: string): number | undefined => KAMRADT_JUDGE.grade(said, scored)?.score.value ?? undefined;
  deepEqual(["[[10]]", "[[7]]", "[[1]]"].map(valueOf), [1, 0.7, 0.1]);
  deepEqual(["[[0]]", "[[11]]", "[[07]]", "[[100]]"].map(valueOf), [undefined, undefined, undefined, undefined]);
  deepEqual([[0.8, 0.7], [0.8, 0.5], [0.2, 0.3]].map(([rules, judge]) => KAMRADT_JUDGE.isAlike(rules!, judge!)), [
    true,
    false,
    true,
  ]);
});

Deno.test("a judge that agrees answers on its own scale", () => {
  for (const [value, grade, ofTen] of [[1, 5, 10], [0.6, 3, 5], [0.2, 1, 1]] as const) {
    const scored = { record: { references: [], scoring: "" }, score: { value, answer: "", why: "" } };
    equal(RECALL_JUDGE.agree("", scored), `Rating: [[${grade}]]`);
    equal(KAMRADT_JUDGE.agree("", scored), `Rating: [[${ofTen}]]`);
  }
});
