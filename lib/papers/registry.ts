import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import { BABILONG_PAPER } from "@/lib/papers/babilong/mod.ts";
import { CDME_PAPER } from "@/lib/papers/cdme/mod.ts";
import { COUNTING_STARS_PAPER } from "@/lib/papers/counting_stars/mod.ts";
import { GRAPHWALKS_PAPER } from "@/lib/papers/graphwalks/mod.ts";
import { MRCR_PAPER } from "@/lib/papers/mrcr/mod.ts";
import { NEEDLE_THREADING_PAPER } from "@/lib/papers/needle_threading/mod.ts";
import type { Paper } from "./paper.ts";
import { PROMPT_DEPENDENCE_PAPER } from "@/lib/papers/prompt_dependence/mod.ts";
import { REPEATED_WORDS_PAPER } from "@/lib/papers/repeated_words/mod.ts";
import { RULER_PAPER } from "@/lib/papers/ruler/mod.ts";

/** The papers that come with Fathom, in the order of their benchmarks. */
export const PAPERS: readonly Paper[] = [
  RULER_PAPER,
  COUNTING_STARS_PAPER,
  NEEDLE_THREADING_PAPER,
  CDME_PAPER,
  PROMPT_DEPENDENCE_PAPER,
  REPEATED_WORDS_PAPER,
  BABILONG_PAPER,
  GRAPHWALKS_PAPER,
  MRCR_PAPER,
];

/** Finds the paper that introduces a benchmark; `undefined` for a user's benchmark. */
export function findPaper({ name, file }: Pick<Benchmark, "name" | "file">): Paper | undefined {
  return file === undefined ? PAPERS.find(({ benchmark }) => benchmark.name === name) : undefined;
}
