import { doesNotMatch, match } from "node:assert/strict";
import { judgeTable } from "@/lib/benchmarks/prompt_dependence/mod.ts";

const ROW = {
  task: "recall_pistachio",
  replies: 9,
  unscored: 0,
  failed: 1,
  byRubric: 95,
  byJudge: 90,
  accepted: 100,
  kappa: 0.5,
};

Deno.test("judgeTable() tells recall by rubric and judge, their agreement, and both origins", () => {
  const { text, note } = judgeTable([{ ...ROW, unscored: 2 }], {
    title: "Judged",
    origin: { replies: "simulated", grades: "measured" },
  });
  match(text, /recall_pistachio +9 +1 +95\.0 +2 +90\.0 +100\.0 +0\.500/);
  match(note, /Simulated.*measured.* · 9 replies, 2 unscored/i);
});

Deno.test("judgeTable() is the rubric alone where there is no judge, and not where the judge graded nothing", () => {
  const none = { ...ROW, byJudge: null, accepted: null, kappa: null };
  const options = { title: "Recall", origin: "measured" } as const;
  doesNotMatch(judgeTable([none], options).text, /judge|Kappa/);
  match(judgeTable([{ ...none, unscored: 9, byRubric: null }], options).text, /Unscored[\s\S]* 9 +– +– +–/);
});
