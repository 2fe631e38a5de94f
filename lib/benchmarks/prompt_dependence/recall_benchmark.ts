import { RECALL_CLAIMS } from "./claims.ts";
import { KAMRADT_JUDGE, RECALL_JUDGE } from "./judge.ts";
import { PROMPT_RECALL } from "./prompt_recall.ts";
import { openRecallPublished } from "./published.ts";
import { RECALL_RUN_CLAIMS } from "./run_claims.ts";
import { SEVERAL_NEEDLES } from "./several_needles.ts";
import { TRAINING_RUN_CLAIMS } from "./training_run_claims.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** The three tests of the paper, and several needles of the test that it follows. */
export const PROMPT_DEPENDENCE: Benchmark = {
  name: "prompt_dependence",
  title: "LLM In-Context Recall is Prompt Dependent",
  source: "Machlab and Battle 2024, arXiv 2404.08865",
  families: [SEVERAL_NEEDLES, PROMPT_RECALL],
  tasks: PROMPT_RECALL.tasks,
  claims: [
    claimSet({
      name: "text",
      title: "Statements of the paper, checked on Tables 1 and 5",
      claims: RECALL_CLAIMS,
      evidence: () => openRecallPublished(),
    }),
  ],
  runClaims: [...RECALL_RUN_CLAIMS, ...TRAINING_RUN_CLAIMS],
  regraders: [RECALL_JUDGE, KAMRADT_JUDGE],
};
