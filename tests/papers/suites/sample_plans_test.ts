import { match, throws } from "node:assert/strict";
import { neededPairsTable, samplePlanTable } from "@/lib/papers/suites/sample_plans.ts";
import { planSamples } from "@/lib/statistics/mod.ts";

const OPTIONS = { title: "Few tell little", score: 85.6, tasks: [1, 13] };

Deno.test("samplePlanTable() agrees with planSamples(): 183 of each of 13 tasks detect three points, 2,368 of one", () => {
  const { text, caption } = samplePlanTable(OPTIONS);
  match(text, /^ +3 +2368 +183$/m);
  match(caption, /Power 80%, level 95%.*the same samples for each model; one comparison\.$/);
});

const PAIRED = { by: "all", name: "all samples", cells: 1, p: 1, adjusted: 1, higher: null } as const;

Deno.test("neededPairsTable() agrees with planSamples(), row by row", () => {
  const row = { ...PAIRED, n: 40, units: 40, baseline: 50, other: 42, difference: -8, low: -25, high: 9 };
  const { text } = neededPairsTable([row], { title: "Few", origin: "measured" });
  const [seen, ten, five] = [8, 10, 5].map((points) => planSamples(points, { score: 50 }).samples);
  match(text, new RegExp(`^all samples +40 +-8\\.0 \\[-25\\.0, 9\\.0\\] +\\d+ +${seen} +${ten} +${five}$`, "m"));
});

Deno.test("neededPairsTable() has no number where no difference was seen, or there is no score to lose", () => {
  const none = { ...PAIRED, n: 4, units: 4, difference: 0, low: -40, high: 40, baseline: 0, other: 0 };
  match(neededPairsTable([none], { title: "None", origin: "measured" }).text, /0\.0(?: +–){4}$/m);
  throws(() => neededPairsTable([], { title: "None", origin: "measured" }), { name: "RangeError" });
});
