import { deepEqual, equal, throws } from "node:assert/strict";
import {
  highestFinding,
  independent,
  leaderboard,
  meanInterval,
  modelTaskScores,
  type ScoredRecord,
} from "@/lib/statistics/mod.ts";

function records(task: string, values: readonly (number | null)[], length = 4096): ScoredRecord[] {
  return values.map((value) => ({ task, length, value, failed: value === null, noAnswer: false }));
}

Deno.test("leaderboard() ranks by the mean of task means, with the interval of the scores", () => {
  const rows = leaderboard([
    { name: "low", records: records("vt", [1, 0, 0, 0]) },
    { name: "high", records: [...records("vt", [1, 1, 1, null]), ...records("cwe", [0], 8192)] },
  ]);
  deepEqual(rows.map(({ name, n, score }) => [name, n, score]), [["high", 4, 50], ["low", 4, 25]]);
  deepEqual(rows[0]!.lengths.map(({ length, score }) => [length, score]), [[4096, 100], [8192, 0]]);
  equal(rows[1]!.low, 100 * meanInterval(independent([1, 0, 0, 0])).low);
});

Deno.test("leaderboard() refuses a model without a score", () => {
  throws(() => leaderboard([{ name: "none", records: records("vt", [null]) }]), { name: "RangeError" });
});

Deno.test("modelTaskScores() averages the samples of a task over its lengths, and leaves out what has no score", () => {
  const [first, ...rest] = modelTaskScores([
    { name: "a", records: [...records("vt", [1, 0]), ...records("vt", [1, 1], 8192), ...records("cwe", [null])] },
    { name: "b", records: records("vt", [0, null]) },
  ]);
  const { low, high } = meanInterval(independent([1, 0, 1, 1]));
  deepEqual(first, { model: "a", task: "vt", n: 4, score: 75, low: 100 * low, high: 100 * high });
  deepEqual(rest.map(({ model, score, n }) => [model, score, n]), [["b", 0, 1]]);
});

Deno.test("modelTaskScores() counts a sample once however often it was asked", () => {
  const of = (repeat: number, value: number): ScoredRecord => ({
    ...{ task: "vt", length: 4096, value, failed: false, noAnswer: false },
    record: { index: 0, seed: "1", repeat },
  });
  deepEqual(
    modelTaskScores([{ name: "a", records: [of(0, 1), of(1, 0)] }]).map(({ score, n }) => [score, n]),
    [[50, 1]],
  );
});

Deno.test("highestFinding() names the highest mean, or those whose intervals leave it open", () => {
  const of = (name: string, score: number) => ({ name, score, low: score - 5, high: score + 5 });
  equal(highestFinding([of("a", 80), of("b", 60)], "mean"), "a has the highest mean, 80.0");
  equal(
    highestFinding([of("a", 80), of("b", 79), of("c", 78), of("d", 60)], "mean"),
    "The intervals leave open which of a, b and c has the highest mean",
  );
});
