import { equal } from "node:assert/strict";
import { RECALL_CLAIMS } from "@/lib/papers/prompt_dependence/claims.ts";
import { openRecallPublished } from "@/lib/papers/prompt_dependence/published.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = await openRecallPublished();
Deno.test("RECALL_CLAIMS change their verdict with the numbers", () => {
  const recalls = published.recalls.map((row) =>
    row.model.startsWith("WizardLM") ? { ...row, recall: 100, gradeSum: row.cells * 5 } : row
  );
  const verdictOf = (id: string): string =>
    checkClaims(RECALL_CLAIMS, { ...published, recalls }).find((row) => row.id === id)!.verdict;
  equal(verdictOf("M16"), "holds");
  equal(verdictOf("M3"), "fails");
  const mended = published.recalls.map((row) =>
    row.model === "Mistral 7B Instruct v0.1" && row.test === "Thornfield Hollow" ? { ...row, recall: 45 } : row
  );
  equal(checkClaims(RECALL_CLAIMS, { ...published, recalls: mended }).find(({ id }) => id === "M8")!.verdict, "holds");
});
