import { KAMRADT_JUDGE, RECALL_JUDGE } from "./judge.ts";
import { PROMPT_RECALL } from "./prompt_recall.ts";
import { SEVERAL_NEEDLES } from "./several_needles.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";

/** The three tests of the paper, and several needles of the test that it follows. */
export const PROMPT_DEPENDENCE: Benchmark = {
  name: "prompt_dependence",
  title: "LLM In-Context Recall is Prompt Dependent",
  source: "Machlab and Battle 2024, arXiv 2404.08865",
  families: [SEVERAL_NEEDLES, PROMPT_RECALL],
  tasks: PROMPT_RECALL.tasks,
  regraders: [RECALL_JUDGE, KAMRADT_JUDGE],
  paper: async () => (await import("@/lib/papers/prompt_dependence/paper.ts")).PROMPT_DEPENDENCE_PAPER,
};
