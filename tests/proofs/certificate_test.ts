/**
 * 10,000 simulated certificates of each kind: how often they are wrong, and after how many pairs they end. Prints the tables of
 * docs/certify.md.
 */
import { ok } from "node:assert/strict";
import { flipping, mixOf, type PairSource, sharing } from "../statistics/_certificates.ts";
import { stream } from "@/lib/random/mod.ts";
import { openMeanSequence } from "@/lib/statistics/bettors.ts";
import { verdictOf } from "@/lib/statistics/certificate.ts";
import { exactPairsTest, tangoScore } from "@/lib/statistics/exact_pairs.ts";
import { expectedPairs } from "@/lib/statistics/mod.ts";

const RUNS = 10_000;
const MARGIN = 0.02;
const TASKS = 13;

interface Scenario {
  readonly name: string;
  /** Draws the differences of a round whose weighted mean is the difference, in points. */
  readonly source: (difference: number) => PairSource;
  readonly weights?: readonly number[];
  readonly questions?: number;
  readonly samples?: number;
}

/** How many certificates ended with each verdict or missed the difference, and their pairs. */
type Found = Record<"no worse" | "worse" | "missed" | "pairs", number>;

/** Runs certificates at a true difference, and returns the share with each verdict, the share that missed it and the mean pairs. */
function simulate(scenario: Scenario, difference: number): Found {
  const { name, source, weights = Array(TASKS).fill(1), questions = 1, samples = 6000 } = scenario;
  const rule = { margin: 100 * MARGIN, samples, cells: mixOf(weights) };
  const draw = stream("certificate proof", name, difference);
  const draws = source(difference);
  const grid = [...new Set([-MARGIN, difference / 100, 0])].sort((left, right) => left - right);
  const found: Found = { "no worse": 0, worse: 0, missed: 0, pairs: 0 };
  const size = weights.length * questions;
  for (let run = 0; run < RUNS; run++) {
    const evidence = openMeanSequence(grid, 0.025);
    for (let pairs = size;; pairs += size) {
      const values = weights.map((_, cell) => {
        const [base, change] = draws(draw, cell);
        return change - base;
      });
      evidence.add({ values, weights });
      const { low, high } = evidence.interval();
      const verdict = verdictOf({ low, high }, rule);
      if (verdict === null && pairs + size <= samples) continue;
      if (verdict !== null) found[verdict]++;
      // The end at the truth itself refutes it.
      if (low >= difference / 100 || high <= difference / 100) found.missed++;
      found.pairs += pairs;
      break;
    }
  }
  const percent = (count: number): string => (100 * count / RUNS).toFixed(1);
  console.log(
    `${name}; at ${difference}: no worse ${percent(found["no worse"])}%, worse ${percent(found.worse)}%, ` +
      `interval missed ${percent(found.missed)}%, ${Math.round(found.pairs / RUNS)} pairs`,
  );
  return found;
}

/** Losses of some cells and gains of others, with a weighted mean. */
function uneven(weights: readonly number[], losses: readonly number[]): (difference: number) => PairSource {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = losses.reduce((sum, loss, at) => sum + weights[at]! * loss, 0) / whole;
  return (difference) => {
    const cells = losses.map((loss) =>
      flipping(Math.max(6, Math.abs(loss - mean + difference)), loss - mean + difference)
    );
    return (draw, cell) => cells[cell]!(draw, cell);
  };
}

/** Shares of eight facts, of which a change loses or gains one or two. */
function graded(difference: number): PairSource {
  const flips = flipping(20, difference * 16 / 3);
  return (draw, cell) => {
    const [base, change] = flips(draw, cell);
    const facts = draw() < 0.5 ? 1 : 2;
    const kept = 2 + Math.floor(5 * draw());
    return [(kept + base * facts) / 8, (kept + change * facts) / 8];
  };
}

const ONE_HEAVY = [12, ...Array(TASKS - 1).fill(1)];

const SCENARIOS: readonly Scenario[] = [
  { name: "1% differ", source: (difference) => flipping(Math.max(1, -difference), difference) },
  { name: "5% differ", source: (difference) => flipping(5, difference) },
  { name: "10% differ", source: (difference) => flipping(10, difference) },
  { name: "base at the ceiling", source: (difference) => flipping(Math.max(1e-9, -difference), difference) },
  { name: "graded scores", source: graded },
  {
    name: "4 questions a context, ICC 0.5",
    questions: 4,
    source: (difference) => sharing(flipping(5, difference), 4, 0.5),
  },
  {
    name: "8 questions a context, ICC 0.9",
    questions: 8,
    source: (difference) => sharing(flipping(5, difference), 8, 0.9),
  },
  { name: "one task loses 26 points", source: uneven(Array(TASKS).fill(1), [-26, ...Array(TASKS - 1).fill(0)]) },
  {
    name: "one task of half the weight, opposite to the others",
    weights: ONE_HEAVY,
    source: uneven(ONE_HEAVY, [-8, ...Array(TASKS - 1).fill(8)]),
  },
];

for (const scenario of SCENARIOS) {
  Deno.test(`certificates by betting err in at most 2.5%: ${scenario.name}`, () => {
    const [loss, none] = [-2, 0].map((difference) => simulate(scenario, difference)) as [Found, Found];
    ok(loss["no worse"] <= 0.025 * RUNS && none.worse <= 0.025 * RUNS);
    ok(loss.missed <= 0.05 * RUNS && none.missed <= 0.05 * RUNS);
  });
}

/** Returns the largest number of worse pairs that the exact test finds no worse, for each number of better ones. */
function mostWorse(pairs: number, better: number): number {
  let [least, most] = [-1, better + Math.ceil(pairs * MARGIN) + 1];
  while (most - least > 1) {
    const worse = Math.floor((least + most) / 2);
    if (exactPairsTest({ better, worse, pairs }, -MARGIN) <= 0.025) least = worse;
    else most = worse;
  }
  return least;
}

/** Returns the chances of 0, 1, … successes, as far as they matter. */
function chancesOf(trials: number, share: number): readonly number[] {
  const chances: number[] = [];
  let log = trials * Math.log1p(-share);
  for (let count = 0; count <= Math.min(trials, trials * share + 8 * Math.sqrt(trials * share) + 8); count++) {
    chances.push(Math.exp(log));
    log += Math.log((trials - count) / (count + 1) * share / (1 - share));
  }
  return chances;
}

Deno.test("the exact test of a fixed number errs in at most 2.5% of outcomes, and has the power of its plan", () => {
  for (const discordance of [1, 5]) {
    const { fixed } = expectedPairs({ margin: 2, samples: 5000, cells: mixOf(1) }, { discordance });
    const known = new Map<number, number>();
    const chance = (up: number, down: number): number =>
      chancesOf(fixed, up).reduce((sum, ofBetter, better) => {
        if (ofBetter < 1e-9) return sum;
        const most = known.get(better) ?? mostWorse(fixed, better);
        known.set(better, most);
        const ofWorse = chancesOf(fixed - better, down / (1 - up)).slice(0, most + 1);
        return sum + ofBetter * ofWorse.reduce((total, each) => total + each, 0);
      }, 0);
    const power = chance(discordance / 200, discordance / 200);
    const sizes = [0.02, 0.03, 0.05].map((changed) => chance((changed - MARGIN) / 2, (changed + MARGIN) / 2));
    const percents = [power, ...sizes].map((each) => `${(100 * each).toFixed(2)}%`);
    console.log(`fixed, ${discordance}% differ: ${fixed} pairs, power and errors ${percents}`);
    ok(power > 0.85 && sizes.every((size) => size <= 0.025));
  }
});

Deno.test("five looks that are not corrected err in more than 4%, and questions of one context taken as independent in more than 10%", () => {
  const draw = stream("uncorrected");
  const share = (isWrong: () => boolean): number =>
    Array.from({ length: 4000 }, isWrong).filter((wrong) => wrong).length / 4000;
  const source = flipping(5, -2);
  const looks = share(() => {
    let [better, worse] = [0, 0];
    return [1, 2, 3, 4, 5].some((look) => {
      for (let pair = 0; pair < 400; pair++) {
        const [base, change] = source(draw, 0);
        if (change > base) better++;
        if (change < base) worse++;
      }
      return tangoScore({ better, worse, pairs: 400 * look }, -MARGIN) > 1.96;
    });
  });
  const ignored = share(() => {
    const sequence = openMeanSequence([-MARGIN], 0.025);
    for (let context = 0; context < 1500; context++) {
      const shared = source(draw, 0);
      const values = Array.from({ length: 4 }, () => {
        const [base, change] = draw() < Math.sqrt(0.5) ? shared : source(draw, 0);
        return change - base;
      });
      sequence.add({ values, weights: values.map(() => 1) });
    }
    return sequence.interval().low >= -MARGIN;
  });
  console.log(`five looks ${(100 * looks).toFixed(1)}%, clusters ignored ${(100 * ignored).toFixed(1)}%`);
  ok(looks > 0.04 && ignored > 0.1);
});
