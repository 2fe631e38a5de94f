import { match, ok, throws } from "node:assert/strict";
import { samplePlanFigure, samplePlanTable } from "@/lib/figures/mod.ts";

const OPTIONS = { title: "Few tell little", score: 85.6, tasks: [1, 13] };

Deno.test("samplePlanTable() agrees with planSamples(): 183 of each of 13 tasks detect three points, 2,368 of one", () => {
  const { text, caption } = samplePlanTable(OPTIONS);
  match(text, /^ +3 +2368 +183$/m);
  match(caption, /Power 80%, level 95%.*the same samples for each model; one comparison\.$/);
});

Deno.test("samplePlanTable() needs more samples for more comparisons, and says how many comparisons", () => {
  const { text, caption } = samplePlanTable({ ...OPTIONS, comparisons: 20 });
  ok(Number(text.match(/^ +3 +(\d+)/m)![1]) > 2368);
  match(caption, /20 comparisons\.$/);
});

Deno.test("samplePlanTable() leaves out differences larger than the score", () => {
  ok(!/^ +10 /m.test(samplePlanTable({ ...OPTIONS, score: 8 }).text));
  throws(() => samplePlanTable({ ...OPTIONS, score: 120 }), { name: "RangeError" });
});

Deno.test("samplePlanFigure() has gaps, and no NaN, where no difference is detectable", () => {
  const figure = samplePlanFigure({ ...OPTIONS, score: 10 });
  ok(!JSON.stringify(figure.spec).includes("NaN"));
  match(figure.note, /^Measured · computed, no samples asked · no interval$/);
});
