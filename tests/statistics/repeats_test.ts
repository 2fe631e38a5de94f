import { deepEqual, equal, match, ok } from "node:assert/strict";
import {
  compareThirds,
  meanOfRepeats,
  modelTaskScores,
  pairRecords,
  scoreOf,
  summarise,
} from "@/lib/statistics/mod.ts";
import { repeatNoise } from "@/lib/statistics/repeats.ts";

interface Asked {
  readonly task: string;
  readonly length: number;
  readonly value: number | null;
  readonly failed: boolean;
  readonly noAnswer: boolean;
  readonly record: { readonly index: number; readonly seed: string; readonly repeat?: number };
}

function of(index: number, repeat: number, value: number | null, changes: Partial<Asked> = {}): Asked {
  const record = { index, seed: "42", ...(repeat === 0 ? {} : { repeat }) };
  return { task: "vt", length: 4096, value, failed: value === null, noAnswer: false, record, ...changes };
}

Deno.test("meanOfRepeats() gives a sample the mean of its repeats, failed only where every call failed", () => {
  const replies = [
    ...[of(0, 0, 1), of(0, 1, 0)],
    ...[of(1, 0, null), of(1, 1, 1)],
    ...[of(2, 0, null), of(2, 1, null)],
    ...[of(3, 0, null, { failed: false, noAnswer: true }), of(3, 1, null, { failed: false, noAnswer: true })],
  ];
  deepEqual(meanOfRepeats(replies).map(({ value, failed, noAnswer }) => [value, failed, noAnswer]), [
    [0.5, false, false],
    [1, false, false],
    [null, true, false],
    [0, false, true],
  ]);
});

Deno.test("meanOfRepeats() averages the scores one by one, where the scorer gives them", () => {
  const scored = (repeat: number, cells: readonly number[]) => ({
    ...of(0, repeat, 0.5),
    score: { value: 0.5, cells },
  });
  const failed = { ...of(0, 2, null), score: null };
  deepEqual(meanOfRepeats([scored(0, [1, 0]), scored(1, [1, 1]), failed])[0]!.score, { value: 0.5, cells: [1, 0.5] });
});

Deno.test("an empty reply has the score that its benchmark gives it, and 0 where it gives none", () => {
  const empty = (value: number | null) => scoreOf({ ...of(0, 0, value), failed: false, noAnswer: true });
  deepEqual([0, 0.2, null].map(empty), [0, 0.2, 0]);
});

Deno.test("meanOfRepeats() leaves records alone that were asked once, those of old runs included", () => {
  const once = [of(0, 0, 1), of(1, 0, 0)];
  equal(meanOfRepeats(once), once);
  const bare = [{ task: "vt", length: 4096, value: 1, failed: false, noAnswer: false }];
  equal(meanOfRepeats(bare), bare);
});

Deno.test("intervals are over samples: asking each three times and getting the same is worth no more than once", () => {
  const once = [1, 0, 1, 1, 0].map((value, index) => of(index, 0, value));
  const thrice = once.flatMap((reply) => [0, 1, 2].map((repeat) => of(reply.record.index, repeat, reply.value)));
  deepEqual(summarise(thrice), summarise(once));
  const taskScores = (records: readonly Asked[]) => modelTaskScores([{ name: "a", records }]);
  deepEqual(taskScores(thrice), taskScores(once));
  const other = once.map((reply) => of(reply.record.index, 0, 0));
  deepEqual(pairRecords(thrice, other), pairRecords(once, other));
  const deep = (replies: readonly Asked[]) => replies.map((reply) => ({ ...reply, depth: reply.record.index / 5 }));
  deepEqual(compareThirds(deep(thrice)), compareThirds(deep(once)));
});

Deno.test("repeatNoise() of samples that never change is all between samples, of coins that it is all within", () => {
  const steady = [0, 1, 0, 1, 1, 0].flatMap((value, index) => [0, 1, 2].map((repeat) => of(index, repeat, value)));
  const same = repeatNoise(steady)!;
  deepEqual(
    same.rows.map((
      { task, samples, repeats, changed, within, share },
    ) => [task, samples, repeats, changed, within, share]),
    [
      ["vt", 6, 3, 0, 0, 0],
      ["all", 6, 3, 0, 0, 0],
    ],
  );
  match(same.finding, /^Asking again changes the score of 0% of answers: more samples, not more repeats, would narrow/);
  // Each sample once right and once wrong: no sample differs from another.
  const coins = [0, 1, 2, 3].flatMap((index) => [of(index, 0, 1), of(index, 1, 0)]);
  const noise = repeatNoise(coins)!;
  deepEqual(noise.rows.map(({ changed, between, share }) => [changed, between, share]), [[100, 0, 100], [100, 0, 100]]);
  match(
    noise.finding,
    /^Asking again changes the score of 100% of answers: more repeats would narrow the intervals almost as much/,
  );
});

Deno.test("repeatNoise() is null where nothing was asked twice, or no call of the second time came through", () => {
  equal(repeatNoise([of(0, 0, 1), of(1, 0, 0)]), null);
  equal(repeatNoise([of(0, 0, 1), of(0, 1, null)]), null);
});

// Worked by hand: in vt, 1, 1, 0 and 0, 0.5 have the means 2/3 and 1/4, and 0.5 of all five; cwe has one sample with two scores.
Deno.test.each(
  [
    ["two samples of three and two scores", ["vt"], { samples: 2, repeats: 2.5, changed: 75 }, 2 / 3 + 1 / 8, 3],
    ["one sample", ["cwe"], { samples: 1, repeats: 2, changed: 100 }, 1 / 8, 1],
    ["both", ["vt", "cwe"], { samples: 3, repeats: 7 / 3, changed: 80 }, 2 / 3 + 1 / 8 + 1 / 8, 4],
  ] as [string, string[], { samples: number; repeats: number; changed: number }, number, number][],
)("repeatNoise() of %s", (_name, tasks, counts, square, freedom) => {
  const all = repeatNoise([
    ...[1, 1, 0].map((value, repeat) => of(0, repeat, value)),
    ...[0, 0.5].map((value, repeat) => of(1, repeat, value)),
    ...[0.5, 1].map((value, repeat) => of(0, repeat, value, { task: "cwe" })),
    // Neither sample of fwe has two scores.
    ...[of(0, 0, 1, { task: "fwe" }), of(1, 0, 0, { task: "fwe" }), of(1, 1, null, { task: "fwe" })],
  ].filter(({ task }) => tasks.includes(task) || task === "fwe"))!.rows.at(-1)!;
  const near = (seen: number | null, wanted: number): void => ok(Math.abs(seen! - wanted) < 1e-9, `${seen}, ${wanted}`);
  deepEqual(all.samples, counts.samples);
  near(all.repeats, counts.repeats);
  near(all.changed, counts.changed);
  near(all.within, 100 * Math.sqrt(square / freedom));
  if (!tasks.includes("vt")) {
    deepEqual([all.between, all.share], [null, null]);
    return;
  }
  // Searle, Casella and McCulloch (1992), section 3.6: with N = 5 and the sizes 3 and 2, n0 is (5 - 13 / 5) / 1.
  const between = 3 * (2 / 3 - 0.5) ** 2 + 2 * (1 / 4 - 0.5) ** 2;
  const variance = Math.max(0, (between - square / freedom) / 2.4);
  near(all.between, 100 * Math.sqrt(variance));
  near(all.share, 100 * square / freedom / counts.repeats / (variance + square / freedom / counts.repeats));
});

Deno.test("repeatNoise() finds how unequal samples differ beyond their repeats", () => {
  const all = repeatNoise([
    ...[1, 1, 1].map((value, repeat) => of(0, repeat, value)),
    ...[0, 0.5].map((value, repeat) => of(1, repeat, value)),
    of(2, 0, 0),
  ])!.rows.at(-1)!;
  // Means 1, 1/4 and 0, of all 7/12; squares 1/8 within (3 free) and, between, 3 (5/12)² + 2 (1/3)² + (7/12)² (2 free).
  const [within, between] = [1 / 24, (3 * 25 / 144 + 2 / 9 + 49 / 144) / 2];
  const weight = (6 - (9 + 4 + 1) / 6) / 2;
  ok(Math.abs(all.within - 100 * Math.sqrt(within)) < 1e-9);
  ok(Math.abs(all.between! - 100 * Math.sqrt((between - within) / weight)) < 1e-9, `${all.between}`);
  ok(Math.abs(all.share! - 100 * (within / 2) / ((between - within) / weight + within / 2)) < 1e-9);
});

Deno.test.each(
  [
    // Twice the samples narrow an interval by 29.3%; a third of that is 9.8%, two thirds are 19.5%.
    ["9%", 0.62, /: more samples, not more repeats, would narrow the intervals .*29%.*repeats by 9%/],
    ["10%", 0.66, /: more samples narrow the intervals more than repeats do .*repeats by 10%/],
    ["18%", 0.86, /: more samples narrow the intervals more than repeats do .*repeats by 18%/],
    ["21%", 0.91, /: more repeats would narrow the intervals almost as much as more samples .*repeats by 21%/],
  ] as [string, number, RegExp][],
)("repeatNoise() advises by how much repeats would gain: %s", (_name, noise, advice) => {
  const replies = Array.from({ length: 10 }, (_, index) =>
    [-1, 1].map((sign, repeat) => (
      of(index, repeat, 0.5 + (index % 2 === 0 ? 0.1 : -0.1) + sign * noise * 0.1)
    ))).flat();
  match(repeatNoise(replies)!.finding, advice);
});

Deno.test("repeatNoise() has nothing to advise where samples do not differ", () => {
  equal(
    repeatNoise([of(0, 0, 1), of(0, 1, 1), of(1, 0, 1), of(1, 1, 1)])!.finding,
    "Asking again changes the score of 0% of answers, and samples do not differ",
  );
});
