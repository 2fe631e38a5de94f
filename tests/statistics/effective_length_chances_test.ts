import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { stream } from "@/lib/random/mod.ts";
import { chanceAtLeast, effectiveLengthChances, meanInterval, type ScoreRow } from "@/lib/statistics/mod.ts";

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

Deno.test("effectiveLengthChances() sees 85.4 and 85.9 as nearly the same number against 85.6", () => {
  const chances = (score: number): readonly number[] =>
    effectiveLengthChances([row(4096, 95), row(8192, score)], 85.6).map(({ chance }) => chance);
  // The interval reaches 4 points, so its standard error is 2.04: Φ(±0.2/2.04) = 0.461 and Φ(0.3/2.04) = 0.558.
  deepEqual(chances(85.4).map((chance) => chance.toFixed(3)), ["0.000", "0.539", "0.461"]);
  deepEqual(chances(85.9).map((chance) => chance.toFixed(3)), ["0.000", "0.442", "0.558"]);
});

Deno.test("effectiveLengthChances() multiplies independent lengths, by the published and by the contiguous rule", () => {
  const rows = [row(4096, 85.6), row(8192, 85.6), row(16_384, 85.6)];
  deepEqual(effectiveLengthChances(rows, 85.6), [
    { length: null, text: "<4K", chance: 0.125 },
    { length: 4096, text: "4K", chance: 0.125 },
    { length: 8192, text: "8K", chance: 0.25 },
    { length: 16_384, text: ">16K", chance: 0.5 },
  ]);
  deepEqual(effectiveLengthChances(rows, 85.6, { rule: "contiguous" }).map(({ chance }) => chance), [
    0.5,
    0.25,
    0.125,
    0.125,
  ]);
});

Deno.test("effectiveLengthChances() adds up to 1, whatever the scores and the rule", () => {
  const scores = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(scores, fc.constantFrom("published", "strict", "contiguous"), (values, rule) => {
    const rows = values.map((score, place) => row(4096 * 2 ** place, score));
    const chances = effectiveLengthChances(rows, 85.6, { rule: rule as "published" });
    ok(Math.abs(chances.reduce((sum, { chance }) => sum + chance, 0) - 1) < 1e-9);
    ok(chances.every(({ chance }) => chance >= 0 && chance <= 1));
    deepEqual(effectiveLengthChances(rows.toReversed(), 85.6, { rule: rule as "published" }), chances);
  }));
});

Deno.test("effectiveLengthChances() passes over lengths without a score", () => {
  deepEqual(effectiveLengthChances([row(4096, null)], 85.6), []);
  equal(effectiveLengthChances([row(4096, 90), row(8192, null)], 85.6).length, 2);
});

Deno.test("chanceAtLeast() refuses a row without a score", () => {
  throws(() => chanceAtLeast(row(4096, null), 85.6), {
    name: "RangeError",
    message: "Cannot give a chance as the row must have a score and an interval: current value is null",
  });
});

Deno.test("effectiveLengthChances() of a threshold with an interval is less sure, and right between where both are the same", () => {
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

Deno.test("effectiveLengthChances() means what it says: of 3,000 simulated scores near the threshold, so many pass as it tells", () => {
  const draw = stream("calibrated");
  const bins = Array.from({ length: 5 }, () => ({ told: 0, passed: 0, count: 0 }));
  for (let run = 0; run < 3000; run++) {
    const truth = 0.806 + 0.1 * draw();
    const { mean, low, high } = meanInterval(Array.from({ length: 325 }, () => Number(draw() < truth)));
    const scored = { ...row(4096, 100 * mean), low: 100 * low, high: 100 * high };
    const { chance } = effectiveLengthChances([scored], 85.6)[1]!;
    const bin = bins[Math.min(4, Math.floor(5 * chance))]!;
    bin.told += chance;
    bin.passed += Number(truth >= 0.856);
    bin.count++;
  }
  for (const { told, passed, count } of bins) ok(Math.abs(told - passed) / count < 0.07, JSON.stringify(bins));
});
