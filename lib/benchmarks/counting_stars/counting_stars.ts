import { STAR_CLAIMS } from "./claims.ts";
import { LATER_STAR_CLAIMS } from "./later_edition.ts";
import { openStarsPublished } from "./published.ts";
import { STAR_RUN_CLAIMS } from "./run_claims.ts";
import { STARS } from "./stars.ts";
import { STAR_TEST_FILES } from "./test_lines.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import { STAR_VERSION_CLAIMS } from "./version_run_claims.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

/** Counting-Stars, both languages. */
export const COUNTING_STARS: Benchmark = {
  name: "counting_stars",
  title: "Counting-Stars",
  source: "Song, Zheng and Luo 2024, arXiv 2403.11802; nick7nlp/Counting-Stars at 32e16f2",
  families: [STARS],
  tasks: ["search", "shuffled", "reasoning"].flatMap((kind) =>
    ["zh", "en"].map((language) => `counting_stars_${kind}_${language}`)
  ),
  claims: [
    claimSet({
      name: "text",
      title: "Statements of the text, checked on its own numbers",
      claims: STAR_CLAIMS,
      evidence: async () => ({ ...await openStarsPublished(), seed: "42" }),
    }),
    claimSet({
      name: "later edition",
      title: "The later edition: its abstract, and whether its tables and figures agree",
      claims: LATER_STAR_CLAIMS,
      evidence: () => openStarsPublished(),
    }),
  ],
  runClaims: [...STAR_RUN_CLAIMS, ...STAR_VERSION_CLAIMS],
  testFiles: STAR_TEST_FILES,
};
