import { auditSuite } from "./_audit_suites.ts";

Deno.test("every sample of RULER is solved from its text alone, and is what it says", () => auditSuite("ruler"));
