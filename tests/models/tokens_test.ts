import { equal, ok } from "node:assert/strict";
import { makeSample, materials } from "./_ruler.ts";
import { RULER_TASK_NAMES, rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { joinPrompt } from "@/lib/models/mod.ts";
import { estimateTokens } from "@/lib/simulated/mod.ts";

Deno.test("estimateTokens() is between 0.65 and 1.2 of what cl100k_base counts, on every task's prompts", () => {
  for (const name of RULER_TASK_NAMES) {
    for (let index = 0; index < 4; index++) {
      const prompt = joinPrompt(makeSample(rulerTask(name), 8192, index).prompt);
      const share = estimateTokens(prompt) / materials.tokenizer.count(prompt);
      ok(share > 0.65 && share < 1.2, `${name}: ${share}`);
    }
  }
});

Deno.test("estimateTokens() counts nothing in white space, and Chinese by the character", () => {
  equal(estimateTokens(""), 0);
  equal(estimateTokens(" \n\t"), 0);
  equal(estimateTokens("江".repeat(100)), Math.round(0.95 * 130));
  equal(estimateTokens("1234567"), 3);
});

Deno.test("estimateTokens() charges letters, digits, marks and consonants as it says", () => {
  // "strengths" has nine letters, which are 1.8 tokens, and four consonants that are the third in a row or later.
  for (
    const [text, tenths] of [["a", 10], ["banana", 12], ["strengths", 18 + 4 * 10], ["12345", 20], ["....!", 20], [
      "é",
      13,
    ]] as const
  ) {
    equal(estimateTokens(`${text} `.repeat(1000)), Math.round(0.95 * 100 * tenths), text);
  }
});
