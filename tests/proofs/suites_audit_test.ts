import { AUDITS } from "../audit/_settings.ts";
import { auditSuite } from "./_audit_suites.ts";

// Together they take about as long as RULER does, which another process audits meanwhile.
for (const suite of AUDITS.keys()) {
  if (suite === "ruler") continue;
  Deno.test(`every sample of ${suite} is solved from its text alone, and is what it says`, () => auditSuite(suite));
}
