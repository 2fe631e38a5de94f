import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { type GradedCell, pairedRecall } from "@/lib/benchmarks/prompt_dependence/mod.ts";
import { stream } from "@/lib/random/mod.ts";

function cells(task: string, values: readonly (number | null)[]): GradedCell[] {
  return values.map((value, index) => ({ task, length: 1000, index, value }));
}

Deno.test("pairedRecall() is the mean difference over the cells that both have", () => {
  const [pair] = pairedRecall([...cells("a", [1, 1, 0.6, null]), ...cells("b", [1, 0.2, 0.8, 1])], { seed: "1" });
  // (0 + 80 − 20) / 3
  equal(pair!.score.toFixed(6), "20.000000");
  deepEqual([pair!.cells, pair!.higher, pair!.lower], [3, 1, 1]);
});

Deno.test("pairedRecall() compares every pair of tests, and turns its sign with their order", () => {
  const [a, b, c] = [cells("a", [1, 0.8]), cells("b", [0.6, 0.6]), cells("c", [0.2, 1])] as const;
  deepEqual(pairedRecall([...a, ...b, ...c], { seed: "1" }).map(({ first, second }) => first + second), [
    "ab",
    "ac",
    "bc",
  ]);
  equal(pairedRecall([...b, ...a], { seed: "1" })[0]!.score, -pairedRecall([...a, ...b], { seed: "1" })[0]!.score);
});

Deno.test("pairedRecall() gives the same interval for the same seed", () => {
  const all = [...cells("a", [1, 0.8, 0.2]), ...cells("b", [0.6, 0.6, 1])];
  deepEqual(pairedRecall(all, { seed: "x" }), pairedRecall(all, { seed: "x" }));
});

Deno.test("pairedRecall() has an interval that covers the true difference in at least 90% of 200 seeded draws", () => {
  let covered = 0;
  for (let round = 0; round < 200; round++) {
    const draw = stream("coverage", round);
    const grade = (chance: number): number => draw() < chance ? 1 : 0.2;
    // True recalls are 0.2 + 0.8 x chance: 84 and 68, apart by 16 points.
    const all = [
      ...cells("a", Array.from({ length: 60 }, () => grade(0.8))),
      ...cells("b", Array.from({ length: 60 }, () => grade(0.6))),
    ];
    const { low, high } = pairedRecall(all, { seed: `${round}` })[0]!;
    if (low <= 16 && high >= 16) covered++;
  }
  ok(covered >= 180, `${covered} of 200`);
});

Deno.test("pairedRecall() refuses tests that share no cell", () => {
  throws(
    () => pairedRecall([...cells("a", [null]), ...cells("b", [1])], { seed: "1" }),
    /a and b as they must share a cell/,
  );
});
