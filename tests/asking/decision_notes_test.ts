import { deepEqual, match } from "node:assert/strict";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { checkStudy, openStudy, planStudy } from "@/lib/studies/mod.ts";
import { decisionNotes } from "@/lib/asking/mod.ts";

async function notes(samples: number, more: Record<string, unknown> = {}): Promise<readonly string[]> {
  const opened = await openStudy(checkStudy({ tasks: ["all"], lengths: [4096, 8192], samples, ...more }));
  return decisionNotes(planStudy(opened, { template: PLAIN_TEMPLATE }), { origin: "measured" });
}

Deno.test("decisionNotes() has the precision of ten samples of thirteen tasks, as fathom plan does", async () => {
  const [precision] = await notes(10);
  // fathom plan --samples 10 --score 50: one task to 28.8, the mean of 13 to 8.5; a difference of 17.6 in the mean, none in one.
  match(
    precision!,
    /to about ±29 points, the mean of 13 tasks known to ±9; .* same samples is more than 50 points on a task, 18 in the mean$/,
  );
});

Deno.test("decisionNotes() has no mean of a single task", async () => {
  const [precision] = await notes(100, { tasks: ["vt"], repeats: 3 });
  match(
    precision!,
    /^with 100 samples a score is known to about ±10 points; .* same samples is 21 points on a task$/,
  );
});

Deno.test("decisionNotes() is empty for a simulated reader", async () => {
  const opened = await openStudy(checkStudy({ tasks: ["vt"], lengths: [1024] }));
  deepEqual(decisionNotes(planStudy(opened, { template: PLAIN_TEMPLATE }), { origin: "simulated" }), []);
});
