import { CDME_NEEDLES } from "./needles.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";

/** CDME, one needle and several, with its errors corrected. */
export const CDME: Benchmark = {
  name: "cdme",
  title: "OpenCompass CDME",
  source: "open-compass/opencompass at e975a96f (January 2024)",
  families: [CDME_NEEDLES],
  tasks: ["cdme_zh", "cdme_multi_zh"],
};
