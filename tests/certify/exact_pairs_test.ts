import { deepEqual, ok } from "node:assert/strict";
import { exactInterval } from "@/lib/statistics/mod.ts";
import { exactPairsTest, openFixed, type PairCounts, tangoScore } from "@/lib/certify/exact_pairs.ts";

/** Returns the score statistic, with the most likely share worse found by trying all. */
function searchedScore({ better, worse, pairs }: PairCounts, difference: number): number {
  const log = (count: number, share: number): number => count === 0 ? 0 : count * Math.log(share);
  const likelihood = (q: number): number =>
    log(better, q + difference) + log(worse, q) + log(pairs - better - worse, 1 - 2 * q - difference);
  const [low, high] = [Math.max(0, -difference), (1 - difference) / 2];
  const shares = Array.from({ length: 20_001 }, (_, step) => low + (high - low) * step / 20_000);
  const likelihoods = shares.map(likelihood);
  const q = shares[likelihoods.indexOf(Math.max(...likelihoods))]!;
  const found = better - worse - pairs * difference;
  return found / Math.sqrt(pairs * (2 * q + difference - difference ** 2));
}

/** Returns the chance of an outcome, term by term. */
function chanceOf({ better, worse, pairs }: PairCounts, [up, down]: readonly [number, number]): number {
  let chance = (1 - up - down) ** (pairs - better - worse);
  for (let at = 0; at < better; at++) chance *= up * (pairs - at) / (at + 1);
  for (let at = 0; at < worse; at++) chance *= down * (pairs - better - at) / (at + 1);
  return chance;
}

/** Returns the p-value by all outcomes and 400 shares of discordant pairs. */
function enumerated(counts: PairCounts, difference: number): number {
  const { pairs } = counts;
  const seen = tangoScore(counts, difference) - 1e-9;
  const outcomes = Array.from(
    { length: pairs + 1 },
    (_, better) => Array.from({ length: pairs - better + 1 }, (_, worse) => ({ better, worse, pairs })),
  ).flat()
    .filter((outcome) => tangoScore(outcome, difference) >= seen);
  const { low, high } = exactInterval(counts.better + counts.worse, pairs, 1 - 1e-4);
  const chances = Array.from({ length: 401 }, (_, step) => {
    const discordant = Math.max(low + (high - low) * step / 400, Math.abs(difference));
    const shares = [(discordant + difference) / 2, (discordant - difference) / 2] as const;
    return outcomes.reduce((sum, outcome) => sum + chanceOf(outcome, shares), 0);
  });
  return Math.min(1, Math.max(...chances) + 1e-4);
}

const COUNTS = [[0, 0, 9], [1, 0, 6], [0, 1, 6], [2, 1, 8], [1, 4, 10], [5, 5, 10], [9, 0, 9], [0, 9, 9], [3, 2, 25]]
  .map(([better, worse, pairs]): PairCounts => ({ better: better!, worse: worse!, pairs: pairs! }));

Deno.test("exactPairsTest() is the largest chance of outcomes with such a difference in standard errors, at the most likely shares", () => {
  for (const counts of COUNTS) {
    for (const difference of [-0.5, -0.2, -0.02, 0, 0.1, 0.4]) {
      const about = `${JSON.stringify(counts)} at ${difference}`;
      const [score, searched] = [tangoScore, searchedScore].map((each) => each(counts, difference)) as [number, number];
      ok(score === searched || Math.abs(score - searched) < 2e-3 || Number.isNaN(searched), `${about}: ${score}`);
      const [p, wanted] = [exactPairsTest, enumerated].map((each) => each(counts, difference)) as [number, number];
      ok(p > wanted - 1e-6 && p < wanted * 1.002 + 1e-6, `${about}: ${p}, not ${wanted}`);
    }
  }
});

Deno.test("openFixed() has the differences that neither side's exact test rejects, and nothing before it is finished", () => {
  for (const counts of COUNTS) {
    const { better, worse, pairs } = counts;
    const values = Array.from({ length: pairs }, (_, at) => at < better ? 1 : at < better + worse ? -1 : 0);
    const sequence = openFixed(0.025);
    sequence.add({ values, weights: values.map(() => 2) });
    deepEqual(sequence.interval(), { low: -1, high: 1 });
    sequence.finish?.();
    const { low, high } = sequence.interval();
    const about = `${JSON.stringify(counts)}: ${low} to ${high}`;
    ok(low <= (better - worse) / pairs && (better - worse) / pairs <= high, about);
    for (const [end, side] of [[low, counts], [-high, { better: worse, worse: better, pairs }]] as const) {
      ok(end <= -0.99 || enumerated(side, end - 0.003) < 0.0252 && enumerated(side, end + 0.003) > 0.0248, about);
    }
  }
});
