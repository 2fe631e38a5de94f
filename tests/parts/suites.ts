import { importTests } from "../_part.ts";

await importTests(
  "benchmarks",
  "!benchmarks/ruler",
  "papers",
  "!papers/ruler",
  // Their claims are checked once, for the tests above and for the pages.
  "docs/benchmark_pages_test.ts",
  "docs/task_page_test.ts",
);
