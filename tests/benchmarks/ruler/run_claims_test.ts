import { deepEqual, equal, ok } from "node:assert/strict";
import { RULER_GROUPS, RULER_OVERALL } from "@/lib/benchmarks/ruler/mod.ts";
import { RUN_CLAIMS } from "@/lib/benchmarks/ruler/run_claims.ts";
import { checkClaims, type RunEvidence, type ScoredRecord, summarise } from "@/lib/statistics/mod.ts";

const TASKS = RULER_GROUPS.find((group) => group.name === RULER_OVERALL)!.tasks;

/** A run on all 13 tasks with `right` right samples of each task at each length. */
function run(
  samples: number,
  rightAt: readonly (readonly [length: number, right: number])[],
  claimedLength: number | null,
): RunEvidence {
  const records = rightAt.flatMap(([length, right]) =>
    TASKS.flatMap((task) =>
      Array.from({ length: samples }, (_, index): ScoredRecord => ({
        task,
        length,
        value: index < right ? 1 : 0,
        failed: false,
        noAnswer: false,
      }))
    )
  );
  return { rows: summarise(records), replies: [], tasks: {}, claimedLength };
}

Deno.test.each(
  [
    [
      "a perfect run that reaches the claim",
      run(100, [[4096, 100], [8192, 100]], 8192),
      "holds cannot tell fails holds",
    ],
    [
      "a perfect run that stops short of the claim",
      run(100, [[4096, 100], [8192, 100]], 16_384),
      "holds cannot tell cannot tell holds",
    ],
    ["a perfect run of few samples", run(5, [[4096, 5], [8192, 5]], 8192), "holds cannot tell fails cannot tell"],
    ["a run that breaks down", run(25, [[4096, 25], [8192, 5]], 8192), "holds holds holds fails"],
    ["a run that breaks down beyond the claim", run(100, [[4096, 100], [8192, 20]], 4096), "holds holds fails holds"],
    ["a run near the threshold", run(25, [[4096, 25], [8192, 22]], 8192), "holds cannot tell cannot tell cannot tell"],
    ["an unknown claim", run(100, [[4096, 100], [8192, 100]], null), "holds cannot tell cannot tell holds"],
    ["a run that keeps its middling score", run(100, [[4096, 60], [8192, 60]], 8192), "holds fails holds fails"],
    ["a run that finds next to nothing", run(100, [[4096, 2], [8192, 0]], 8192), "holds cannot tell holds fails"],
    ["one length only", run(100, [[4096, 100]], 4096), "holds cannot tell fails holds"],
  ] as [string, RunEvidence, string][],
)("RUN_CLAIMS: %s", (_name, evidence, verdicts) => {
  equal(checkClaims(RUN_CLAIMS, evidence).map(({ verdict }) => verdict).join(" "), verdicts);
});

Deno.test("RUN_CLAIMS say what was seen", () => {
  const [identity, fall, length, needles] = checkClaims(RUN_CLAIMS, run(25, [[4096, 25], [8192, 5]], 8192));
  equal(identity!.observed, "At 2 lengths the largest difference is 0.000 points.");
  ok(fall!.observed.startsWith("From 4K to 8K it falls by 80.0 points (95% interval 7"));
  equal(
    length!.observed,
    "At a threshold of 85.6 the effective length is 4K, of 8K claimed and 8K tested; the chance that it is shorter than claimed is 100%.",
  );
  ok(needles!.observed.startsWith("The lowest of 4 scores is niah_single_1 at 8K: 20.0 (95% interval "));
});

Deno.test("RUN_CLAIMS cannot tell without scores, and give no NaN", () => {
  const checked = checkClaims(RUN_CLAIMS, { rows: [], replies: [], tasks: {}, claimedLength: 8192 });
  deepEqual(checked.map(({ verdict, observed }) => [verdict, observed]), [
    ["cannot tell", "No length has a score on all 13 tasks."],
    ["cannot tell", "Fewer than two lengths have a score on all 13 tasks."],
    ["cannot tell", "No length has a score on all 13 tasks."],
    ["cannot tell", "Not both tasks have a score at such a length."],
  ]);
});
