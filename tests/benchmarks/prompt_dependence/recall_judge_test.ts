import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { judgePrompt, parseVerdict } from "@/lib/benchmarks/prompt_dependence/judge.ts";

Deno.test.each(
  [
    ["a rating after an explanation", "It aligns with the reference.\nRating: [[4]]", 4],
    ["the first of two", "[[2]] or rather [[5]]", 2],
    ["alone", "[[1]]", 1],
    ["above the scale", "[[6]]", null],
    ["of the other scale", "[[10]]", null],
    ["zero", "[[0]]", null],
    ["a share", "[[4/5]]", null],
    ["a word", "[[four]]", null],
    ["a space in it", "[[ 4 ]]", null],
    ["half a grade", "[[4.5]]", null],
    ["single brackets", "Rating: [4]", null],
    ["no brackets", "5", null],
    ["a bad one before a good one", "[[n]] means [[3]]", null],
    ["nothing", "", null],
  ] as [string, string, number | null][],
)("parseVerdict() %s", (_name, text, grade) => {
  equal(parseVerdict(text), grade);
});

Deno.test("parseVerdict() gives null or a grade for any text", () => {
  fc.assert(fc.property(fc.string(), (text) => {
    const grade = parseVerdict(text);
    ok(grade === null || [1, 2, 3, 4, 5].includes(grade));
  }));
});

Deno.test("judgePrompt() holds criteria, needle, question and reply in the paper's order", () => {
  const { system, user } = judgePrompt("REPLY", "NEEDLE", { question: "QUESTION" });
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
