import { deepEqual, ok } from "node:assert/strict";
import { openFixed, openSigns } from "@/lib/certify/fixed_interval.ts";
import type { Interval } from "@/lib/statistics/mod.ts";
import { stream } from "@/lib/random/mod.ts";

type Open = typeof openFixed;

function intervalOf(open: Open, values: readonly number[], weights = values.map(() => 1)): Interval {
  const evidence = open(0.025);
  evidence.add({ values, weights });
  deepEqual(evidence.interval(), { low: -1, high: 1 });
  evidence.finish?.();
  return evidence.interval();
}

/** The differences of yes/no pairs. */
function pairsOf(pairs: number, better: number, worse: number): readonly number[] {
  return Array.from({ length: pairs }, (_, at) => at < better ? 1 : at < better + worse ? -1 : 0);
}

function chanceOf(pairs: number, better: number, worse: number, up: number, down: number): number {
  let chance = (1 - up - down) ** (pairs - better - worse);
  for (let at = 0; at < better; at++) chance *= up * (pairs - at) / (at + 1);
  for (let at = 0; at < worse; at++) chance *= down * (pairs - better - at) / (at + 1);
  return chance;
}

Deno.test("openFixed() errs in at most 2.5% of all outcomes of yes/no pairs, at the margin and for any share that differs", () => {
  const pairs = 40;
  for (const margin of [0.1, 0.2]) {
    const accepted = Array.from({ length: pairs + 1 }, (_, better) => {
      let worse = -1;
      while (better + worse < pairs && intervalOf(openFixed, pairsOf(pairs, better, worse + 1)).low >= -margin) worse++;
      return worse;
    });
    for (const differ of [margin, margin + 0.02, margin + 0.1, 0.5, 0.8]) {
      const [up, down] = [(differ - margin) / 2, (differ + margin) / 2];
      let chance = 0;
      for (const [better, most] of accepted.entries()) {
        for (let worse = 0; worse <= Math.min(most, pairs - better); worse++) {
          chance += chanceOf(pairs, better, worse, up, down);
        }
      }
      ok(chance <= 0.025, `margin ${margin}, ${differ} differ: ${chance}`);
    }
  }
});

Deno.test("openFixed() accepts the losses of the exact unconditional test, or one pair fewer", () => {
  // The largest numbers of worse pairs by the test of Hsueh, Liu and Chen (2001), computed with 400 shares of discordant pairs.
  for (
    const [pairs, margin, better, most] of [[200, 0.05, 0, 3], [400, 0.05, 10, 18], [400, 0.02, 5, 5], [
      2000,
      0.02,
      20,
      43,
    ]] as const
  ) {
    const isAccepted = (worse: number): boolean => intervalOf(openFixed, pairsOf(pairs, better, worse)).low >= -margin;
    ok(isAccepted(most - 1) && !isAccepted(most + 1), `${pairs} pairs, ${better} better`);
  }
});

for (const [name, open] of [["openFixed", openFixed], ["openSigns", openSigns]] as const) {
  Deno.test(`${name}() holds the mean, mirrors with the sign, and is about weighted means`, () => {
    const values = [0.2, -0.1, 0.05, -0.4, 0.3, 0.1, 0, -0.2, 0.15, 0.25];
    const { low, high } = intervalOf(open, values);
    ok(low < 0.035 && 0.035 < high);
    const mirrored = intervalOf(open, values.map((value) => -value));
    ok(Math.abs(mirrored.low + high) < 2e-3 && Math.abs(mirrored.high + low) < 2e-3);
    const heavy = intervalOf(open, values, values.map((value) => value < 0 ? 9 : 1));
    ok(heavy.low < low);
  });
}

Deno.test("openSigns() finds a loss in at most 2.5% of changes without effect, whatever the spread", () => {
  const draw = stream("signs");
  for (const spread of [0.02, 0.3]) {
    const found = Array.from({ length: 60 }, () => {
      // Rare large differences of both signs, as truncated prompts at both servers give.
      const values = Array.from(
        { length: 24 },
        () => draw() < 0.05 ? Math.sign(draw() - 0.5) : spread * (draw() - draw()),
      );
      return intervalOf(openSigns, values).high < 0;
    }).filter(Boolean).length;
    // More than 6 of 60 have a chance of 0.1% at an error rate of 2.5%.
    ok(found <= 6, `${found} of 60`);
  }
});

Deno.test("openSigns() is as wide as Student's interval for normal differences", () => {
  const draw = stream("normal");
  const values = Array.from(
    { length: 40 },
    () => 0.1 * (Array.from({ length: 12 }, draw).reduce((total, each) => total + each, 0) - 6) - 0.05,
  );
  const mean = values.reduce((total, value) => total + value, 0) / 40;
  const deviation = Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0) / 39);
  const { low, high } = intervalOf(openSigns, values);
  const reach = 2.023 * deviation / Math.sqrt(40);
  ok(Math.abs(low - (mean - reach)) < 0.004 && Math.abs(high - (mean + reach)) < 0.004);
});
