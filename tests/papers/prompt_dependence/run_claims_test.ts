import { deepEqual, equal, match, ok } from "node:assert/strict";
import { pairedRecall, RECALL_RUN_CLAIMS } from "@/lib/papers/prompt_dependence/run_claims.ts";
import { stream } from "@/lib/random/mod.ts";
import { checkClaims, type RunReply } from "@/lib/statistics/mod.ts";

function replies(task: string, values: readonly (number | null)[], seed = "1"): RunReply[] {
  return values.map((value, index) => (
    { task, length: 1000, value, failed: value === null, noAnswer: false, record: { index, seed } }
  ));
}

Deno.test("pairedRecall() is the mean difference over the cells that both have, and turns its sign with their order", () => {
  const all = [...replies("a", [1, 1, 0.6, null]), ...replies("b", [1, 0.2, 0.8, 1])];
  const pair = pairedRecall(all, ["a", "b"])!;
  // (0 + 80 − 20) / 3
  equal(pair.score.toFixed(6), "20.000000");
  deepEqual([pair.cells, pair.higher, pair.lower], [3, 1, 1]);
  equal(pairedRecall(all, ["b", "a"])!.score.toFixed(6), "-20.000000");
});

Deno.test("pairedRecall() gives the same interval for the same seed", () => {
  const all = [...replies("a", [1, 0.8, 0.2], "x"), ...replies("b", [0.6, 0.6, 1], "x")];
  deepEqual(pairedRecall(all, ["a", "b"]), pairedRecall(all, ["a", "b"]));
});

Deno.test("pairedRecall() has an interval that covers the true difference in at least 90% of 200 seeded draws", () => {
  let covered = 0;
  for (let round = 0; round < 200; round++) {
    const draw = stream("coverage", round);
    const grades = (chance: number): number[] => Array.from({ length: 60 }, () => draw() < chance ? 1 : 0.2);
    // True recalls are 0.2 + 0.8 x chance: 84 and 68, apart by 16 points.
    const all = [...replies("a", grades(0.8), `${round}`), ...replies("b", grades(0.6), `${round}`)];
    const { low, high } = pairedRecall(all, ["a", "b"])!;
    if (low <= 16 && high >= 16) covered++;
  }
  ok(covered >= 180, `${covered} of 200`);
});

Deno.test("pairedRecall() is null where no cell has a grade in both tests", () => {
  equal(pairedRecall([...replies("a", [null]), ...replies("b", [1])], ["a", "b"]), null);
  equal(pairedRecall([], ["a", "b"]), null);
});

Deno.test.each(
  [
    ["the first is higher", Array(20).fill(1), Array(20).fill(0.6), "holds"],
    ["the first is lower", Array(20).fill(0.2), Array(20).fill(0.6), "holds"],
    ["a few cells, all alike", Array(4).fill(1), Array(4).fill(1), "cannot tell"],
    ["the paper's 1,225 cells, all alike", Array(1225).fill(0.6), Array(1225).fill(0.6), "fails"],
    ["1,225 cells at the ceiling", Array(1225).fill(1), Array(1225).fill(1), "cannot tell"],
    ["1,225 cells at the floor of one of five", Array(1225).fill(0.2), Array(1225).fill(0.2), "cannot tell"],
    ["four of nine are higher", [1, 1, 1, 1, 1, 1, 1, 1, 1], [1, 0.6, 1, 0.6, 1, 0.6, 1, 0.6, 1], "cannot tell"],
    ["sometimes one, sometimes the other", [1, 1, 0.2, 0.2], [0.2, 1, 1, 0.2], "cannot tell"],
  ] as [string, number[], number[], string][],
)("RECALL_RUN_CLAIMS: %s", (_name, first, second, verdict) => {
  const asked = [...replies("recall_pistachio", first), ...replies("recall_san_francisco", second)];
  const evidence = { rows: [], replies: asked, tasks: {}, claimedLength: null };
  const [told, ...others] = checkClaims(RECALL_RUN_CLAIMS, evidence);
  equal(told!.verdict, verdict);
  match(told!.observed, new RegExp(`over ${first.length} cells; higher in \\d+, lower in \\d+`));
  deepEqual(others.map(({ observed }) => observed), Array(2).fill("No cell has a grade in both tests."));
});
