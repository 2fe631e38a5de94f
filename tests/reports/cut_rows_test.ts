import { deepEqual, equal, ok } from "node:assert/strict";
import { scoreRecords } from "@/lib/records/mod.ts";
import { replyLines } from "@/lib/reports/close_up.ts";
import { cutRows } from "@/lib/reports/cut_rows.ts";
import { replyOutcomes } from "@/lib/reports/mod.ts";
import { BASE, cut, FAILED, FILTERED, LATE, RAMBLED, record } from "../records/_replies.ts";
import type { Reply } from "@/lib/models/mod.ts";

Deno.test("cutRows() counts what was cut of a cell, and what was complete before its budget ended", () => {
  const replies = [cut(RAMBLED), cut(": 615"), cut("The number is 6156250"), FAILED, FILTERED, ": 6156250."];
  const [row] = cutRows(scoreRecords(replies.map((reply) => record(reply))));
  deepEqual(
    [row!.asked, row!.failed, row!.atBudget, row!.unfinished, row!.filtered, row!.wentOn],
    [6, 1, 3, 1, 1, 1],
  );
  equal(row!.score, 75);
  equal(row!.wholeScore, null);
});

Deno.test("cutRows() counts the kinds of failures of each cell, most first", () => {
  const tooLong = { ...FAILED, failure: "context_length", message: "maximum context length" } as Reply;
  const replies = scoreRecords([
    ...[tooLong, FAILED, tooLong].map((reply) => record(reply, { length: 4096 })),
    ...["6156250", FAILED].map((reply) => record(reply)),
  ]);
  deepEqual(cutRows(replies).map(({ length, failures }) => [length, failures]), [
    [1024, { timeout: 1 }],
    [4096, { "context_length": 2, timeout: 1 }],
  ]);
});

Deno.test("cutRows() has the score of the whole reply beside that of the first answer of a base model", () => {
  const [row] = cutRows(scoreRecords([LATE, RAMBLED].map((text) => record(text, { settings: BASE }))));
  deepEqual([row!.score, row!.wholeScore, row!.wentOn], [50, 100, 2]);
  ok(row!.restShare > 80 && row!.restShare < 100);
});

Deno.test("an answer after the scored part is counted, and its close-up warns of it", () => {
  const replies = scoreRecords([LATE, ": 6156250.\n\nNothing."].map((text) => record(text, { settings: BASE })));
  deepEqual(cutRows(replies).map(({ answerCut }) => answerCut), [1]);
  equal(replyOutcomes(replies).find(({ outcome }) => outcome === "scores far more as a whole")?.count, 1);
  const warned = replies.map((reply) => replyLines(reply).some(({ what }) => what === "Warning"));
  deepEqual(warned, [true, false]);
});
