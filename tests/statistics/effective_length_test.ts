import { deepEqual, equal, throws } from "node:assert/strict";
import fc from "fast-check";
import { ownThreshold } from "@/lib/statistics/effective_length.ts";
import { effectiveLength, type EffectiveLengthRule, type LengthScore } from "@/lib/statistics/mod.ts";

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
    ["a dip is passed over", longLora, 58.8, "published", "64K"],
    ["a dip ends a contiguous length", longLora, 58.8, "contiguous", "16K"],
    ["a score at the threshold passes", longAlpaca, 49.7, "published", "16K"],
    ["a score at the threshold is not above it", longAlpaca, 49.7, "strict", "8K"],
    ["below everywhere", longLora, 95, "published", "<4K"],
    ["above everywhere", scored(90, 91, 90, 90, 90, 90), 85.6, "published", ">128K"],
    ["only two lengths tried", scored(90, 90), 85.6, "contiguous", ">8K"],
    ["a length without a score is passed over", scored(90, null, 90, 80), 85.6, "contiguous", "16K"],
    ["no score at all", scored(null), 85.6, "published", "no score"],
  ] as [string, readonly LengthScore[], number, EffectiveLengthRule, string][],
)("effectiveLength(): %s", (_name, scores, threshold, rule, text) => {
  equal(effectiveLength(Object.freeze(scores), threshold, { rule }).text, text);
});

Deno.test("effectiveLength() gives the length in tokens, and null for none", () => {
  deepEqual(effectiveLength(longLora, 58.8), { length: 65_536, text: "64K" });
  deepEqual(effectiveLength(longLora, 95), { length: null, text: "<4K" });
});

Deno.test("effectiveLength() takes lengths in any order, falls with the threshold, and contiguous is never the longer", () => {
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

Deno.test("ownThreshold() is a share of the score at the shortest length", () => {
  equal(ownThreshold(longLora.toReversed(), 0.8), 74);
  equal(ownThreshold(scored(null, 80), 0.8), null);
  equal(ownThreshold([], 0.8), null);
});

Deno.test("ownThreshold() refuses a share outside (0, 1]", () => {
  throws(() => ownThreshold(longLora, 85), {
    name: "RangeError",
    message: "Cannot set a threshold as share must be in (0, 1]: current value is 85",
  });
});
