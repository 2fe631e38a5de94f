import { equal, match } from "node:assert/strict";
import { RECALL_CLAIMS, recallAnswer } from "@/lib/papers/prompt_dependence/claims.ts";
import { openRecallScores } from "@/lib/papers/prompt_dependence/recalls.ts";
import { checkClaims, type Evidence } from "@/lib/statistics/mod.ts";

const published = await openRecallScores();

/** The published scores with another recall for a model, on one test or on all. */
function withRecall(score: number, named: string, onTask?: string): readonly Evidence[] {
  return published.map((row) =>
    row.length === null && row.model.startsWith(named) && (onTask === undefined || row.task === onTask)
      ? { ...row, score }
      : row
  );
}

function verdictOf(id: string, numbers: readonly Evidence[]): string {
  return checkClaims(RECALL_CLAIMS, numbers).find((row) => row.id === id)!.verdict;
}

Deno.test("RECALL_CLAIMS change their verdict with the numbers", () => {
  equal(verdictOf("M10", withRecall(100, "WizardLM")), "holds");
  equal(verdictOf("M2", withRecall(100, "WizardLM")), "mostly holds");
  equal(verdictOf("M1", withRecall(95, "")), "fails");
  equal(verdictOf("M7", withRecall(95, "")), "fails");
});

Deno.test("RECALL_CLAIMS about most models need three quarters of them", () => {
  const least = withRecall(30, "", "recall_san_francisco");
  equal(verdictOf("M5", least), "holds");
  const others = least.map((row) => row.model.startsWith("Llama") ? { ...row, score: 20 } : row);
  equal(verdictOf("M5", others), "mostly holds");
});

Deno.test("recallAnswer() names the model whose recall differs most between two tests, if any differs by enough", () => {
  match(
    recallAnswer(published),
    /^For some models: the recall of GPT-4 Turbo 0125 falls by 32 points where .* change, /,
  );
  match(recallAnswer(published), /100% on the test PistachioAI and 68% on the test San Francisco\. .* is 20%/);
  const other = recallAnswer(withRecall(40, "Mixtral", "recall_thornfield"));
  match(other, /: the recall of Mixtral 8x7B Instruct v0.1 falls by 60 points .* 40% on the test Thornfield /);
  match(recallAnswer(withRecall(95, "")), /^Hardly: no model's recall changes by more than 5 points /);
});
