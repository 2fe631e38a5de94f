import { deepEqual, equal, match, ok } from "node:assert/strict";
import { stream } from "@/lib/random/mod.ts";
import { compareModels, compareThirds, meanOfRepeats, scoreOf, summarise } from "@/lib/statistics/mod.ts";
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
  const other = once.map((reply) => of(reply.record.index, 0, 0));
  deepEqual(compareModels(thrice, other), compareModels(once, other));
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

Deno.test("repeatNoise() finds the deviations that seeded scores were drawn with", () => {
  const draw = stream("noise");
  // Sums of twelve uniform numbers: deviations of 0.1 between samples and 0.05 between repeats, uneven repeats.
  const normal = (): number => Array.from({ length: 12 }, draw).reduce((sum, number) => sum + number, -6);
  const replies = Array.from({ length: 400 }, (_, index) => {
    const mean = 0.5 + 0.1 * normal();
    return Array.from({ length: 2 + index % 3 }, (_, repeat) => of(index, repeat, mean + 0.05 * normal()));
  }).flat();
  const all = repeatNoise(replies)!.rows.at(-1)!;
  ok(Math.abs(all.within - 5) < 0.3, `${all.within}`);
  ok(Math.abs(all.between! - 10) < 0.8, `${all.between}`);
});

Deno.test("repeatNoise() is null where nothing was asked twice, or no call of the second time came through", () => {
  equal(repeatNoise([of(0, 0, 1), of(1, 0, 0)]), null);
  equal(repeatNoise([of(0, 0, 1), of(0, 1, null)]), null);
});
