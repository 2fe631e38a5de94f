import { deepEqual, equal } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { openOnce } from "./_audit_cells.ts";
import { auditSample } from "./_audit_sample.ts";
import { solveRepeatedWords } from "./_solve_repeated_words.ts";
import { REPEATED_WORDS } from "@/lib/benchmarks/repeated_words/repeated_words.ts";

const { materials, encode } = await openOnce()("o200k_base");

for (const length of cases([2_048, 131_072], [2_048, 131_072, 1_000_000])) {
  Deno.test(`repeated words of ${length} tokens are solved from their text alone, and fill their length`, () => {
    for (const name of cases(["repeated_apple_apples", "repeated_San_Francisco_sf"] as const, REPEATED_WORDS.tasks)) {
      const task = REPEATED_WORDS.task(name);
      const sample = task.sample({ length, seed: "long", index: 1, materials });
      deepEqual(auditSample(sample, { solve: solveRepeatedWords, encode, isBudget: true, isFilled: true }), []);
      equal(task.scorer.grade(sample.references[0]!, sample).score.value, 1);
    }
  });
}
