import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { CHANCE, type ScoreSource, shareFound, yesNo } from "./_draws.ts";
import fc from "fast-check";
import { shuffle, stream } from "@/lib/random/mod.ts";
import {
  adaptiveSearch,
  anytimeInterval,
  type SearchDesign,
  type SearchSample,
  searchWith,
} from "@/lib/statistics/mod.ts";
import { anytimeTest } from "@/lib/statistics/anytime_mean.ts";

const LENGTHS = [4096, 8192, 16_384, 32_768];
const design: SearchDesign = { tasks: ["a", "b"], lengths: LENGTHS, samples: 100, threshold: 85.6 };

/** A reader whose chance of a right answer at each length is known; the same sample always has the same score. */
function reader(chances: readonly number[], seed = "r"): (sample: SearchSample) => number {
  return ({ task, length, index }) => stream(seed, task, length, index)() < chances[LENGTHS.indexOf(length)]! ? 1 : 0;
}

Deno.test.each(
  [
    ["published", [1, 1, 1, 1], ">32K", [32_768]],
    ["published", [1, 1, 0.2, 0.2], "8K", [8192, 16_384, 32_768]],
    ["published", [1, 0.2, 1, 0.2], "16K", [16_384, 32_768]],
    ["published", [0.2, 0.2, 0.2, 0.2], "<4K", LENGTHS],
    ["contiguous", [1, 1, 1, 1], ">32K", LENGTHS],
    ["contiguous", [1, 1, 0.2, 0.2], "8K", [4096, 8192, 16_384]],
    ["contiguous", [1, 0.2, 1, 0.2], "4K", [4096, 8192]],
    ["contiguous", [0.2, 1, 1, 1], "<4K", [4096]],
  ] as const,
)("adaptiveSearch() by the %s rule and chances of %j finds %s and asks at %j alone", (rule, chances, text, asked) => {
  const search = searchWith(reader(chances), { ...design, rule });
  equal(search.answer?.text, text);
  ok(search.isSettled);
  deepEqual([...new Set(search.scores.map(({ length }) => length))].sort((left, right) => left - right), asked);
  ok(search.scores.length <= 0.5 * 200 * asked.length);
});

Deno.test("adaptiveSearch() asks all samples at a length that scores the threshold, and their mean decides", () => {
  const search = searchWith(reader([1, 1, 0.856, 0.1]), design);
  const at16k = search.lengths.find(({ length }) => length === 16_384)!;
  const { rounds, passes, isSettled } = at16k;
  deepEqual([rounds.length, isSettled, search.isSettled], [100, false, false]);
  equal(passes, rounds.flat().reduce((sum, score) => sum + score, 0) / 200 >= 0.856);
});

Deno.test("adaptiveSearch() depends on the scores only: in any order, and interrupted anywhere, it gives the same answer", () => {
  const score = reader([1, 0.93, 0.8, 0.7]);
  const whole = searchWith(score, design);
  const shuffled = adaptiveSearch(shuffle(stream("order"), whole.scores), design);
  deepEqual(shuffled, adaptiveSearch(whole.scores, design));
  for (const cut of [1, 5, 17, 40, whole.scores.length - 1]) {
    const before = whole.scores.slice(0, cut);
    const again = searchWith((sample) => {
      const known = before.find((one) =>
        one.task === sample.task && one.length === sample.length && one.index === sample.index
      );
      return known?.value ?? score(sample);
    }, design);
    deepEqual(again.answer, whole.answer);
    const step = adaptiveSearch(before, design);
    ok(step.next.every((sample) =>
      !before.some((one) =>
        one.index === sample.index && one.task === sample.task &&
        one.length === sample.length
      )
    ));
  }
});

Deno.test("adaptiveSearch() replaces a sample without a score by the next", () => {
  const [first, ...others] = adaptiveSearch([], design).next.map((sample) => ({ ...sample, value: 1 }));
  const step = adaptiveSearch([{ ...first!, value: null }, ...others], { ...design, errorChance: 1e-9 });
  ok(step.next.some(({ task, index }) => task === first!.task && index === 8));
  ok(!step.next.some(({ task, index }) => task === first!.task && index === 0));
  equal(step.lengths.at(-1)?.rounds.length, 7);
});

Deno.test("adaptiveSearch() skips a length at which one task has no score, and says so if none has", () => {
  const search = searchWith((sample) => sample.length === 32_768 && sample.task === "b" ? null : 1, design);
  deepEqual([search.answer?.text, search.isSettled], [">16K", false]);
  deepEqual(search.lengths.at(-1)?.passes, null);
  const none = searchWith(() => null, design);
  deepEqual([none.answer, none.isSettled], [{ length: null, text: "no score" }, false]);
  const noBase = searchWith(() => null, { ...design, threshold: { share: 0.85 }, rule: "contiguous" });
  deepEqual(noBase.answer, { length: null, text: "no score" });
});

Deno.test("adaptiveSearch() against a share of its own score asks the shortest length as often as the one compared", () => {
  const search = searchWith(reader([0.8, 0.8, 0.75, 0.2]), { ...design, threshold: { share: 0.85 } });
  const [base, , at16k, at32k] = search.lengths;
  equal(search.answer?.text, "16K");
  ok(base!.rounds.length >= at32k!.rounds.length && base!.rounds.length >= at16k!.rounds.length);
  ok(
    Math.abs(
      at32k!.threshold! - 85 * base!.rounds.flat().reduce((sum, score) => sum + score, 0) / base!.rounds.flat().length,
    ) < 1e-9,
  );
  deepEqual([base!.passes, base!.isSettled], [null, false], "the answer does not rest on the shortest length");
});

Deno.test("adaptiveSearch() against a share of its own score counts the uncertainty of both: it settles no later if more is known", () => {
  const settledRounds = (threshold: SearchDesign["threshold"]): number => {
    const search = searchWith(reader([0.8, 0, 0, 0.45]), { ...design, threshold });
    return search.lengths.at(-1)!.rounds.length;
  };
  ok(settledRounds({ share: 0.85 }) >= settledRounds(68));
});

Deno.test("adaptiveSearch() counts a score equal to the threshold as a pass, except by the strict rule", () => {
  const score = ({ index }: SearchSample): number => index % 2;
  const even = { tasks: ["a"], lengths: [4096], samples: 4, threshold: 50 };
  equal(searchWith(score, even).answer?.text, ">4K");
  equal(searchWith(score, { ...even, rule: "strict" }).answer?.text, "<4K");
});

Deno.test("adaptiveSearch() gives the first verdict that does not end it the whole chance of error", () => {
  // At the length that is asked first it is settled as soon as it would be alone, at the others later.
  for (const [rule, value, first] of [["published", 0, 3], ["contiguous", 1, 0]] as const) {
    const alone = searchWith(() => value, { ...design, lengths: [4096], rule, threshold: 50 }).scores.length;
    const search = searchWith(() => value, { ...design, rule, threshold: 50 });
    const counts = LENGTHS.map((length) => search.scores.filter((each) => each.length === length).length);
    equal(counts[first], alone);
    ok(counts.every((count) => count >= alone) && counts.some((count) => count > alone), `${counts}`);
  }
});

Deno.test("adaptiveSearch() is wrong in at most 5% of searches, wherever the true length is", () => {
  const searches = cases(5, 400);
  for (
    const [chances, truth] of [
      [[0.87, 0.87, 0.87, 0.87], ">32K"],
      [[0.87, 0.87, 0.84, 0.84], "8K"],
      [[0.84, 0.84, 0.84, 0.84], "<4K"],
    ] as const
  ) {
    const wrong = Array.from({ length: searches }, (_, at) => {
      const { answer, isSettled } = searchWith(reader(chances, `wrong ${at}`), { ...design, samples: cases(60, 200) });
      return isSettled && answer!.text !== truth;
    }).filter(Boolean).length;
    ok(wrong / searches <= 0.05 + 3 * Math.sqrt(0.05 * 0.95 / searches), `${truth}: ${wrong} of ${searches}`);
  }
});

Deno.test.each(
  [
    [{ tasks: [] }, "tasks must be at least one: current value is 0"],
    [{ lengths: [] }, "lengths must be at least one: current value is 0"],
    [{ lengths: [4096], threshold: { share: 0.85 } }, "lengths must be at least two: current value is 1"],
    [{ samples: 0 }, "samples must be a whole number from 1: current value is 0"],
  ] as const,
)("adaptiveSearch() refuses %j", (changes, message) => {
  throws(() => adaptiveSearch([], { ...design, ...changes }), {
    name: "RangeError",
    message: `Cannot search for the effective length as ${message}`,
  });
});

Deno.test.each(
  [
    ["samples", [1, 2], [0, 1.5, NaN], (value) => ({ samples: value })],
    ["first", [0, 1], [-1, 0.5, NaN], (value) => ({ first: value })],
    ["threshold", [1e-6, 100 - 1e-6], [0, 100, NaN], (value) => ({ threshold: value })],
    ["share", [1e-6, 1 - 1e-6], [0, 1, NaN], (value) => ({ threshold: { share: value } })],
    ["errorChance", [1e-6, 1 - 1e-6], [0, 1, NaN], (value) => ({ errorChance: value })],
  ] as [string, number[], number[], (value: number) => Partial<SearchDesign>][],
)("adaptiveSearch() takes %s of %j, and refuses %j", (name, taken, refused, change) => {
  for (const value of taken) ok(adaptiveSearch([], { ...design, ...change(value) }).next.length > 0, `${value}`);
  for (const value of refused) {
    throws(() => adaptiveSearch([], { ...design, ...change(value) }), new RegExp(` as ${name} must be `), `${value}`);
  }
});

Deno.test("adaptiveSearch() of a share has no answer where the shortest length has no score or scores 0", () => {
  const own: SearchDesign = { tasks: ["a"], lengths: [4096, 8192], samples: 3, threshold: { share: 0.85 } };
  const scores = (length: number, values: readonly (number | null)[]): Parameters<typeof adaptiveSearch>[0][number][] =>
    values.map((value, index) => ({ task: "a", length, index, value }));
  const zero = adaptiveSearch(scores(4096, [0, 0, 0]), own);
  deepEqual([zero.next, zero.isSettled, zero.lengths.map(({ threshold, passes }) => [threshold, passes])], [
    [],
    false,
    [[null, null], [null, null]],
  ]);
  const none = adaptiveSearch([...scores(4096, [null, null, null]), ...scores(8192, [1, 1, 1])], own);
  deepEqual([none.next, none.isSettled, none.lengths.map(({ passes }) => passes)], [[], false, [null, null]]);
  // One score above 0 is a score, and two of three that are 0 can still become one.
  equal(adaptiveSearch(scores(4096, [0, 0]), own).next.length > 0, true);
  const one = adaptiveSearch([...scores(4096, [0, 0, 1]), ...scores(8192, [0, 0, 0])], own);
  deepEqual(one.lengths.map(({ passes, isSettled }) => [passes, isSettled]), [[true, true], [false, false]]);
});

const score = fc.double({ min: 0, max: 1, noNaN: true });
const pairsOfScores = fc.array(fc.tuple(score, score), { maxLength: 40 });

Deno.test("anytimeInterval() of nothing is [0, 1], and of ones only ends where eight bettors have 40 between them", () => {
  deepEqual(anytimeInterval({ rounds: [] }), { low: 0, high: 1 });
  const { low, high } = anytimeInterval({ rounds: Array(25).fill([1]) });
  equal(high, 1);
  const wealth = Array.from({ length: 8 }, (_, place) => (1 + 0.9 * 0.02 ** (place / 7) * (1 - low)) ** 25 / 8)
    .reduce((sum, purse) => sum + purse, 0);
  ok(Math.abs(wealth - 40) < 1e-3, `${wealth}`);
});

Deno.test("anytimeInterval() leaves out the thresholds that anytimeTest() rejects", () => {
  fc.assert(
    fc.property(pairsOfScores, fc.double({ min: 0.02, max: 0.98, noNaN: true }), (seen, threshold) => {
      const { low, high } = anytimeInterval({ rounds: seen });
      const { side } = anytimeTest({ rounds: seen }, { threshold, errorChance: 0.025 });
      if (side === "above") ok(threshold <= low + 2e-7);
      else if (side === "below") ok(threshold >= high - 2e-7);
      else ok(low - 2e-7 <= threshold && threshold <= high + 2e-7);
    }),
    { numRuns: 40 },
  );
});

/** Rounds of one task. */
function single(values: readonly number[]): readonly (readonly number[])[] {
  return values.map((value) => [value]);
}

Deno.test("anytimeTest() rejects a mean of one half after 14 right answers: eight bettors then have 20 between them", () => {
  // With one task the expected score is the threshold, so each right answer wins half of each stake.
  const wealth = (answers: number): number =>
    Array.from({ length: 8 }, (_, place) => (1 + 0.9 * 0.02 ** (place / 7) / 2) ** answers / 8)
      .reduce((sum, purse) => sum + purse, 0);
  ok(wealth(13) < 20 && wealth(14) > 20);
  deepEqual(anytimeTest({ rounds: single(Array(13).fill(1)) }, { threshold: 0.5 }), { side: null, rounds: null });
  deepEqual(anytimeTest({ rounds: single(Array(14).fill(1)) }, { threshold: 0.5 }), { side: "above", rounds: 14 });
  deepEqual(anytimeTest({ rounds: single(Array(14).fill(0)) }, { threshold: 0.5 }), { side: "below", rounds: 14 });
});

const values = fc.array(fc.tuple(score, score, score), { maxLength: 60 });
const threshold = fc.double({ min: 0.05, max: 0.95, noNaN: true });

Deno.test("anytimeTest() mirrors, and keeps its verdict whatever follows", () => {
  fc.assert(fc.property(values, values, threshold, (before, after, at) => {
    const verdict = anytimeTest({ rounds: before }, { threshold: at });
    const mirrored = anytimeTest({ rounds: before.map((round) => round.map((value) => 1 - value)) }, {
      threshold: 1 - at,
    });
    const turned = { above: "below", below: "above" } as const;
    equal(mirrored.side, verdict.side === null ? null : turned[verdict.side]);
    if (verdict.side !== null) deepEqual(anytimeTest({ rounds: [...before, ...after] }, { threshold: at }), verdict);
  }));
});

/** Tasks whose true means average 85.6%. */
const SUITES: readonly (readonly [string, readonly ScoreSource[]])[] = [
  ["one task", [yesNo(0.856)]],
  ["a task of shares", [shareFound(4, 0.856)]],
  ["13 tasks, all alike", Array(13).fill(yesNo(0.856))],
  ["13 tasks of every kind", [...Array(10).fill(yesNo(0.99)), shareFound(10, 0.6), shareFound(3, 0.5), yesNo(0.128)]],
  ["two tasks, one always right", [yesNo(1), yesNo(0.712)]],
];

Deno.test.each([...SUITES])(
  "anytimeTest() is wrong in at most 5%% of runs of 200 rounds, each looked at, where the mean is the threshold: %s",
  (name, sources) => {
    const sides = Array.from({ length: cases(200, 1000) }, (_, run) => {
      const draw = stream("at the threshold", name, run);
      const rounds = Array.from({ length: 200 }, () => sources.map((source) => source.draw(draw)));
      return anytimeTest({ rounds }, { threshold: 0.856 }).side;
    });
    for (const side of ["above", "below"]) {
      const share = sides.filter((found) => found === side).length / sides.length;
      ok(share <= 0.05 + CHANCE, `${side} in ${share}`);
    }
  },
);

/** Rounds of unequal tasks: every third of one kind, the others of another. */
function unequal(
  count: number,
  every: number,
  one: readonly number[],
  other: readonly number[],
): readonly (readonly number[])[] {
  return Array.from({ length: count }, (_, at) => at % every === 0 ? one : other);
}

const THREE_TASKS = unequal(30, 3, [1, 0, 0.25], [1, 0.25, 0.5]);

// Worked out in Python from the formulas in the comments of `whenAbove` and `expectedScores`.
Deno.test.each(
  [
    ["three tasks", THREE_TASKS, 0.44478, 0.61063],
    ["four tasks", unequal(12, 4, [0.5, 1, 0.2, 0], [1, 0.9, 0, 0.4]), 0.37118, 0.70529],
    ["one task", unequal(60, 5, [0], [0.75]), 0.44473, 0.73691],
  ] as [string, readonly (readonly number[])[], number, number][],
)("anytimeInterval() of unequal scores of %s", (_name, rounds, low, high) => {
  const interval = anytimeInterval({ rounds });
  ok(Math.abs(interval.low - low) < 1e-5 && Math.abs(interval.high - high) < 1e-5, JSON.stringify(interval));
});

Deno.test.each([0, 1, -0.1, 1.1, NaN])("anytimeTest() refuses %d as threshold and as chance of error", (value) => {
  throws(() => anytimeTest({ rounds: [[1]] }, { threshold: value }), /as threshold must be in \(0, 1\)/);
  throws(
    () => anytimeTest({ rounds: [[1]] }, { threshold: 0.5, errorChance: value }),
    /as errorChance must be in \(0, 1\)/,
  );
});
