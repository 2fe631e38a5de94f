import { deepEqual, equal, match, ok } from "node:assert/strict";
import { RECALL_RUN_CLAIMS, recallPairs } from "@/lib/papers/prompt_dependence/run_claims.ts";
import { stream } from "@/lib/random/mod.ts";
import { checkClaims, type CheckedClaim, type RunReply } from "@/lib/statistics/mod.ts";

const [PISTACHIO, FRANCISCO, THORNFIELD] = ["recall_pistachio", "recall_san_francisco", "recall_thornfield"] as const;

function replies(task: string, values: readonly (number | null)[], seed = "1"): RunReply[] {
  return values.map((value, index) => (
    { task, length: 1000, value, failed: value === null, noAnswer: false, least: 0.2, record: { index, seed } }
  ));
}

function checked(asked: readonly RunReply[]): readonly CheckedClaim[] {
  return checkClaims(RECALL_RUN_CLAIMS, { rows: [], replies: asked, tasks: {}, claimedLength: null });
}

Deno.test("recallPairs() has the mean difference over the cells that both tests have", () => {
  const all = [...replies(PISTACHIO, [1, 1, 0.6, null]), ...replies(FRANCISCO, [1, 0.2, 0.8, 1])];
  const [pair, ...others] = recallPairs(all);
  // (0 + 80 − 20) / 3
  equal(pair!.score.toFixed(6), "20.000000");
  deepEqual([pair!.tests, pair!.n, others], [[PISTACHIO, FRANCISCO], 3, []]);
  deepEqual(pair!.recalls.map(({ score }) => score.toFixed(2)), ["86.67", "66.67"]);
  deepEqual(recallPairs([...replies(PISTACHIO, [null]), ...replies(FRANCISCO, [1])]), []);
  deepEqual(recallPairs([]), []);
});

Deno.test("recallPairs() has an interval that covers the true difference in at least 90% of 200 seeded draws", () => {
  let covered = 0;
  for (let round = 0; round < 200; round++) {
    const draw = stream("coverage", round);
    const grades = (chance: number): number[] => Array.from({ length: 60 }, () => draw() < chance ? 1 : 0.2);
    // True recalls are 0.2 + 0.8 x chance: 84 and 68, apart by 16 points.
    const all = [...replies(PISTACHIO, grades(0.8), `${round}`), ...replies(FRANCISCO, grades(0.6), `${round}`)];
    const { low, high } = recallPairs(all)[0]!;
    if (low <= 16 && high >= 16) covered++;
  }
  ok(covered >= 180, `${covered} of 200`);
});

const MANY = 1225;

Deno.test.each(
  [
    ["one test is higher", 20, [1, 0.6, 0.6], "holds"],
    ["one test is lower", 20, [0.2, 0.6, 0.6], "holds"],
    ["a few cells, all alike", 4, [1, 1, 1], "cannot tell"],
    ["the paper's 1,225 cells, all alike", MANY, [0.6, 0.6, 0.6], "fails"],
    ["1,225 cells at the ceiling", MANY, [1, 1, 1], "cannot tell"],
    ["1,225 cells at the floor of one of five", MANY, [0.2, 0.2, 0.2], "cannot tell"],
    ["two tests alike, the third not asked", MANY, [0.6, 0.6], "cannot tell"],
  ] as [string, number, number[], string][],
)("M2 on a run, whether any two tests differ: %s", (_name, cells, grades, verdict) => {
  const tests = [PISTACHIO, FRANCISCO, THORNFIELD];
  const asked = grades.flatMap((grade, at) => replies(tests[at]!, Array(cells).fill(grade)));
  const [any] = checked(asked);
  equal(any!.verdict, verdict);
  match(any!.observed, new RegExp(`over ${cells} cells`));
});

Deno.test("M2 on a run counts cells that share a text once, and is open on one text", () => {
  const shared = (task: string, value: number): RunReply[] =>
    replies(task, Array(20).fill(value)).map((reply) => ({ ...reply, cluster: "text" }));
  const [any] = checked([...shared(PISTACHIO, 1), ...shared(FRANCISCO, 0.2)]);
  equal(any!.verdict, "cannot tell");
  match(any!.observed, /about this text only/);
});

Deno.test("M5 on a run holds where the fictional needle is recalled better, and fails where it is recalled worse", () => {
  const of = (fictional: number, known: number): string =>
    checked([...replies(THORNFIELD, Array(30).fill(fictional)), ...replies(FRANCISCO, Array(30).fill(known))])[1]!
      .verdict;
  equal(of(1, 0.4), "holds");
  equal(of(0.4, 1), "fails");
  equal(of(1, 1), "cannot tell");
  deepEqual(checked([]).map(({ isAsked }) => isAsked), [false, false]);
});
