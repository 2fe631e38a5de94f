import { deepEqual, equal, throws } from "node:assert/strict";
import { checkReferences, gradeReply, referenceFault } from "@/lib/scorers/reference_parts.ts";
import { allFound, keywordFound, type Scorer } from "@/lib/scorers/mod.ts";

const grade: Scorer["grade"] = () => {
  const score = { value: 1, answer: "", why: "" };
  return { score, penalised: score };
};

Deno.test.each([
  ["all parts", ["answer", "question"], null],
  ["no references, whose answer is unknown", [], null],
  ["the last part", ["answer"], "the question is missing"],
  ["the first part", ["", "question"], "the answer is missing"],
  ["white space alone", ["answer", " \n"], "the question is missing"],
  ["one too many", ["answer", "question", "hint"], "there are 3 references instead of 2"],
] as [string, string[], string | null][])("referenceFault() with %s", (_name, references, fault) => {
  const scorer: Scorer = { name: "two", about: "", parts: { names: ["the answer", "the question"] }, grade };
  equal(referenceFault(scorer, { references }), fault);
  const { value, why } = gradeReply(scorer, "reply", { references }).score;
  const isScored = fault === null && references.length > 0;
  deepEqual([value, why], isScored ? [1, ""] : [null, `nothing to score: ${fault ?? "there are no references"}`]);
});

Deno.test("referenceFault() lets a part occur several times, at the start or the end", () => {
  const [last, first] = (["last", "first"] as const).map((several): Scorer => ({
    name: "list",
    about: "",
    parts: { names: ["a count", "the sum"], several },
    grade,
  }));
  for (const references of [["1", "1"], ["1", "2", "3"], ["1", "2", "3", "6"]]) {
    deepEqual([last!, first!].map((scorer) => referenceFault(scorer, { references })), [null, null]);
  }
  deepEqual([last!, first!].map((scorer) => referenceFault(scorer, { references: ["1", "", "3"] })), [
    "the sum is missing",
    "a count is missing",
  ]);
});

Deno.test("referenceFault() wants a wrong answer for each reference, where a scorer needs them", () => {
  const scorer = { ...allFound, needsDistractors: true };
  const fault = "the wrong answers in the text (distractors) are missing";
  equal(referenceFault(scorer, { references: ["1", "2"], distractors: ["", "3"] }), null);
  equal(referenceFault(scorer, { references: ["1", "2"], distractors: ["3"] }), fault);
  equal(referenceFault(scorer, { references: ["1", "2"] }), fault);
});

Deno.test("checkReferences() names the part, and those that the scorer wants", () => {
  throws(() => checkReferences(keywordFound, { references: ["The hallway is best."] }, "prediction 3"), {
    name: "RangeError",
    message:
      'Cannot score prediction 3 as the references of the scorer "keyword" must be the answer and the keyword: ' +
      "current value is 1 of them, and the keyword is missing",
  });
});
