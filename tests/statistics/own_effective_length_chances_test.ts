import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { type Draw, stream } from "@/lib/random/mod.ts";
import { ownEffectiveLengthChances } from "@/lib/statistics/effective_length_board.ts";
import { effectiveLengthChances, meanInterval, type ScoreRow } from "@/lib/statistics/mod.ts";

function row(length: number, score: number | null, reach = 4): ScoreRow {
  const [low, high] = score === null ? [null, null] : [Math.max(0, score - reach), Math.min(100, score + reach)];
  return { task: "all 13 tasks", length, n: 325, score, low, high, failed: 0, noAnswer: 0 };
}

Deno.test("ownEffectiveLengthChances() counts the spread of the threshold: a share of the shortest length's", () => {
  // Threshold 0.85 * 90 = 76.5 with a standard error of 0.85 * 4 / 1.96, score 79.5 with 4 / 1.96: Φ(3 / 2.679) = 0.869.
  const chances = ownEffectiveLengthChances([row(4096, 90), row(8192, 79.5)], 0.85);
  deepEqual(chances.map(({ text, chance }) => [text, chance.toFixed(2)]), [
    ["<4K", "0.00"],
    ["4K", "0.13"],
    [">8K", "0.87"],
  ]);
  // As a plain number it would come out surer: Φ(3 / 2.041) = 0.929.
  equal(effectiveLengthChances([row(8192, 79.5)], 76.5)[1]!.chance.toFixed(2), "0.93");
});

Deno.test("ownEffectiveLengthChances() adds up to 1, never falls below the shortest length, and takes rows in any order", () => {
  const scores = fc.array(fc.integer({ min: 10, max: 96 }), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(scores, fc.constantFrom("published", "contiguous"), (values, rule) => {
    const rows = values.map((score, place) => row(4096 * 2 ** place, score));
    const options = { rule: rule as "published" };
    const chances = ownEffectiveLengthChances(rows, 0.85, options);
    ok(Math.abs(chances.reduce((sum, { chance }) => sum + chance, 0) - 1) < 1e-9);
    equal(chances[0]!.chance, 0);
    deepEqual(ownEffectiveLengthChances(rows.toReversed(), 0.85, options), chances);
  }));
});

/** What a model with a true score at two lengths is found to be. */
function measure(draw: Draw, truths: readonly number[]): readonly ScoreRow[] {
  return truths.map((truth, place) => {
    const { mean, low, high } = meanInterval(Array.from({ length: 200 }, () => Number(draw() < truth)));
    return { ...row(4096 * 2 ** place, 100 * mean), low: 100 * low, high: 100 * high };
  });
}

Deno.test("ownEffectiveLengthChances() means what it says in 3,000 simulated runs; with the threshold taken as certain it is too sure", () => {
  const draw = stream("own threshold");
  const miss = { own: 0, certain: 0 };
  const bins = Array.from({ length: 5 }, () => ({ own: 0, certain: 0, passed: 0 }));
  for (let run = 0; run < 3000; run++) {
    const base = 0.8 + 0.1 * draw();
    const truth = 0.85 * base - 0.08 + 0.16 * draw();
    const rows = measure(draw, [base, truth]);
    const own = ownEffectiveLengthChances(rows, 0.85)[2]!.chance;
    const certain = effectiveLengthChances([rows[1]!], 0.85 * rows[0]!.score!)[1]!.chance;
    const bin = bins[Math.min(4, Math.floor(5 * own))]!;
    bin.own += own;
    bin.certain += certain;
    bin.passed += Number(truth >= 0.85 * base);
  }
  for (const bin of bins) {
    miss.own += Math.abs(bin.own - bin.passed) / 3000;
    miss.certain += Math.abs(bin.certain - bin.passed) / 3000;
  }
  ok(miss.own < 0.04 && miss.certain > miss.own, JSON.stringify(miss));
});

Deno.test("ownEffectiveLengthChances() gives nothing where the shortest length has no score", () => {
  deepEqual(ownEffectiveLengthChances([row(4096, null), row(8192, 90)], 0.85), []);
  deepEqual(ownEffectiveLengthChances([], 0.85), []);
  equal(ownEffectiveLengthChances([row(4096, 90), row(8192, null)], 0.85).length, 2);
});

Deno.test("ownEffectiveLengthChances() refuses a share outside (0, 1]", () => {
  throws(() => ownEffectiveLengthChances([row(4096, 90)], 85), {
    name: "RangeError",
    message: "Cannot set a threshold as share must be in (0, 1]: current value is 85",
  });
});
