import { type Benchmark, BENCHMARKS, findScorer } from "@/lib/benchmarks/mod.ts";
import type { RunRecord, ScoredReply } from "@/lib/models/mod.ts";

/**
 * Scores records by the references in them.
 *
 * Nothing is asked or made again, so that a recorded run can be scored anew at any time.
 *
 * @param records The records.
 * @param benchmarks Whose ways of scoring there are; the benchmarks that come with Fathom unless given.
 * @returns Each record with its scores, in the same order.
 * @throws {RangeError} If a record is to be scored in a way that is not known.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { RunRecord } from "@/lib/models/mod.ts";
 *
 * const reply = { kind: "answer", text: "It is 17.", finishReason: "stop", latencyMs: 9, attempts: 1 };
 * const record = { references: ["17"], scoring: "all", reply } as unknown as RunRecord;
 * equal(scoreRecords([record])[0]?.score?.value, 1);
 * ```
 */
export function scoreRecords(
  records: readonly RunRecord[],
  benchmarks: readonly Benchmark[] = BENCHMARKS,
): ScoredReply[] {
  return records.map((record) => {
    const { task, length, reply, scoring } = record;
    if (reply.kind === "failure") {
      return { record, task, length, value: null, failed: true, noAnswer: false, score: null, penalised: null };
    }
    const scores = findScorer(scoring, benchmarks).grade(reply.text, record);
    const { value, answer } = scores.score;
    return { record, task, length, value, failed: false, noAnswer: answer === "", ...scores };
  });
}
