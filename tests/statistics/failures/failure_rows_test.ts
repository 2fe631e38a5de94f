import { deepEqual, equal } from "node:assert/strict";
import { type ExplainedReply, type FailureClass, failureFinding, failureRows } from "@/lib/statistics/failures/mod.ts";

function reply(value: number | null, ...ways: FailureClass[]): ExplainedReply {
  const modes = ways.map((way) => ({ class: way, why: "so it is", evidence: [] }));
  return Object.freeze({ task: "vt", length: 4096, value, failed: ways[0] === "failed call", modes });
}

const REPLIES: readonly ExplainedReply[] = Object.freeze([
  reply(1),
  reply(1),
  reply(0.4, "distractor", "incomplete answer"),
  reply(0.6, "incomplete answer"),
  reply(0, "empty"),
  reply(null, "failed call"),
  reply(null),
  reply(0),
]);

Deno.test("failureRows() counts a failure once by its primary class", () => {
  const [row] = failureRows(REPLIES);
  deepEqual([row?.n, row?.failures, row?.unexplained], [7, 5, 1]);
  deepEqual(row?.classes.map(({ class: way, count }) => [way, count]), [
    ["failed call", 1],
    ["empty", 1],
    ["distractor", 1],
    ["incomplete answer", 1],
  ]);
  const sum = row!.classes.reduce((total, { count }) => total + count, 0);
  equal(sum, row!.failures - row!.unexplained);
});

Deno.test("failureRows() gives a row for each task and length, without failures too", () => {
  const others = [
    { ...reply(1), length: 8192 },
    { ...reply(1), task: "cwe" },
    { ...reply(0, "loop"), task: "cwe", length: 1024 },
  ];
  const rows = failureRows([...REPLIES, ...others]);
  deepEqual(rows.map(({ task, length, failures }) => [task, length, failures]), [
    ["vt", 4096, 5],
    ["vt", 8192, 0],
    ["cwe", 1024, 1],
    ["cwe", 4096, 0],
  ]);
  deepEqual(rows[1]?.classes, []);
  deepEqual(failureRows([]), []);
});

Deno.test("failureRows() does not depend on the order of the replies", () => {
  deepEqual(failureRows(REPLIES.toReversed()), failureRows(REPLIES));
});

Deno.test("failureFinding() names the two most common classes that are primary", () => {
  equal(
    failureFinding(failureRows([...REPLIES, reply(0, "empty")])),
    "6 of 8 replies failed wholly or in part, most often by empty (2) and failed call (1)",
  );
  equal(
    failureFinding(failureRows([reply(0.4, "distractor", "incomplete answer"), reply(1)])),
    "1 of 2 replies failed wholly or in part, most of them by distractor (1)",
  );
  equal(failureFinding(failureRows([reply(1)])), "The only reply did not fail");
  equal(failureFinding(failureRows([reply(0)])), "1 of 1 reply failed wholly or in part");
});
