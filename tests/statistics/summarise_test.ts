import { deepEqual, equal, match, ok } from "node:assert/strict";
import fc from "fast-check";
import { RULER_GROUPS, RULER_OVERALL } from "@/lib/benchmarks/ruler/tasks.ts";
import type { RunRecord } from "@/lib/records/mod.ts";
import { independent } from "@/lib/statistics/units.ts";
import { meanInterval } from "@/lib/statistics/mean_interval.ts";
import {
  highestFinding,
  lengthMeans,
  meanOfRows,
  midInterval,
  modelTaskScores,
  replyTimes,
  type ScoredRecord,
  scoredRows,
  summarise,
} from "@/lib/statistics/mod.ts";

function record(task: string, length: number, given: Partial<ScoredRecord> = {}): ScoredRecord {
  return Object.freeze({ task, length, value: 1, failed: false, noAnswer: false, ...given });
}

Deno.test("summarise() keeps tasks and lengths apart: tasks in order of appearance, lengths rising", () => {
  const rows = summarise([record("vt", 8192), record("cwe", 4096), record("vt", 4096, { value: 0 })]);
  deepEqual(rows.map(({ task, length, score }) => [task, length, score]), [
    ["vt", 4096, 0],
    ["vt", 8192, 100],
    ["cwe", 4096, 100],
  ]);
});

Deno.test("summarise() counts failed calls beside the mean and empty replies as 0 within it", () => {
  const [row] = summarise([
    record("vt", 4096),
    record("vt", 4096, { value: 0.5 }),
    record("vt", 4096, { value: null, noAnswer: true }),
    record("vt", 4096, { value: null, failed: true }),
    record("vt", 4096, { value: null }),
  ]);
  const { n, score, failed, noAnswer, unscored, reason } = row!;
  deepEqual([n, score, failed, noAnswer, unscored, reason], [3, 50, 1, 1, 1, null]);
});

Deno.test("summarise() gives yes/no scores their mid-p interval, in percent", () => {
  const values = [1, 1, 1, 0, 1, 1, 1, 1, 1, 1];
  const [row] = summarise(values.map((value) => record("qa_1", 4096, { value })));
  const mid = midInterval(9, 10);
  ok(Math.abs(row!.low! - 100 * mid.low) < 1e-6 && Math.abs(row!.high! - 100 * mid.high) < 1e-6);
});

Deno.test("summarise() gives null and the reason where nothing could be scored, never NaN", () => {
  const rows = summarise([record("vt", 4096, { value: null, failed: true }), record("vt", 8192, { value: null })]);
  deepEqual(rows.map(({ n, score, low, high, reason }) => ({ n, score, low, high, reason })), [
    { n: 0, score: null, low: null, high: null, reason: "no score: 1 of 1 calls failed, 0 had nothing to score" },
    { n: 0, score: null, low: null, high: null, reason: "no score: 0 of 1 calls failed, 1 had nothing to score" },
  ]);
  deepEqual(summarise([]), []);
});

const records = fc.array(
  fc.record({
    task: fc.constant("vt"),
    length: fc.constantFrom(4096, 8192),
    value: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    failed: fc.boolean(),
    noAnswer: fc.boolean(),
  }),
  { maxLength: 40 },
);

Deno.test("summarise() does not depend on the order of the records, to the last bit", () => {
  fc.assert(fc.property(records, (given) => deepEqual(summarise(given.toReversed()), summarise(given))));
});

Deno.test("summarise() loses no record: scored, failed and unscored add up", () => {
  fc.assert(fc.property(records, (given) => {
    const rows = summarise(given);
    equal(rows.reduce((sum, { n, failed, unscored }) => sum + n + failed + unscored, 0), given.length);
    ok(
      rows.every(({ score, low, high }) =>
        score === null || (0 <= low! && low! <= score + 1e-6 && score - 1e-6 <= high! && high! <= 100)
      ),
    );
  }));
});

Deno.test("scoredRows() gives the rows of one task that have a score, lengths rising", () => {
  const rows = summarise([
    record("vt", 16_384),
    record("cwe", 8192),
    record("vt", 4096, { value: 0 }),
    record("vt", 8192, { failed: true, value: null }),
    record("vt", 1024),
  ]);
  deepEqual(scoredRows(rows.toReversed(), "vt").map(({ task, length }) => [task, length]), [
    ["vt", 1024],
    ["vt", 4096],
    ["vt", 16_384],
  ]);
  deepEqual(scoredRows(rows, "fwe"), []);
});

function timed(length: number, latencyMs: number, rest: Partial<RunRecord["reply"]> = {}): RunRecord {
  return { length, reply: { kind: "answer", latencyMs, attempts: 1, ...rest } } as RunRecord;
}

Deno.test("replyTimes() gives the median and the 95% quantile of each length, the shortest first", () => {
  // Of 1 to 21 the eleventh is the middle, and 20 is the first that 95% do not exceed.
  const times = Array.from({ length: 21 }, (_, index) => timed(8192, 21 - index));
  deepEqual(replyTimes([...times, timed(4096, 7, { attempts: 3 })]), [
    { length: 4096, n: 1, medianMs: 7, p95Ms: 7, resent: 1 },
    { length: 8192, n: 21, medianMs: 11, p95Ms: 20, resent: 0 },
  ]);
});

const TASKS = RULER_GROUPS.find((group) => group.name === RULER_OVERALL)!.tasks;

Deno.test("lengthMeans() gives the 13 tasks equal weight: the categories count 8, 1, 2 and 2 (RULER, section 4)", () => {
  const rows = lengthMeans(
    summarise(TASKS.flatMap((task, place) =>
      // Ten samples of the first task, two of the others.
      Array.from({ length: place === 0 ? 10 : 2 }, () => record(task, 4096, { value: place / 12 }))
    )),
    { groups: RULER_GROUPS },
  );
  // The tasks score 0 to 12 twelfths: the means of 13, of the first 8, of the next, and of two and two.
  deepEqual(rows.map(({ task, score }) => [task, (score! * 0.12).toFixed(9)]), [
    [RULER_OVERALL, "6.000000000"],
    ["retrieval", "3.500000000"],
    ["multi-hop tracing", "8.000000000"],
    ["aggregation", "9.500000000"],
    ["question answering", "11.500000000"],
  ]);
});

Deno.test("lengthMeans() adds the counts, and its interval is narrower than that of a task", () => {
  const tasks = summarise(TASKS.flatMap((task) => [
    ...[1, 1, 0, 1].map((value) => record(task, 4096, { value })),
    record(task, 4096, { value: null, failed: true }),
  ]));
  const [overall] = lengthMeans(tasks, { groups: RULER_GROUPS });
  deepEqual([overall!.task, overall!.n, overall!.failed, overall!.score], [RULER_OVERALL, 52, 13, 75]);
  ok(overall!.high! - overall!.low! < 0.6 * (tasks[0]!.high! - tasks[0]!.low!));
});

Deno.test("lengthMeans() has no score where a task of the group has none, and says which", () => {
  const rows = lengthMeans(
    summarise([record("cwe", 4096), record("fwe", 4096, { value: null, failed: true }), record("vt", 4096)]),
    { groups: RULER_GROUPS },
  );
  deepEqual(rows.map(({ task, score, reason }) => [task, score, reason?.slice(0, 48) ?? null]), [
    [RULER_OVERALL, null, "11 of 13 tasks have no score at 4K: niah_single_"],
    ["multi-hop tracing", 100, null],
    ["aggregation", null, "1 of 2 tasks have no score at 4K: fwe"],
  ]);
  equal(rows[0]!.n, 2);
  equal(rows[0]!.failed, 1);
});

function recordsOf(task: string, values: readonly (number | null)[], length = 4096): ScoredRecord[] {
  return values.map((value) => record(task, length, { value, failed: value === null }));
}

Deno.test("modelTaskScores() averages the samples of a task over its lengths, and leaves out what has no score", () => {
  const [first, ...rest] = modelTaskScores([
    { name: "a", records: [...recordsOf("vt", [1, 0]), ...recordsOf("vt", [1, 1], 8192), ...recordsOf("cwe", [null])] },
    { name: "b", records: recordsOf("vt", [0, null]) },
  ]);
  const { low, high } = meanInterval(independent([1, 0, 1, 1]));
  deepEqual(first, { model: "a", task: "vt", n: 4, units: 4, score: 75, low: 100 * low, high: 100 * high });
  deepEqual(rest.map(({ model, score, n }) => [model, score, n]), [["b", 0, 1]]);
});

Deno.test("highestFinding() names the highest mean, or those whose intervals leave it open", () => {
  const of = (name: string, score: number) => ({ name, score, low: score - 5, high: score + 5 });
  equal(highestFinding([of("a", 80), of("b", 60)], "mean"), "a has the highest mean, 80.0");
  equal(
    highestFinding([of("a", 80), of("b", 79), of("c", 78), of("d", 60)], "mean"),
    "The intervals leave open which of a, b and c has the highest mean",
  );
  // Fewer than five units have no interval, so that nothing is beyond chance.
  const few = (name: string, score: number) => ({ ...of(name, score), n: 40, units: 4 });
  for (
    const means of [[few("a", 95), few("b", 5)], [of("a", 95), few("b", 5)], [of("a", 95), few("b", 5), few("c", 6)]]
  ) {
    match(highestFinding(means, "mean"), /^The intervals leave open which/);
  }
  equal(highestFinding([{ ...few("a", 95), units: 5 }, of("b", 5)], "mean"), "a has the highest mean, 95.0");
});

Deno.test("lengthMeans() of rows without samples, such as rows read back from JSON, is that of the rows with them", () => {
  const asked = (task: string, right: number) =>
    Array.from({ length: 20 }, (_, at) => (
      { task, length: 4096, value: Number(at < right), failed: false, noAnswer: false, cluster: `${task} ${at}` }
    ));
  const rows = summarise([...asked("vt", 19), ...asked("cwe", 12), ...asked("fwe", 15)]);
  const groups = [{ name: "three", tasks: ["vt", "cwe", "fwe"] }, { name: "one", tasks: ["cwe"] }];
  const means = lengthMeans(rows, { groups });
  // JSON has no symbols, and mixed rows have some with samples and some without.
  for (const read of [JSON.parse(JSON.stringify(rows)), [rows[0]!, ...JSON.parse(JSON.stringify(rows.slice(1)))]]) {
    for (const [at, again] of lengthMeans(read, { groups }).entries()) {
      for (const field of ["score", "low", "high", "effectiveSize"] as const) {
        const [one, other] = [again[field]!, means[at]![field]!];
        ok(Math.abs(one - other) < 1e-9, `${again.task}, ${field}: ${one} and ${other}`);
      }
    }
  }
});

Deno.test("lengthMeans() has no interval below the lowest possible mean of its tasks, as far as their samples are known", () => {
  const of = (task: string, value: number, least: number) =>
    Array.from({ length: 4 }, (_, at) => record(task, 4096, { value, least, cluster: `${task} ${at}` }));
  const rows = summarise([...of("rubric", 0.5, 0.5), ...of("vt", 0, 0), ...of("qa", 0, 0)]);
  const plain: typeof rows = JSON.parse(JSON.stringify(rows));
  const groups = [{ name: "all", tasks: ["rubric", "vt", "qa"] }];
  // All scores are the lowest. A third of 50% is 16.7%; without its samples, the lowest score of a rubric is unknown.
  const lows = [rows, [rows[0]!, ...plain.slice(1)], [plain[0]!, ...rows.slice(1)], plain].map((read) =>
    lengthMeans(read, { groups })[0]!.low!
  );
  for (const low of lows.slice(0, 2)) ok(Math.abs(low - 50 / 3) < 1e-9, `${lows}`);
  for (const low of lows.slice(2)) ok(low < 16, `${lows}`);
  // The mean over lengths of these rows has the samples that are known, and takes the others as independent.
  for (const read of [rows, plain]) {
    const [mean] = lengthMeans(read, { groups });
    const { score, high } = meanOfRows([mean as Parameters<typeof meanOfRows>[0][number]], [2]);
    ok(Math.abs(score - mean!.score!) < 1e-9 && Math.abs(high - mean!.high!) < 1e-9, `${score}, ${high}`);
  }
});
