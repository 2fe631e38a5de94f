import { importTests } from "../_part.ts";

await importTests(
  "benchmarks/babilong",
  "benchmarks/cdme",
  "benchmarks/counting_stars",
  "benchmarks/graphwalks",
  "benchmarks/mrcr",
  "benchmarks/needle_threading",
  "benchmarks/prompt_dependence",
  "benchmarks/repeated_words",
  "benchmarks/several_turns",
  "papers/babilong",
  "papers/cdme",
  "papers/counting_stars",
  "papers/mrcr",
  "papers/needle_threading",
  "papers/prompt_dependence",
  "papers/repeated_words",
  "papers/claims_test.ts",
  "benchmarks/depth_cover_test.ts",
  "benchmarks/difficulty_test.ts",
  "benchmarks/graphwalks_test.ts",
  "benchmarks/prompt_words_test.ts",
  "benchmarks/registry_test.ts",
  // Their claims are checked once, for the tests above and for the pages.
  "docs/benchmark_pages_test.ts",
  "docs/task_page_test.ts",
);
