import { RULER_FAMILIES, RULER_GROUPS, RULER_TASK_NAMES } from "./tasks.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";

/** RULER: needles, chains, counted words and questions among documents, at any length. */
export const RULER: Benchmark = {
  name: "ruler",
  title: "RULER",
  source: "Hsieh et al. 2024, arXiv 2404.06654; NVIDIA/RULER at c3f5e3b",
  families: RULER_FAMILIES,
  tasks: RULER_TASK_NAMES,
  groups: RULER_GROUPS,
  threshold: { score: 85.6, source: "Llama2-7B's at 4K in the RULER paper" },
};
