import { deepEqual, equal } from "node:assert/strict";
import { meanScores } from "@/lib/benchmarks/ruler/correlation.ts";

const asked = { model: "a", task: "vt", length: 4096 };

Deno.test("meanScores() averages each model, task and length in percent, without the samples that have no score", () => {
  const means = meanScores([
    { ...asked, index: 0, value: 0.25 },
    { ...asked, index: 1, value: null },
    { ...asked, index: 2, value: 0.75 },
    { ...asked, model: "b", index: 0, value: 1 },
  ]);
  deepEqual(means, [{ ...asked, score: 50 }, { ...asked, model: "b", score: 100 }]);
});

Deno.test("meanScores() gives no score, and no 0, where every call failed", () => {
  equal(meanScores([{ ...asked, index: 0, value: null }])[0]?.score, null);
});
