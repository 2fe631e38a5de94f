import { deepEqual, equal, ok } from "node:assert/strict";
import { flipping, mixOf, runCertificate } from "./_certificates.ts";
import { stream } from "@/lib/random/mod.ts";
import { exactPairsTest, tangoScore } from "@/lib/statistics/exact_pairs.ts";
import { scoreStatistic, spendingBounds } from "@/lib/statistics/group_sequential.ts";
import { exactInterval, normalPoint, risingRoot } from "@/lib/statistics/intervals.ts";
import { boundedMean } from "@/lib/statistics/mean_interval.ts";
import { type CertificateRule, type CertificateState, certifyPairs } from "@/lib/statistics/mod.ts";

Deno.test("spendingBounds() are those published for five looks and 5% on two sides, and of one look the normal quantile", () => {
  // Reboussin, DeMets, Kim and Lan 2000, "Computations for group sequential boundaries", Pocock-type spending.
  const bounds = spendingBounds([1, 2, 3, 4, 5], { planned: 5, errorChance: 0.025 });
  deepEqual(bounds.map((bound) => bound.toFixed(3)), ["2.438", "2.427", "2.410", "2.397", "2.386"]);
  const [only] = spendingBounds([7], { planned: 9, errorChance: 0.025 });
  ok(Math.abs(only! - normalPoint(0.975)) < 1e-5);
});

Deno.test("spendingBounds() are crossed by 2.5% of simulated paths, at unequal looks too", () => {
  const sizes = [100, 150, 400, 430];
  const bounds = spendingBounds(sizes, { planned: 600, errorChance: 0.025 });
  const draw = stream("paths");
  const runs = 40_000;
  let crossed = 0;
  for (let run = 0; run < runs; run++) {
    let [sum, size] = [0, 0];
    const isCrossed = sizes.some((next, at) => {
      // Box and Muller 1958.
      const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
      sum += Math.sqrt(next - size) * normal;
      size = next;
      return sum / Math.sqrt(size) >= bounds[at]!;
    });
    if (isCrossed) crossed++;
  }
  ok(Math.abs(crossed / runs - 0.025) < 0.0025, `${crossed / runs}`);
});

/** Tango's interval. */
function tangoInterval(better: number, worse: number, pairs: number, reach: number): readonly string[] {
  const end = (counts: Parameters<typeof tangoScore>[0]): number =>
    risingRoot((mean) => reach - tangoScore(counts, mean), { low: -1 + 1e-9, high: 1 - 1e-9 });
  return [end({ better, worse, pairs }), -end({ better: worse, worse: better, pairs })].map((each) => each.toFixed(3));
}

Deno.test("tangoScore() has the published values", () => {
  // Tango 1998, section 5: soft contact lenses of 44 patients disinfected in two ways (Miyanaga 1994).
  equal(tangoScore({ better: 0, worse: 1, pairs: 44 }, -0.1).toFixed(3), "1.709");
  deepEqual(tangoInterval(0, 1, 44, normalPoint(0.95)), ["-0.096", "0.037"]);
  // Fagerland, Lydersen and Laake 2014, table 3: airway hyper-responsiveness (Bentur et al. 2009).
  deepEqual(tangoInterval(1, 7, 21, normalPoint(0.975)), ["-0.517", "-0.026"]);
  // McNemar's statistic at 0.
  equal(tangoScore({ better: 9, worse: 4, pairs: 50 }, 0), 5 / Math.sqrt(13));
  // Without any difference the most likely loss is the null itself.
  ok(Math.abs(tangoScore({ better: 0, worse: 0, pairs: 200 }, -0.02) - Math.sqrt(200 * 0.02 / 0.98)) < 1e-12);
});

Deno.test("scoreStatistic() is Tango's for yes/no pairs, changes sign with the differences, and counts equal weights", () => {
  for (
    const [better, worse, pairs, mean] of [[0, 0, 200, -0.02], [3, 5, 100, -0.1], [12, 2, 50, 0.1], [
      0,
      4,
      30,
      -0.05,
    ]] as const
  ) {
    const counts = [[1, better], [-1, worse], [0, pairs - better - worse]].filter(([, count]) => count! > 0);
    const values = counts.map(([value]) => value!);
    const shares = counts.map(([, count]) => count! / pairs);
    const sample = { values, shares, squares: shares.map((share) => share / pairs) };
    const found = scoreStatistic(sample, mean);
    ok(Math.abs(found - tangoScore({ better, worse, pairs }, mean)) < 1e-6, `${found}`);
    equal(scoreStatistic({ ...sample, values: values.map((value) => -value) }, -mean), -found);
  }
});

/** The largest chance of a region over all shares of discordant pairs in their interval, by enumeration. */
function enumerated(better: number, worse: number, pairs: number, difference: number): number {
  const seen = tangoScore({ better, worse, pairs }, difference) - 1e-9;
  const logFactorials = [0];
  for (let k = 1; k <= pairs; k++) logFactorials.push(logFactorials[k - 1]! + Math.log(k));
  const power = (share: number, count: number): number => count === 0 ? 0 : count * Math.log(share);
  const discordance = exactInterval(better + worse, pairs, 1 - 1e-4);
  let most = 0;
  for (let step = 0; step <= 400; step++) {
    const changed = Math.max(Math.abs(difference), discordance.low + (discordance.high - discordance.low) * step / 400);
    const [up, down] = [(changed + difference) / 2, (changed - difference) / 2];
    let chance = 0;
    for (let b = 0; b <= pairs; b++) {
      for (let c = 0; b + c <= pairs; c++) {
        if (tangoScore({ better: b, worse: c, pairs }, difference) < seen) continue;
        const rest = pairs - b - c;
        chance += Math.exp(
          logFactorials[pairs]! - logFactorials[b]! - logFactorials[c]! - logFactorials[rest]! + power(up, b) +
            power(down, c) + power(1 - changed, rest),
        );
      }
    }
    most = Math.max(most, chance);
  }
  return most + 1e-4;
}

Deno.test.each(
  [
    [1, 2, 20, -0.2],
    [3, 1, 25, 0],
    [0, 0, 30, -0.1],
    [5, 9, 40, -0.3],
    [0, 3, 15, 0.1],
    [7, 2, 30, -0.05],
  ] as const,
)(
  "exactPairsTest() is the largest chance over all outcomes: %i better and %i worse of %i",
  (better, worse, pairs, difference) => {
    const exact = exactPairsTest({ better, worse, pairs }, difference);
    const found = enumerated(better, worse, pairs, difference);
    ok(Math.abs(exact - Math.min(1, found)) < 2e-4 * found, `${exact} and ${found}`);
  },
);

Deno.test("exactPairsTest() rejects a loss of the margin in at most 2.5% of outcomes, exactly", () => {
  const [pairs, margin] = [60, 0.1];
  const isRejected = new Map<number, boolean>();
  for (let better = 0; better <= 20; better++) {
    for (let worse = 0; worse <= 20; worse++) {
      isRejected.set(100 * better + worse, exactPairsTest({ better, worse, pairs }, -margin) <= 0.025);
    }
  }
  for (const changed of [0.1, 0.12, 0.2, 0.3]) {
    const [up, down] = [(changed - margin) / 2, (changed + margin) / 2];
    const row = (count: number, trials: number, share: number): number => {
      let ways = 1;
      for (let k = 0; k < count; k++) ways *= (trials - k) / (k + 1);
      return ways * share ** count * (1 - share) ** (trials - count);
    };
    let size = 0;
    for (const [key, rejected] of isRejected) {
      const [better, worse] = [Math.floor(key / 100), key % 100];
      if (rejected) size += row(better, pairs, up) * row(worse, pairs - better, down / (1 - up));
    }
    ok(size <= 0.025, `${size} at ${changed}`);
  }
});

const RULE: CertificateRule = { margin: 4, samples: 600, cells: mixOf(2) };

function certify(method: "looks" | "fixed", discordance: number, difference: number, seed: string): CertificateState {
  return runCertificate({ ...RULE, method }, { source: flipping(discordance, difference), draw: stream(seed) });
}

Deno.test("a certificate of fixed size has no interval before its last pair, and then the exact one", () => {
  const rule = { ...RULE, method: "fixed" as const, cells: mixOf(1) };
  const pairs = Array.from({ length: 600 }, (_, round) => (
    { cell: "cell 0", round, base: Number(round % 50 !== 0), change: Number(round % 40 !== 0) }
  ));
  const before = certifyPairs(pairs.slice(0, 599), rule);
  deepEqual([before.low, before.high, before.isFinal, before.verdict], [-100, 100, false, "not enough data"]);
  const { low, high, better, worse, verdict } = certifyPairs(pairs, rule);
  deepEqual([better, worse, verdict], [9, 12, "no worse"]);
  for (const [end, counts] of [[low, { better, worse }], [-high, { better: worse, worse: better }]] as const) {
    ok(Math.abs(exactPairsTest({ ...counts, pairs: 600 }, end / 100) - 0.025) < 1e-3);
  }
});

Deno.test("a certificate of fixed size with graded scores has the exact interval for any distribution", () => {
  const rule = { ...RULE, method: "fixed" as const, cells: mixOf(1) };
  const draw = stream("graded");
  const pairs = Array.from({ length: 600 }, (_, round) => ({ cell: "cell 0", round, base: draw(), change: draw() }));
  const { low, high } = certifyPairs(pairs, rule);
  const bound = boundedMean({
    values: pairs.map(({ base, change }) => (change - base + 1) / 2),
    weights: pairs.map(() => 1 / 600),
  }, "exact");
  ok(Math.abs(low - 100 * (2 * bound.low - 1)) < 1e-3 && Math.abs(high - 100 * (2 * bound.high - 1)) < 1e-3);
});

Deno.test("a certificate of fixed size needs 183 equal pairs to exclude a loss of 2 points", () => {
  const verdictOf = (samples: number) => {
    const pairs = Array.from({ length: samples }, (_, round) => ({ cell: "cell 0", round, base: 1, change: 1 }));
    return certifyPairs(pairs, { method: "fixed", margin: 2, samples, cells: mixOf(1) }).verdict;
  };
  // 0.98^182 is above 0.025, 0.98^183 below.
  deepEqual([verdictOf(149), verdictOf(182), verdictOf(183)], ["not enough data", "not enough data", "no worse"]);
});

Deno.test("a certificate by looks narrows at ten looks only, stops a failing run early, and can be continued", () => {
  const state = certify("looks", 10, 0, "looks");
  const changes = state.path.filter(({ low }, at) => at > 0 && low !== state.path[at - 1]!.low);
  ok(changes.length <= 10);
  const failing = Array.from({ length: 30 }, (_, run) => certify("looks", 12, -5, `failing ${run}`));
  ok(failing.some(({ isFutile, verdict, isFinal }) => isFutile && isFinal && verdict === "not enough data"));
  const mean = failing.reduce((sum, { pairs }) => sum + pairs, 0) / failing.length;
  ok(mean < 400, `${mean}`);
});

Deno.test("a certificate by looks spends all of its error at the end, if scores are missing", () => {
  const draw = stream("missing looks");
  const pairs = Array.from({ length: 300 }, (_, round) =>
    RULE.cells.map(({ name }, at) => {
      const [base, change] = flipping(10, 0)(draw, at);
      return { cell: name, round, base, change: round % 7 === 0 ? null : change };
    })).flat();
  const rule = { ...RULE, margin: 0.5, method: "looks" } as const;
  const [before, end] = [pairs.slice(0, -2), pairs].map((given) => certifyPairs(given, rule));
  deepEqual([before!.pairs, end!.pairs, end!.isFinal], [512, 514, true]);
  ok(end!.high - end!.low < before!.high - before!.low);
});
