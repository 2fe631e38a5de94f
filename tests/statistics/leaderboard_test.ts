import { deepEqual, equal, throws } from "node:assert/strict";
import { leaderboard, meanInterval, type ScoredRecord } from "@/lib/statistics/mod.ts";

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
  equal(rows[1]!.low, 100 * meanInterval([1, 0, 0, 0]).low);
});

Deno.test("leaderboard() refuses a model without a score", () => {
  throws(() => leaderboard([{ name: "none", records: records("vt", [null]) }]), { name: "RangeError" });
});
