import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { chancesOfVerdicts, errorOf, flipping, LAWS, mixOf } from "./_certificates.ts";
import { type CertificatePair, type CertificateRule, certifyPairs, expectedPairs } from "@/lib/certify/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { mean } from "@/lib/statistics/mod.ts";

const ONE: CertificateRule = { margin: 2, samples: 4000, cells: mixOf(1) };
const TWO: CertificateRule = { ...ONE, cells: mixOf(2) };

function pair(
  round: number,
  base: number | null,
  change: number | null,
  more: Partial<CertificatePair> = {},
): CertificatePair {
  return { cell: "cell 0", round, base, change, ...more };
}

function same(rounds: number, base: number | null, change: number | null): CertificatePair[] {
  return Array.from({ length: rounds }, (_, round) => pair(round, base, change));
}

/** Seeded yes/no pairs. */
function drawPairs(rule: CertificateRule, rounds: number, seed: string, source = flipping(20, -2)): CertificatePair[] {
  const draw = stream(seed);
  return Array.from({ length: rounds }, (_, round) =>
    rule.cells.map(({ name }) => {
      const [base, change] = source(draw, 0);
      return { cell: name, round, base, change };
    })).flat();
}

const STAKES = Array.from({ length: 8 }, (_, place) => 0.98 * (0.03 / 0.98) ** (place / 7));

/** The highest mean that bets on values of one weight ever refute, from the formula of the confidence sequence. */
function lowEnd(values: readonly number[]): number {
  const isRefuted = (mean: number): boolean => {
    const purses = STAKES.map(() => 1 / 8);
    return values.some((value) => {
      for (const [at, stake] of STAKES.entries()) purses[at]! *= 1 + stake * (value - mean) / (1 + mean);
      return purses.reduce((sum, purse) => sum + purse, 0) >= 40;
    });
  };
  let [low, high] = [-1, 1];
  for (let step = 0; step < 40; step++) {
    const mean = (low + high) / 2;
    if (isRefuted(mean)) low = mean;
    else high = mean;
  }
  return low;
}

Deno.test("certifyPairs() of equal scores is decided where eight bettors have 40 between them", () => {
  const wealth = (pairs: number): number =>
    STAKES.reduce((sum, stake) => sum + (1 + stake * 0.02 / 0.98) ** pairs / 8, 0);
  const needed = Array.from({ length: 400 }, (_, pairs) => pairs).find((pairs) => wealth(pairs) >= 40)!;
  const states = [needed - 1, needed, needed + 20].map((rounds) => certifyPairs(same(rounds, 1, 1), ONE));
  deepEqual(states.map(({ verdict }) => verdict), ["not enough data", "no worse", "no worse"]);
  deepEqual(states.map(({ decidedAt }) => decidedAt), [null, needed, needed]);
  deepEqual(states.map(({ isFinal }) => isFinal), [false, true, true]);
  ok(needed > 250 && needed < 300, `${needed}`);
});

Deno.test("certifyPairs() has the ends of the confidence sequence, rounded outwards to steps of a 40th of the margin", () => {
  for (let seed = 0; seed < cases(5, 40); seed++) {
    const pairs = drawPairs(ONE, 300, `ends ${seed}`);
    const values = pairs.map(({ base, change }) => change! - base!);
    const { low, high, difference } = certifyPairs(pairs, { ...ONE, margin: 10 });
    const [exactLow, exactHigh] = [100 * lowEnd(values), -100 * lowEnd(values.map((value) => -value))];
    ok(low <= exactLow + 1e-9 && low > exactLow - 0.2500001, `${low} of ${exactLow}`);
    ok(high >= exactHigh - 1e-9 && high < exactHigh + 0.2500001, `${high} of ${exactHigh}`);
    ok(low < difference && difference < high);
  }
});

Deno.test("certifyPairs() finds a loss, and with more pairs that it is beyond the margin", () => {
  const pairs = Array.from({ length: 600 }, (_, round) => pair(round, 1, round % 5 === 0 ? 0 : 1));
  const at = (rounds: number) => certifyPairs(pairs.slice(0, rounds), ONE);
  const whole = at(600);
  deepEqual([whole.verdict, whole.better, whole.worse, whole.pairs], ["worse", 0, 120, 600]);
  const decided = at(whole.decidedAt!);
  deepEqual([decided.verdict, decided.isFinal], ["worse", true]);
  ok(decided.high <= -2);
  const before = at(whole.decidedAt! - 1);
  deepEqual([before.verdict, before.isFinal, before.decidedAt], ["loss", false, null]);
  ok(before.high > -2 && before.high <= 0);
  deepEqual([at(10).verdict, at(10).high > 0], ["not enough data", true]);
});

Deno.test("certifyPairs() orders rounds by number, and ends before one that waits for a pair", () => {
  const pairs = drawPairs(TWO, 60, "order");
  const forward = certifyPairs(pairs, TWO);
  deepEqual(certifyPairs(pairs.toReversed(), TWO), forward);
  const waiting = pairs.toSpliced(2 * 40, 1);
  deepEqual(certifyPairs(waiting, TWO), certifyPairs(pairs.slice(0, 80), TWO));
  equal(certifyPairs([], TWO).verdict, "not enough data");
  deepEqual(certifyPairs([], TWO).path, []);
});

Deno.test("certifyPairs() loses one context with a failed call, not a round", () => {
  const rule = { ...ONE, samples: 13 * 400, cells: mixOf(13) };
  const draw = stream("failed calls");
  const failing = (share: number): CertificatePair[] =>
    Array.from(
      { length: 400 },
      (_, round) => rule.cells.map(({ name }) => pair(round, 1, draw() < share ? null : 1, { cell: name })),
    ).flat();
  const [none, some] = [0, 0.05].map((share) => certifyPairs(failing(share), { ...rule, margin: 0.1 }));
  deepEqual([none!.rounds, none!.missing], [400, 0]);
  ok(some!.missing > 200 && some!.rounds > 360, `${some!.rounds} rounds of 400, ${some!.missing} missing`);
  // The order of the rounds is that of each cell; cells that share a text cost a round at most.
  const shared = Array.from(
    { length: 100 },
    (_, round) =>
      TWO.cells.map(({ name }, cell) =>
        pair(round, 1, cell === 1 && round === 10 ? null : 1, { cell: name, cluster: `text ${round}` })
      ),
  ).flat();
  const joined = certifyPairs(shared, { ...TWO, margin: 0.1 });
  deepEqual([joined.missing, joined.repeated, joined.rounds], [1, 1, 99]);
});

Deno.test("certifyPairs() averages cells of a round that share a cluster, and leaves out rounds that share one with another", () => {
  const rounds = (cluster: (round: number, cell: number) => string | undefined) =>
    Array.from({ length: 300 }, (_, round) =>
      TWO.cells.map(({ name }, cell): CertificatePair => (
        { cell: name, round, base: 1, change: round % 9 === 0 ? 0 : 1, cluster: cluster(round, cell) }
      ))).flat();
  const own = certifyPairs(rounds(() => undefined), TWO);
  deepEqual(certifyPairs(rounds((round, cell) => `${round} ${cell}`), TWO), own);
  // One score for each round: half the evidence.
  const joined = certifyPairs(rounds((round) => `${round}`), TWO);
  deepEqual([joined.difference, joined.pairs, joined.repeated], [own.difference, own.pairs, 0]);
  ok(joined.low < own.low && joined.high > own.high);
  const values = Array.from({ length: 300 }, (_, round) => round % 9 === 0 ? -1 : 0);
  // Far from 0 the steps are 5%.
  const exact = 100 * lowEnd(values);
  ok(joined.low <= exact && joined.low > 1.05 * exact, `${joined.low} of ${exact}`);
  // Two rounds for each question: the second is the same luck.
  const paired = certifyPairs(rounds((round, cell) => `${round >> 1} ${cell}`), TWO);
  deepEqual([paired.rounds, paired.repeated, paired.pairs], [150, 300, 300]);
  equal(certifyPairs(rounds(() => "one text"), TWO).rounds, 1);
});

Deno.test("certifyPairs() weighs the cells of the mix", () => {
  const rule = { ...ONE, cells: mixOf([3, 1]) };
  const pairs = Array.from({ length: 200 }, (_, round) => [pair(round, 1, 1), pair(round, 1, 0.5, { cell: "cell 1" })])
    .flat();
  equal(certifyPairs(pairs, rule).difference, -12.5);
  equal(certifyPairs(pairs, TWO).difference, -25);
});

Deno.test("certifyPairs() counts questions, and bets on the means of contexts", () => {
  const pairs = Array.from(
    { length: 100 },
    (_, round) => pair(round, 1, 0.75, { questions: 4, flips: { better: 1, worse: 2 } }),
  );
  const state = certifyPairs(pairs, ONE);
  deepEqual([state.pairs, state.contexts, state.better, state.worse], [400, 100, 100, 200]);
  const alone = certifyPairs(pairs.map(({ questions: _, flips: __, ...rest }) => rest), ONE);
  deepEqual([alone.low, alone.high, alone.worse], [state.low, state.high, 100]);
});

Deno.test("certifyPairs() ends at its cap, and its path narrows in about 100 looks", () => {
  const rule = { ...ONE, samples: 3000 };
  const state = certifyPairs(drawPairs(rule, 3500, "path"), { ...rule, margin: 0.5 });
  deepEqual([state.pairs, state.isFinal, state.verdict], [3000, true, "not enough data"]);
  ok(state.path.length > 50 && state.path.length < 110, `${state.path.length}`);
  for (const [at, look] of state.path.slice(1).entries()) {
    ok(look.pairs > state.path[at]!.pairs && look.low >= state.path[at]!.low && look.high <= state.path[at]!.high);
  }
  const { pairs, difference, low, high } = state;
  deepEqual(state.path.at(-1), { pairs, difference, low, high });
});

Deno.test.each([
  ["margin must be in (0, 100) points: current value is 0", { margin: 0 }],
  ["errorChance must be in (0, 0.5): current value is 0.5", { errorChance: 0.5 }],
  ["method must be betting, fixed or signs: current value is looks", { method: "looks" as "fixed" }],
  ["samples must be a whole number from 2, one for each cell: current value is 1", { samples: 1, cells: mixOf(2) }],
  ["cells must hold at least one: current value is 0", { cells: [] }],
  ["each cell must occur once: current value is a", { cells: [{ name: "a", weight: 1 }, { name: "a", weight: 1 }] }],
  ["the weight of cell 0 must be above 0: current value is 0", { cells: mixOf([0]) }],
])("certifyPairs() refuses a rule: %s", (message, change: Partial<CertificateRule>) => {
  throws(() => certifyPairs([], { ...ONE, ...change }), new RangeError(`Cannot certify a change as ${message}`));
});

Deno.test.each([
  ["each pair must be of a cell of the mix: current value is other", [pair(0, 1, 1, { cell: "other" })]],
  ["a round must have one pair for each cell: current value is cell 0 twice", [pair(0, 1, 1), pair(0, 1, 1)]],
  ["each score of cell 0 must be in [0, 1]: current value is 1.1", [pair(0, 1, 1.1)]],
  ["each score of cell 0 must be in [0, 1]: current value is NaN", [pair(0, NaN, 1)]],
  ["questions of cell 0 must be at least 1: current value is 0", [pair(0, 1, 1, { questions: 0 })]],
])("certifyPairs() refuses pairs: %s", (message, pairs) => {
  throws(() => certifyPairs(pairs, ONE), new RangeError(`Cannot certify a change as ${message}`));
});

Deno.test("each verdict of a certificate is wrong in at most 2.5% of simulations, under the worst law and loss", () => {
  const runs = cases(25, 400);
  const found = LAWS.flatMap((law) =>
    [0, 1, 2, 3, 4].map((loss) => {
      const chances = chancesOfVerdicts(law, -5 * loss, { runs, seed: "worst", margin: 10, samples: 800 });
      return { law: law.name, loss: 5 * loss, chances, error: errorOf(chances, -5 * loss, 10) };
    })
  );
  // The worst of 55 shares: the chance that one of them is above this by luck is below 1 in 100.
  const most = (0.025 * runs + 4 * Math.sqrt(0.025 * runs)) / runs;
  const worst = found.reduce((one, other) => other.error > one.error ? other : one);
  ok(worst.error <= most, `${worst.law}, ${worst.loss} lost: ${worst.error}`);
  const atHalf = found.filter(({ loss }) => loss === 5).map(({ chances }) => chances.worse);
  ok(Math.max(...atHalf) <= 0.03, `${atHalf}`);
  // A loss of twice the margin is found under every law, and none is "no worse" where nothing is lost under few.
  const atTwice = found.filter(({ loss }) => loss === 20).map(({ chances }) => chances.worse);
  ok(Math.min(...atTwice) >= 0.3 && mean(atTwice) > 0.8, `${atTwice}`);
});

Deno.test("expectedPairs() agrees with certificates that are run, and rises with the discordance and the correlation", () => {
  const rule = { ...ONE, cells: mixOf(4), samples: 3000 };
  const forecast = expectedPairs(rule, { discordance: 3 });
  const sizes = Array.from({ length: 60 }, (_, run) => {
    const pairs = drawPairs(rule, 750, `expected ${run}`, flipping(3, 0));
    return certifyPairs(pairs, rule, [-0.02, 0]).decidedAt ?? 3000;
  });
  ok(Math.abs(mean(sizes) / forecast.mean - 1) < 0.25, `${mean(sizes)} of ${forecast.mean}`);
  ok(forecast.low < forecast.mean && forecast.mean < forecast.high && forecast.noWorse > 0.9);
  ok(expectedPairs(rule, { discordance: 6 }).mean > forecast.mean);
  const lost = expectedPairs(rule, { discordance: 3, difference: -4 });
  ok(lost.worse > 0.95 && lost.noWorse < 0.03);
  // (1.96 √(.03 - .0004) + 1.2816 √.03)² / .0004
  equal(forecast.fixed, 782);
});

Deno.test("expectedPairs() refuses what is outside its range", () => {
  const message = "Cannot plan a certificate as discordance must be in (0, 100]: current value is 0";
  throws(() => expectedPairs({ ...ONE, samples: 782 }, { discordance: 0 }), new RangeError(message));
});

Deno.test("an estimate lies in its interval, also where the rounds drift", () => {
  const part = (rounds: number, from: number, [base, change]: readonly [number, number]): CertificatePair[] =>
    Array.from({ length: rounds }, (_, at) => ({ cell: "a", round: from + at, base, change }));
  const drifts: readonly (readonly CertificatePair[])[] = [
    [...part(60, 0, [0, 1]), ...part(30, 60, [1, 1])],
    [...part(60, 0, [1, 1]), ...part(300, 60, [1, 0])],
    [...part(100, 0, [1, 0]), ...part(200, 100, [0, 1])],
    drawPairs({ ...ONE, cells: [{ name: "a", weight: 1 }] }, 300, "drift"),
  ];
  for (const pairs of drifts) {
    for (const method of ["betting", "fixed"] as const) {
      const state = certifyPairs(pairs, { ...ONE, method, samples: pairs.length, cells: [{ name: "a", weight: 1 }] });
      for (const { low, difference, high } of [state, ...state.path]) {
        ok(low <= difference && difference <= high, `${method}: ${difference} in [${low}, ${high}]`);
      }
    }
  }
});
