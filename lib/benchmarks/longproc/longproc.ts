import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import { PATH_TRAVERSAL } from "./path_traversal.ts";
import { TOM_TRACKING } from "./tom_tracking.ts";

/** LongProc: long outputs that follow a procedure, step by step. */
export const LONGPROC: Benchmark = {
  name: "longproc",
  title: "LongProc",
  source: "Ye, Yin, He, Zhang, Yen, Gao, Durrett and Chen 2025, arXiv 2501.05414; princeton-pli/LongProc",
  families: [PATH_TRAVERSAL, TOM_TRACKING],
  tasks: [...PATH_TRAVERSAL.tasks, ...TOM_TRACKING.tasks],
};
