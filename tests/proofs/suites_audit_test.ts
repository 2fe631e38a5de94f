import { auditSuite } from "./_audit_suites.ts";

// Together they take about as long as RULER does, which another process audits meanwhile.
for (
  const suite of [
    "counting_stars",
    "needle_threading",
    "prompt_recall",
    "cdme",
    "repeated_words",
    "babilong",
    "mrcr",
  ] as const
) {
  Deno.test(`every sample of ${suite} is solved from its text alone, and is what it says`, () => auditSuite(suite));
}
