import { recallScorer } from "@/lib/benchmarks/prompt_dependence/recall_keywords.ts";
import { VALUE_EXTRACTOR } from "@/lib/benchmarks/needle_threading/scorer.ts";

/** Answers as an extractor of values and as a judge of recall that agree with the rules, by the reply that a prompt quotes. */
export function answerAsSecondModel(prompt: string): string {
  const [, quoted] = /\n\nAnswer:\n([^]*)$/.exec(prompt) ?? [];
  if (quoted !== undefined) {
    return VALUE_EXTRACTOR.agree(quoted, { record: { references: [], scoring: "" }, score: null });
  }
  const [, needle = ""] = /\[Ground truth\]\n([^\n]+)/.exec(prompt) ?? [];
  const [, question = "", reply = ""] =
    /\[Question\]\n([^\n]+)\n\n\[The Start of Assistant's Answer\]\n([^]*)\n\[The End of Assistant's Answer\]/.exec(
      prompt,
    ) ?? [];
  return `Rating: [[${5 * (recallScorer.grade(reply, { references: [needle, question] }).score.value ?? 0)}]]`;
}
