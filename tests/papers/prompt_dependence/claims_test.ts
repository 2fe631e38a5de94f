import { equal, ok } from "node:assert/strict";
import { RECALL_CLAIMS } from "@/lib/papers/prompt_dependence/claims.ts";
import { openRecallPublished } from "@/lib/papers/prompt_dependence/published.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = await openRecallPublished();
const checked = checkClaims(RECALL_CLAIMS, published);

Deno.test.each(
  [
    ["M1", "holds", "9 models and 27 tests: 31275 replies"],
    ["M2", "holds", "Of 27 printed values 27 come from exactly one sum"],
    ["M3", "holds", "GPT-3.5 Turbo 0125 0.64"],
    ["M4", "holds", "Thornfield Hollow 93.70, San Francisco 68.22, PistachioAI 100.00"],
    ["M5", "fails", "5 of 6 are worse; not GPT-3.5 Turbo 0125 on Thornfield Hollow 100.00"],
    ["M6", "fails", "Mistral 7B Instruct v0.1 −3.17"],
    ["M7", "cannot tell", "Llama 2 70B Chat 0.37, WizardLM-70B-V1.0 0.01, Mixtral 8x7B Instruct v0.1 2.10"],
    ["M8", "fails", "2 of them do: Llama 2 13B Chat 3.33, Mistral 7B Instruct v0.1 3.17 points"],
    ["M9", "cannot tell", "at the very top and bottom"],
    ["M10", "holds", "5.38"],
    ["M11", "holds", "99.43 and 94.09"],
    ["M12", "cannot tell", "picture only"],
    ["M13", "holds", "46.2% fewer by the names; 32768 tokens are 8 times 4096"],
    ["M14", "holds", "Thornfield Hollow: Mistral 7B Instruct v0.1 40.93, GPT-4 Turbo 0125 93.70"],
    ["M15", "holds", "94.78, 94.09 and 96.72"],
    ["M16", "fails", "Thornfield Hollow +0.36, San Francisco +0.00, PistachioAI +0.03"],
    ["M17", "holds", "Thornfield Hollow +0.21, San Francisco +0.47, PistachioAI +0.07"],
    ["M18", "holds", "point 11 of the logistic grid of Kamradt's test (11.316)"],
    ["M19", "fails", "Mistral 7B Instruct v0.1 on Thornfield Hollow 40.93 is 26.2"],
    ["M20", "holds", "100% at 76"],
    ["M21", "holds", "points"],
    ["M23", "fails", "GPT-4 Turbo 0125 +25.48; their mean is +5.63 points"],
    ["M24", "cannot tell", "One such reply"],
    ["M25", "cannot tell", "94.09 on Thornfield Hollow"],
    ["M26", "cannot tell", "PistachioAI 99.87"],
    ["M27", "holds", "Mistral 7B Instruct v0.1 214, Mistral 7B Instruct v0.2 214, Mixtral 8x7B Instruct v0.1 1,709"],
    ["M28", "fails", "Its needle and question are those of San Francisco"],
    ["M22", "holds", "v0.1 2507 of 2507, v0.2 5805 of 5805"],
  ] as [string, string, string][],
)("RECALL_CLAIMS: %s %s", (id, verdict, words) => {
  const claim = checked.find((row) => row.id === id)!;
  equal(claim.verdict, verdict, claim.observed);
  ok(claim.observed.includes(words), claim.observed);
});

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
