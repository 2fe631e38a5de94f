import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import type { RunRecord } from "@/lib/models/mod.ts";
import { replyTimes } from "@/lib/statistics/mod.ts";

function record(length: number, latencyMs: number, rest: Partial<RunRecord["reply"]> = {}): RunRecord {
  return { length, reply: { kind: "answer", latencyMs, attempts: 1, ...rest } } as RunRecord;
}

Deno.test("replyTimes() gives the median and the 95% quantile of each length, the shortest first", () => {
  // Of 1 to 21 the eleventh is the middle, and 20 is the first that 95% do not exceed.
  const times = Array.from({ length: 21 }, (_, index) => record(8192, 21 - index));
  deepEqual(replyTimes([...times, record(4096, 7, { attempts: 3 })]), [
    { length: 4096, n: 1, medianMs: 7, p95Ms: 7, resent: 1 },
    { length: 8192, n: 21, medianMs: 11, p95Ms: 20, resent: 0 },
  ]);
});

Deno.test("replyTimes() leaves out failed calls, and answers that took no time", () => {
  deepEqual(replyTimes([record(4096, 9, { kind: "failure" }), record(4096, 0)]), []);
  deepEqual(replyTimes([]), []);
});

Deno.test("replyTimes() does not depend on the order of the records", () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1 }), (times) => {
    const rows = replyTimes(times.map((time) => record(512, time)));
    deepEqual(replyTimes(times.toReversed().map((time) => record(512, time))), rows);
    equal(rows[0]!.medianMs <= rows[0]!.p95Ms, true);
  }));
});
