import { importTests } from "../_part.ts";

await importTests(
  "docs/benchmark_pages_test.ts",
  "docs/examples_test.ts",
  "docs/notebook_answers_test.ts",
  "docs/readme_test.ts",
  "docs/workflow_examples_test.ts",
  "figures",
);
