import { ok } from "node:assert/strict";
import { exactInterval } from "@/lib/statistics/mod.ts";
import { exactPairsTest, openFixed, type PairCounts, tangoScore } from "@/lib/statistics/exact_pairs.ts";

/** The shares worse under a null that allow any; the shares better are these plus the difference. */
function sharesWorse(difference: number, steps: number): readonly number[] {
  const [low, high] = [Math.max(0, -difference), (1 - difference) / 2];
  return Array.from({ length: steps + 1 }, (_, step) => low + (high - low) * step / steps);
}

/** Returns the score statistic, with the most likely share worse found by trying all. */
function searchedScore({ better, worse, pairs }: PairCounts, difference: number): number {
  const log = (count: number, share: number): number => count === 0 ? 0 : count * Math.log(share);
  const likelihood = (q: number): number =>
    log(better, q + difference) + log(worse, q) + log(pairs - better - worse, 1 - 2 * q - difference);
  const shares = sharesWorse(difference, 20_000);
  const likelihoods = shares.map(likelihood);
  const q = shares[likelihoods.indexOf(Math.max(...likelihoods))]!;
  const found = better - worse - pairs * difference;
  return found / Math.sqrt(pairs * (2 * q + difference - difference ** 2));
}

const COUNTS: readonly (readonly [better: number, worse: number, pairs: number])[] = [
  ...[[0, 0, 9], [1, 0, 6], [0, 1, 6], [2, 1, 8], [1, 4, 10], [5, 5, 10], [9, 0, 9], [0, 9, 9], [3, 2, 25]] as const,
];
const DIFFERENCES = [-0.5, -0.2, -0.02, 0, 0.1, 0.4];

Deno.test("tangoScore() is the difference in standard errors at the most likely shares that have it", () => {
  for (const [better, worse, pairs] of COUNTS) {
    for (const difference of DIFFERENCES) {
      const [got, wanted] = [tangoScore, searchedScore].map((score) => score({ better, worse, pairs }, difference));
      const isSame = got === wanted || Math.abs(got! - wanted!) < 2e-3 || Number.isNaN(wanted);
      ok(isSame, `${better} better, ${worse} worse of ${pairs} at ${difference}: ${got}, not ${wanted}`);
    }
  }
});

/** Returns the chance of an outcome, term by term. */
function chanceOf({ better, worse, pairs }: PairCounts, [up, down]: readonly [number, number]): number {
  let chance = 1;
  for (let at = 0; at < better; at++) chance *= up * (pairs - at) / (at + 1);
  for (let at = 0; at < worse; at++) chance *= down * (pairs - better - at) / (at + 1);
  return chance * (1 - up - down) ** (pairs - better - worse);
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

Deno.test("exactPairsTest() is the largest chance of all outcomes as extreme", () => {
  for (const [better, worse, pairs] of COUNTS) {
    for (const difference of DIFFERENCES) {
      const [got, wanted] = [exactPairsTest, enumerated].map((test) => test({ better, worse, pairs }, difference));
      const about = `${better} better, ${worse} worse of ${pairs} at ${difference}: ${got}, not ${wanted}`;
      ok(got! > wanted! - 1e-6 && got! < wanted! * 1.002 + 1e-6, about);
    }
  }
});

Deno.test("openFixed() has the differences that neither side's exact test rejects, and nothing before it is finished", () => {
  for (const [better, worse, pairs] of COUNTS) {
    const values = Array.from({ length: pairs }, (_, at) => at < better ? 1 : at < better + worse ? -1 : 0);
    const sequence = openFixed(0.025);
    sequence.add({ values, weights: values.map(() => 2) });
    ok(sequence.interval().low === -1 && sequence.interval().high === 1);
    sequence.finish?.();
    const { low, high } = sequence.interval();
    const about = `${better} better, ${worse} worse of ${pairs}: ${low} to ${high}`;
    ok(low <= (better - worse) / pairs && (better - worse) / pairs <= high, about);
    for (
      const [end, counts] of [[low, { better, worse, pairs }], [-high, {
        better: worse,
        worse: better,
        pairs,
      }]] as const
    ) {
      if (end <= -0.99) continue;
      ok(enumerated(counts, end - 0.003) < 0.0252 && enumerated(counts, end + 0.003) > 0.0248, about);
    }
  }
});
