import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { type Coverage, simulateCoverage } from "@/lib/benchmarks/ruler/mod.ts";

/** The share of runs covered, over all rows of a kind whose truth is in a range. */
function covered(
  rows: readonly Coverage[],
  kind: Coverage["kind"],
  range: readonly [number, number] = [0, 100],
): number {
  const chosen = rows.filter((row) => row.kind === kind && row.truth >= range[0] && row.truth <= range[1]);
  ok(chosen.length > 0);
  return chosen.reduce((sum, row) => sum + row.covered, 0) / chosen.length;
}

const LENGTHS = [4096, 32_768, 131_072];

Deno.test.each([["yi-34b", 25, 1000], ["mixtral", 25, 1000], ["yi-34b", 100, 300]] as const)(
  "intervals hold the truth in 93 to 97%% of runs simulated with profile %s at %d samples, %d of them",
  (profile, samples, runs) => {
    const rows = simulateCoverage({ profile, lengths: LENGTHS, samples, runs });
    for (const kind of ["yes/no", "shares", "mean of 13 tasks"] as const) {
      const share = covered(rows, kind, kind === "mean of 13 tasks" ? [0, 100] : [5, 95]);
      ok(share >= 0.93 && share <= 0.97, `${kind}: ${share}`);
    }
    // Scores near 100 come out as 100 in most runs, and an interval that keeps its width there holds the truth in all of these.
    for (const kind of ["yes/no", "shares"] as const) ok(covered(rows, kind, [95, 100]) >= 0.93, kind);
  },
);

Deno.test("simulateCoverage() gives the same again, and a row for each task and length and for the mean", () => {
  const options = { profile: "lwm", lengths: [4096, 8192], samples: 4, runs: 10, seed: "s" };
  const rows = simulateCoverage(options);
  deepEqual(simulateCoverage(options), rows);
  equal(rows.length, 28);
  deepEqual(rows.slice(-2).map(({ kind, length }) => [kind, length]), [["mean of 13 tasks", 4096], [
    "mean of 13 tasks",
    8192,
  ]]);
  equal(rows.filter(({ kind }) => kind === "shares").length, 10);
});

Deno.test("simulateCoverage() refuses an unknown profile", () => {
  throws(() => simulateCoverage({ profile: "nope", lengths: [4096], samples: 1 }), {
    name: "RangeError",
    message: /^Cannot open the profile as its name must be one of .*: current value is "nope"$/,
  });
});
