import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { shuffle, stream } from "@/lib/random/mod.ts";
import { adaptiveSearch, type SearchDesign, type SearchSample, searchWith } from "@/lib/statistics/mod.ts";

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

Deno.test("adaptiveSearch() asks nothing twice, nothing outside the design, and ends", () => {
  const { scores } = searchWith(reader([0.9, 0.88, 0.84, 0.8]), { ...design, first: 7, samples: 60 });
  equal(new Set(scores.map(({ task, length, index }) => `${task}/${length}/${index}`)).size, scores.length);
  ok(scores.every(({ index }) => index >= 7 && index < 67));
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

Deno.test("adaptiveSearch() against a share of its own score finds no length where that score is 0", () => {
  for (const rule of ["published", "contiguous"] as const) {
    const search = searchWith(() => 0, { ...design, threshold: { share: 0.85 }, rule });
    equal(search.answer?.text, "no score");
    ok(search.lengths.every(({ passes, threshold }) => passes === null && threshold === null));
  }
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

Deno.test.each(
  [
    [{ tasks: [] }, "tasks must be at least one: current value is 0"],
    [{ lengths: [] }, "lengths must be at least one: current value is 0"],
    [{ lengths: [4096], threshold: { share: 0.85 } }, "lengths must be at least two: current value is 1"],
    [{ samples: 0 }, "samples must be a whole number from 1: current value is 0"],
    [{ first: -1 }, "first must be a whole number from 0: current value is -1"],
    [{ threshold: 100 }, "threshold must be in (0, 100): current value is 100"],
    [{ threshold: { share: 85 } }, "share must be in (0, 1): current value is 85"],
    [{ errorChance: 0 }, "errorChance must be in (0, 1): current value is 0"],
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

Deno.test("adaptiveSearch() of a share takes one sample for a score, and none yet for one to come", () => {
  const own: SearchDesign = {
    tasks: ["a"],
    lengths: [4096, 8192],
    samples: 1,
    threshold: { share: 0.85 },
    rule: "contiguous",
  };
  const at = (value: number): Parameters<typeof adaptiveSearch>[0][number] => ({
    task: "a",
    length: 4096,
    index: 0,
    value,
  });
  deepEqual(adaptiveSearch([], own).lengths.map(({ passes }) => passes), [true, null]);
  deepEqual(adaptiveSearch([at(0)], own).lengths.map(({ passes, threshold }) => [passes, threshold]), [[null, null], [
    null,
    null,
  ]]);
  equal(adaptiveSearch([at(1)], own).lengths[0]!.passes, true);
});

Deno.test("searchWith() asks for each score once", () => {
  const asked = new Set<string>();
  const { scores } = searchWith(({ task, length, index }) => {
    asked.add(`${task} ${length} ${index}`);
    return 1;
  }, { tasks: ["vt", "cwe"], lengths: [4096], samples: 500, threshold: 90 });
  equal(asked.size, scores.length);
});

Deno.test("searchWith() ends where adaptiveSearch() has nothing more to ask", () => {
  const design = { tasks: ["vt"], lengths: [4096, 8192], samples: 50, threshold: 85.6 };
  const { scores, ...last } = searchWith(({ length }) => length > 4096 ? 0.5 : 1, design);
  deepEqual(adaptiveSearch(scores, design), last);
  equal(last.answer?.text, "4K");
});
