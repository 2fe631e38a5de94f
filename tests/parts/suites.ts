import { importTests } from "../_part.ts";

await importTests(
  "benchmarks",
  "!benchmarks/ruler",
  "papers",
  "!papers/ruler",
);
