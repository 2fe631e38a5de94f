import { deepEqual, ok } from "node:assert/strict";
import { chancesOfVerdicts, flipping, LAWS, type PairLaw } from "../certify/_certificates.ts";
import { openMeanSequence, stakeShares } from "@/lib/statistics/bettors.ts";

const RULE = { margin: 0.05, errorChance: 0.025 };

Deno.test("stakeShares() are shares, and more flips move them to smaller stakes", () => {
  const means = [0, 0.01, 0.05, 0.2, 1].map((flips) => {
    const shares = stakeShares(flips, RULE);
    ok(shares.every((share) => share >= 0) && Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-12);
    // The stakes fall from the first to the last.
    return shares.reduce((sum, share, place) => sum + place * share, 0);
  });
  deepEqual(means, means.toSorted((one, other) => one - other));
  // With hardly any flips, most is at the largest stake.
  ok(stakeShares(0, RULE)[0]! > 0.5);
});

Deno.test("openMeanSequence() of equal scores ends earlier with the stakes of a forecast", () => {
  const pairsUntil = (shares?: readonly number[]): number => {
    const sequence = openMeanSequence([-0.05, 0], 0.025, shares);
    for (let pairs = 1;; pairs++) {
      sequence.add({ values: [0], weights: [1] });
      if (sequence.interval().low >= -0.05) return pairs;
    }
  };
  const [alike, forecast] = [pairsUntil(), pairsUntil(stakeShares(0.02, RULE))];
  ok(alike > 105 && alike < 118 && forecast < 0.85 * alike, `${alike} and ${forecast}`);
});

Deno.test("a forecast of flips takes fewer pairs where it is right, and keeps the errors where it is wrong", () => {
  const law: PairLaw = { name: "2% differ", source: (difference) => flipping(Math.max(2, -difference), difference) };
  const pairs = (flips: number | null, difference: number): number =>
    chancesOfVerdicts(law, difference, { runs: 60, seed: "stakes", margin: 5, flips }).pairs;
  for (const difference of [0, -10]) {
    const ratio = pairs(2, difference) / pairs(null, difference);
    ok(ratio < 0.9, `${ratio} at ${difference}`);
  }
  for (const flips of [0, 100]) {
    const worst = LAWS.map((each) =>
      chancesOfVerdicts(each, -10, { runs: 40, seed: "wrong", margin: 10, samples: 650, flips })["no worse"]
    );
    ok(Math.max(...worst) <= 0.15, `${worst}`);
  }
});
