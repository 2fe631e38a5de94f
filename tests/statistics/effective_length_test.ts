import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { gammaln } from "simple-statistics";
import { cases } from "../_cases.ts";
import { drawEvenRuns, lengthSetCoverage } from "./_clustered.ts";
import { pAtLeast, possibleText } from "@/lib/statistics/effective_length.ts";
import {
  effectiveLength,
  effectiveLengthBoard,
  midInterval,
  possibleLengths,
  type ScoreRow,
  summarise,
} from "@/lib/statistics/mod.ts";
import type { EffectiveLengthRule, PossibleLength } from "@/lib/statistics/effective_length.ts";

const LENGTHS = [4096, 8192, 16_384, 32_768, 65_536, 131_072];

function scored(...scores: readonly (number | null)[]): readonly Parameters<typeof effectiveLength>[0][number][] {
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
  ] as [string, readonly Parameters<typeof effectiveLength>[0][number][], number, EffectiveLengthRule, string][],
)("effectiveLength(): %s", (_name, scores, threshold, rule, text) => {
  equal(effectiveLength(Object.freeze(scores), threshold, { rule }).text, text);
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

Deno.test("pAtLeast() is nearer to a half if the threshold has an interval too", () => {
  const measured = { score: 85.6, low: 81.6, high: 89.6 };
  // Both reach 4 points, so the difference of 2.4 has a standard error of sqrt(2) * 4 / 1.96: Φ(2.4 / 2.886) = 0.797.
  deepEqual([85.6, measured].map((limit) => pAtLeast(row(8192, 88), limit).toFixed(1)), ["0.9", "0.8"]);
  ok(Math.abs(pAtLeast(row(4096, 85.6), measured) - 0.5) < 0.03);
});

function possible(lengths: readonly PossibleLength[]): readonly string[] {
  return lengths.filter(({ isPossible }) => isPossible).map(({ text }) => text);
}

Deno.test("possibleLengths() gives 85.4 and 85.9 nearly the same p-values against 85.6, and the same set", () => {
  const around = (score: number) => possibleLengths([row(4096, 95), row(8192, score)], 85.6);
  // The interval of 4 points is that of 299 answers: of 256 right of 300 at 85.6%, 49% have as few and 57% as many.
  deepEqual(around(85.4).map(({ text, p }) => `${text} ${p.toFixed(2)}`), ["<4K 0.00", "4K 1.00", ">8K 0.49"]);
  for (const score of [85.4, 85.9]) deepEqual(possible(around(score)), ["4K", ">8K"]);
});

Deno.test("possibleLengths() multiplies the least p-value by the number of statements about lengths", () => {
  const rows = [row(4096, 88), row(8192, 83.2), row(16_384, 83.2)];
  const p = (rule: EffectiveLengthRule) => possibleLengths(rows, 85.6, { rule }).map(({ p }) => p.toFixed(2));
  // 88 falls short with 0.131, 83.2 reaches with 0.142. Three statements, "4K falls short and so do 8K and 16K"; three; two; one.
  deepEqual(p("published"), ["0.39", "1.00", "0.28", "0.14"]);
  deepEqual(p("strict"), p("published"));
  // One statement, "4K falls short"; two; three; three, "all reach".
  deepEqual(p("contiguous"), ["0.13", "1.00", "0.43", "0.43"]);
});

Deno.test("possibleLengths() excludes what is far from the threshold", () => {
  const fall = [95, 93, 90, 80, 60, 20].map((score, place) => row(LENGTHS[place]!, score, 2));
  deepEqual(possible(possibleLengths(fall, 85.6)), ["16K"]);
  deepEqual(possible(possibleLengths(fall.map((each) => ({ ...each, low: 0, high: 100 })), 85.6)).length, 7);
  const dip = [95, 60, 95].map((score, place) => row(LENGTHS[place]!, score, 2));
  deepEqual(possible(possibleLengths(dip, 85.6)), [">16K"], "a dip is skipped");
  deepEqual(possible(possibleLengths(dip, 85.6, { rule: "contiguous" })), ["4K"], "a dip ends a contiguous length");
});

const RULES: readonly EffectiveLengthRule[] = ["published", "strict", "contiguous"];
const THRESHOLDS = fc.oneof(
  fc.double({ min: 1, max: 99, noNaN: true }),
  fc.record({ score: fc.constant(50), low: fc.integer({ min: 30, max: 50 }), high: fc.integer({ min: 50, max: 70 }) }),
);

Deno.test("possibleLengths() holds the length found, has p-values in [0, 1], and does not depend on the order of rows", () => {
  const scores = fc.array(
    fc.record({ score: fc.integer({ min: 0, max: 100 }), reach: fc.integer({ min: 1, max: 30 }) }),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  fc.assert(fc.property(scores, THRESHOLDS, fc.constantFrom(...RULES), (values, threshold, rule) => {
    // Without clipping: an interval that ends at its score has no standard error.
    const rows = values.map(({ score, reach }, place) => (
      { ...row(LENGTHS[place]!, score), low: score - reach, high: score + reach }
    ));
    const lengths = possibleLengths(rows, threshold, { rule });
    const limit = typeof threshold === "number" ? threshold : threshold.score;
    const { text } = effectiveLength(rows, limit, { rule });
    ok(lengths.find((each) => each.text === text)!.p >= 0.5 - 1e-9);
    ok(lengths.every(({ p, isPossible }) => p >= 0 && p <= 1 && isPossible === p > 0.05));
    deepEqual(lengths.map(({ length }) => length), [null, ...rows.map(({ length }) => length)]);
    deepEqual(possibleLengths(rows.toReversed(), threshold, { rule }), lengths);
  }));
});

Deno.test("possibleText() names the ends of a set without gaps, and every length of one with gaps", () => {
  const set = (...places: readonly number[]): string =>
    possibleText(["<4K", "4K", "8K", ">16K"].map((text, place) => (
      { text, length: null, p: 0, isPossible: places.includes(place) }
    )));
  deepEqual([set(), set(2), set(0, 1), set(1, 2, 3), set(1, 3)], [
    "no score",
    "8K",
    "<4K to 4K",
    "4K to >16K",
    "4K, >16K",
  ]);
});

const RUNS = cases(150, 600);

Deno.test.each([0, 0.9])(
  `possibleLengths() holds the true length in at least 93% of ${RUNS} runs whose true scores are equal, at ICC %s`,
  (icc) => {
    const runs = drawEvenRuns(icc, RUNS);
    // The true scores of 85 reach 85, and nothing above.
    const [below, at] = [lengthSetCoverage(runs, { threshold: 85.6 }), lengthSetCoverage(runs, { threshold: 85 })];
    ok(below.held >= 0.93 && at.held >= 0.93, `${below.held} ${at.held}`);
    // The longest length that passes is the luckiest one, and mostly wrong.
    ok(below.right < 0.5, String(below.right));
  },
);

Deno.test("possibleLengths() of few samples holds the true length with a chance of at least 95%, on both sides of every threshold", () => {
  const chances = [20, 50, 85.6, 95].flatMap((threshold) =>
    [5, 10, 25, 50, 100].flatMap((n) =>
      [-1, -0.01, 0.01, 1].flatMap((points) =>
        (["published", "contiguous"] as const).map((rule) => chanceInSet({ threshold, n, points, rule }))
      )
    )
  );
  ok(Math.min(...chances) >= 0.95, `${Math.min(...chances)}`);
});

Deno.test("possibleLengths() of graded scores holds the true length with a chance of at least 94.9%, however few and close the grades", () => {
  const chances = [[0, 0.9], [0.5, 1], [0.75, 1], [0.8, 1]].flatMap(([low, high]) =>
    [2, 5, 6, 15, cases(25, 325)].flatMap((n) =>
      cases([6], [1, 2, 6]).flatMap((lengths) => gradedChancesInSet({ low: low!, high: high!, n, lengths }))
    )
  );
  ok(Math.min(...chances) >= 0.949, `${Math.min(...chances)}`);
});

/** Returns the exact chances of both rules if the scores of all lengths are one of two grades, and their means the threshold. */
function gradedChancesInSet(
  { low, high, n, lengths }: Readonly<Record<"low" | "high" | "n" | "lengths", number>>,
): readonly number[] {
  const share = (0.856 - low) / (high - low);
  const held = { published: 0, contiguous: 0 };
  for (let best = 0; best <= n; best++) {
    const values = Array.from({ length: n }, (_, at) => ({ value: at < best ? high : low, length: 4096 }));
    const [each] = summarise(values.map((value) => ({ task: "a", failed: false, noAnswer: false, ...value })));
    const ways = Math.exp(gammaln(n + 1) - gammaln(best + 1) - gammaln(n - best + 1));
    const rows = LENGTHS.slice(0, lengths).map((length) => ({ ...each!, length }));
    for (const rule of ["published", "contiguous"] as const) {
      const isPossible = possibleLengths(rows, 85.6, { rule }).at(-1)!.isPossible;
      if (isPossible) held[rule] += ways * share ** best * (1 - share) ** (n - best);
    }
  }
  // The contiguous rule makes a statement about each length.
  return [held.published, held.contiguous ** lengths];
}

/** Returns the exact chance that the set of six lengths, whose true scores are all some points from the threshold, holds the true one. */
function chanceInSet(
  { threshold, n, points, rule }: Readonly<Record<"threshold" | "n" | "points", number>> & {
    readonly rule: EffectiveLengthRule;
  },
): number {
  const truth = (threshold + points) / 100;
  const chance = Array.from({ length: n + 1 }, (_, right) => {
    const { low, high } = midInterval(right, n);
    const each = { ...row(4096, 100 * right / n), n, low: 100 * low, high: 100 * high };
    const set = possibleLengths(LENGTHS.map((length) => ({ ...each, length })), threshold, { rule });
    const ways = Math.exp(gammaln(n + 1) - gammaln(right + 1) - gammaln(n - right + 1));
    return set.at(points < 0 ? 0 : -1)!.isPossible ? ways * truth ** right * (1 - truth) ** (n - right) : 0;
  }).reduce((sum, part) => sum + part, 0);
  // Below, the rule makes a statement about each length; above, about the longest alone; the contiguous rule the other way round.
  return (points < 0) === (rule === "published") ? chance ** LENGTHS.length : chance;
}

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
    [0, 0, 8, 0, 1],
    [0, 0, 8, 8, 0.025],
    [100, 92, 100, 100, 0.5],
    [100, 92, 100, 92, 0.975],
    [100, 100, 100, 100, 1],
    [100, 100, 100, 100.1, 0],
  ] as [number, number, number, number, number][],
)("pAtLeast() of %d in [%d, %d] is a chance to reach %d of %d", (score, low, high, threshold, chance) => {
  ok(Math.abs(pAtLeast({ ...row(4096, score), low, high }, threshold) - chance) < 1e-6);
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

Deno.test("effectiveLengthBoard() lists refused lengths rising, and none where nothing was refused", () => {
  const rows = [{ ...row(8192, 50), refused: 3 }, row(2048, 90), { ...row(4096, 80), refused: 1 }, {
    ...row(1024, 80),
    refused: 0,
  }];
  const [board] = effectiveLengthBoard([{ model: "m", rows, threshold: 60 }]);
  deepEqual(board!.refused, [{ length: 4096, n: 325, refused: 1 }, { length: 8192, n: 325, refused: 3 }]);
  equal("refused" in effectiveLengthBoard([{ model: "m", rows: [row(4096, 80)], threshold: 60 }])[0]!, false);
});
