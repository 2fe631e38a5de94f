import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { stream } from "@/lib/random/mod.ts";
import {
  type BoardRow,
  chanceAtLeast,
  effectiveLength,
  effectiveLengthBoard,
  effectiveLengthChances,
  type EffectiveLengthRule,
  independent,
  type LengthScore,
  meanInterval,
  type ScoreRow,
} from "@/lib/statistics/mod.ts";

const LENGTHS = [4096, 8192, 16_384, 32_768, 65_536, 131_072];

function scored(...scores: readonly (number | null)[]): readonly LengthScore[] {
  return scores.map((score, place) => ({ length: LENGTHS[place]!, score }));
}

// LongLoRA in Table 14 of RULER (threshold 58.8) dips below at 32K and returns at 64K; LongAlpaca in Table 16 meets
// 49.7 exactly at 16K.
const longLora = scored(92.5, 87.4, 73.1, 56.0, 69.2, 0.0);
const longAlpaca = scored(57.2, 53.5, 49.7, 39.0, 0.0, 0.0);

Deno.test.each(
  [
    ["a dip is skipped", longLora, 58.8, "published", "64K"],
    ["a dip ends a contiguous length", longLora, 58.8, "contiguous", "16K"],
    ["a score at the threshold passes", longAlpaca, 49.7, "published", "16K"],
    ["a score at the threshold is not above it", longAlpaca, 49.7, "strict", "8K"],
    ["below everywhere", longLora, 95, "published", "<4K"],
    ["above everywhere", scored(90, 91, 90, 90, 90, 90), 85.6, "published", ">128K"],
    ["only two lengths tried", scored(90, 90), 85.6, "contiguous", ">8K"],
    ["a length without a score is skipped", scored(90, null, 90, 80), 85.6, "contiguous", "16K"],
    ["no score at all", scored(null), 85.6, "published", "no score"],
  ] as [string, readonly LengthScore[], number, EffectiveLengthRule, string][],
)("effectiveLength(): %s", (_name, scores, threshold, rule, text) => {
  equal(effectiveLength(Object.freeze(scores), threshold, { rule }).text, text);
});

Deno.test("effectiveLength() gives the length in tokens, and null for none", () => {
  deepEqual(effectiveLength(longLora, 58.8), { length: 65_536, text: "64K" });
  deepEqual(effectiveLength(longLora, 95), { length: null, text: "<4K" });
});

Deno.test("effectiveLength() takes lengths in any order, falls as the threshold rises, and is never longer by the contiguous rule", () => {
  const tables = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(tables, fc.integer({ min: 1, max: 100 }), (values, threshold) => {
    const scores = scored(...values);
    const tokens = (limit: number, rule: EffectiveLengthRule = "published"): number =>
      effectiveLength(scores, limit, { rule }).length ?? 0;
    deepEqual(effectiveLength(scores.toReversed(), threshold), effectiveLength(scores, threshold));
    equal(tokens(threshold) >= tokens(threshold + 1), true);
    equal(tokens(threshold, "contiguous") <= tokens(threshold), true);
    equal(tokens(threshold, "strict") <= tokens(threshold), true);
    equal(tokens(threshold - 0.5, "strict"), tokens(threshold));
  }));
});

function row(length: number, score: number | null, reach = 4): ScoreRow {
  const [low, high] = score === null ? [null, null] : [Math.max(0, score - reach), Math.min(100, score + reach)];
  return { task: "all 13 tasks", length, n: 325, score, low, high, failed: 0, noAnswer: 0 };
}

Deno.test("chanceAtLeast() is 0.975 at the low end of a 95% interval, 0.5 at the score, 0.025 at the high end", () => {
  const scored = row(4096, 90);
  equal(chanceAtLeast(scored, 86).toFixed(6), "0.975000");
  equal(chanceAtLeast(scored, 90), 0.5);
  equal(chanceAtLeast(scored, 94).toFixed(6), "0.025000");
});

Deno.test("chanceAtLeast() is certain where the interval is a point", () => {
  equal(chanceAtLeast(row(4096, 90, 0), 90), 1);
  equal(chanceAtLeast(row(4096, 90, 0), 90.1), 0);
});

Deno.test("effectiveLengthChances() gives 85.4 and 85.9 nearly the same chances against 85.6", () => {
  const chances = (score: number): readonly number[] =>
    effectiveLengthChances([row(4096, 95), row(8192, score)], 85.6).map(({ chance }) => chance);
  // The interval reaches 4 points, so its standard error is 2.04: Φ(±0.2/2.04) = 0.461 and Φ(0.3/2.04) = 0.558.
  deepEqual(chances(85.4).map((chance) => chance.toFixed(3)), ["0.000", "0.539", "0.461"]);
  deepEqual(chances(85.9).map((chance) => chance.toFixed(3)), ["0.000", "0.442", "0.558"]);
});

Deno.test("effectiveLengthChances() multiplies independent lengths", () => {
  const rows = [row(4096, 85.6), row(8192, 85.6), row(16_384, 85.6)];
  deepEqual(effectiveLengthChances(rows, 85.6), [
    { length: null, text: "<4K", chance: 0.125 },
    { length: 4096, text: "4K", chance: 0.125 },
    { length: 8192, text: "8K", chance: 0.25 },
    { length: 16_384, text: ">16K", chance: 0.5 },
  ]);
});

Deno.test("effectiveLengthChances() adds up to 1, whatever the scores and their order", () => {
  const scores = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(scores, (values) => {
    const rows = values.map((score, place) => row(4096 * 2 ** place, score));
    const chances = effectiveLengthChances(rows, 85.6);
    ok(Math.abs(chances.reduce((sum, { chance }) => sum + chance, 0) - 1) < 1e-9);
    ok(chances.every(({ chance }) => chance >= 0 && chance <= 1));
    deepEqual(effectiveLengthChances(rows.toReversed(), 85.6), chances);
  }));
});

Deno.test("effectiveLengthChances() skips lengths without a score", () => {
  deepEqual(effectiveLengthChances([row(4096, null)], 85.6), []);
  equal(effectiveLengthChances([row(4096, 90), row(8192, null)], 85.6).length, 2);
});

Deno.test("chanceAtLeast() refuses a row without a score", () => {
  throws(() => chanceAtLeast(row(4096, null), 85.6), {
    name: "RangeError",
    message: "Cannot give a chance as the row must have a score and an interval: current value is null",
  });
});

Deno.test("effectiveLengthChances() of a threshold with an interval is less sure, and 0.5 where both are equal", () => {
  const rows = [row(4096, 95), row(8192, 88)];
  const certain = effectiveLengthChances(rows, 85.6);
  const unsure = effectiveLengthChances(rows, { score: 85.6, low: 81.6, high: 89.6 });
  // Both reach 4 points, so the difference of 2.4 has a standard error of sqrt(2) * 4 / 1.96: Φ(2.4 / 2.886) = 0.797.
  equal(certain[2]!.chance.toFixed(2), "0.88");
  equal(unsure[2]!.chance.toFixed(2), "0.80");
  const even = effectiveLengthChances([row(4096, 85.6)], { score: 85.6, low: 81.6, high: 89.6 });
  ok(Math.abs(even[1]!.chance - 0.5) < 1e-9);
  ok(Math.abs(unsure.reduce((sum, { chance }) => sum + chance, 0) - 1) < 1e-9);
});

Deno.test("effectiveLengthChances() is calibrated on 3,000 simulated scores near the threshold", () => {
  const draw = stream("calibrated");
  const bins = Array.from({ length: 5 }, () => ({ told: 0, passed: 0, count: 0 }));
  for (let run = 0; run < 3000; run++) {
    const truth = 0.806 + 0.1 * draw();
    const { mean, low, high } = meanInterval(independent(Array.from({ length: 325 }, () => Number(draw() < truth))));
    const scored = { ...row(4096, 100 * mean), low: 100 * low, high: 100 * high };
    const { chance } = effectiveLengthChances([scored], 85.6)[1]!;
    const bin = bins[Math.min(4, Math.floor(5 * chance))]!;
    bin.told += chance;
    bin.passed += Number(truth >= 0.856);
    bin.count++;
  }
  for (const { told, passed, count } of bins) ok(Math.abs(told - passed) / count < 0.07, JSON.stringify(bins));
});

Deno.test.each(
  [[0, false], [1e-9, true], [0.85, true], [1, true], [1 + 1e-9, false], [NaN, false]] as [number, boolean][],
)(
  "effectiveLengthBoard() of a share of %d: in (0, 1] alone",
  (share, isTaken) => {
    const board = (): unknown =>
      effectiveLengthBoard([{ model: "m", rows: [row(8192, 50), row(4096, 80)], threshold: { share } }])[0]!.threshold;
    if (isTaken) equal(board(), 80 * share);
    else {
      throws(board, {
        name: "RangeError",
        message: `Cannot set a threshold as share must be in (0, 1]: current value is ${share}`,
      });
    }
  },
);

Deno.test.each(
  [
    // Score, low and high against thresholds: the side of the threshold decides which half of the interval counts.
    [50, 40, 54, 40, 0.975],
    [50, 40, 54, 54, 0.025],
    [50, 40, 54, 50, 0.5],
    [0, 0, 8, 0, 1],
    [0, 0, 8, 8, 0.025],
    [100, 92, 100, 100, 0.5],
    [100, 92, 100, 92, 0.975],
    [100, 100, 100, 100, 1],
    [100, 100, 100, 100.1, 0],
  ] as [number, number, number, number, number][],
)("chanceAtLeast() of %d in [%d, %d] is a chance to reach %d of %d", (score, low, high, threshold, chance) => {
  ok(Math.abs(chanceAtLeast({ ...row(4096, score), low, high }, threshold) - chance) < 1e-9);
});

Deno.test("effectiveLengthBoard() names the length nearest to the threshold in half-widths of its interval, not in points", () => {
  const near = (rows: readonly ScoreRow[], threshold: number): number =>
    effectiveLengthBoard([{ model: "m", rows, threshold }])[0]!.nearest!.length;
  const uneven = [row(4096, 90, 1), row(8192, 80, 8), row(16_384, 70, 0), row(32_768, null)];
  // Of 85: 5 half-widths above, 5/8 below; of 87: 3 above, 7/8 below; of 89.5: a half above, 9.5/8 below.
  deepEqual([85, 87, 89.5].map((threshold) => near(uneven, threshold)), [8192, 8192, 4096]);
  // A score without a width is at the threshold, or as far as can be.
  deepEqual([70, 70.1].map((threshold) => near(uneven, threshold)), [16_384, 8192]);
});

Deno.test("effectiveLengthBoard() takes its own threshold from the shortest length, in whatever order rows come", () => {
  for (
    const rows of [[row(4096, 80), row(8192, 60), row(16_384, 90)], [row(16_384, 90), row(8192, 60), row(4096, 80)]]
  ) {
    const [{ threshold, found, nearest }] = effectiveLengthBoard([{ model: "m", rows, threshold: { share: 0.5 } }]) as [
      BoardRow,
    ];
    deepEqual([threshold, found, nearest!.length], [40, ">16K", 8192]);
  }
});

Deno.test("effectiveLengthBoard() lists refused lengths rising, and none where nothing was refused", () => {
  const rows = [{ ...row(8192, 50), refused: 3 }, row(2048, 90), { ...row(4096, 80), refused: 1 }, {
    ...row(1024, 80),
    refused: 0,
  }];
  const [board] = effectiveLengthBoard([{ model: "m", rows, threshold: 60 }]);
  deepEqual(board!.refused, [{ length: 4096, n: 325, refused: 1 }, { length: 8192, n: 325, refused: 3 }]);
  equal("refused" in effectiveLengthBoard([{ model: "m", rows: [row(4096, 80)], threshold: 60 }])[0]!, false);
});
