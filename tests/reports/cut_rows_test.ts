import { deepEqual, equal, match, ok } from "node:assert/strict";
import { scoreRecords } from "@/lib/records/mod.ts";
import { replyLines } from "@/lib/reports/close_up.ts";
import { cutFinding, cutRows, cutTable } from "@/lib/reports/cut_table.ts";
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

Deno.test("cutRows() and cutTable() tell the kinds of failures of each cell, most first", () => {
  const tooLong = { ...FAILED, failure: "context_length", message: "maximum context length" } as Reply;
  const replies = scoreRecords([
    ...[tooLong, FAILED, tooLong].map((reply) => record(reply, { length: 4096 })),
    ...["6156250", FAILED].map((reply) => record(reply)),
  ]);
  deepEqual(cutRows(replies).map(({ length, failures }) => [length, failures]), [
    [1024, { timeout: 1 }],
    [4096, { "context_length": 2, timeout: 1 }],
  ]);
  const { text } = cutTable(replies, { model: "m", origin: "measured" })!;
  match(text, /4096 .*context length 2, timeout 1/);
});

Deno.test("cutRows() has the score of the whole reply beside that of the first answer of a base model", () => {
  const [row] = cutRows(scoreRecords([LATE, RAMBLED].map((text) => record(text, { settings: BASE }))));
  deepEqual([row!.score, row!.wholeScore, row!.wentOn], [50, 100, 2]);
  ok(row!.restShare > 80 && row!.restShare < 100);
});

Deno.test("cutFinding() says in one line what was cut and what to do, and nothing where nothing was", () => {
  equal(cutFinding(scoreRecords([record("6156250"), record(RAMBLED)])), null);
  equal(cutFinding([]), null);
  equal(
    cutFinding(scoreRecords([record(cut(": 61")), record(cut(RAMBLED)), record(FAILED)])),
    "1 of 3 calls failed (run the same line again); the output budget ended 2 of 3 replies, 1 of them before an answer was complete (--max-tokens raises it).",
  );
  match(cutFinding(scoreRecords([record(RAMBLED, { settings: BASE })]))!, /^1 of 1 reply went on after the answer/);
  const half = [0, 1].map((index) => record({ ...cut("6156250"), promptTokens: 512 } as Reply, { index }));
  match(cutFinding(scoreRecords(half))!, /^The server cut 2 of 2 prompts \(give it a larger window/);
});

Deno.test("cutTable() lists the cells that lost something, and is nothing where none did", () => {
  const options = { model: "m", origin: "measured" } as const;
  equal(cutTable(scoreRecords([record("6156250"), record(RAMBLED)]), options), null);
  const replies = scoreRecords([record(cut(": 61"), { task: "vt" }), record("6156250")]);
  const { text, caption } = cutTable(replies, options)!;
  equal(caption, `${cutFinding(replies)} A cell that is not listed lost nothing.`);
  match(text, /vt +1024 +1 +0\.0 +1 +1/);
  ok(!text.includes("niah") && !text.includes("Filtered"));
});

Deno.test("an answer after the scored part is counted, and its close-up warns of it", () => {
  const replies = scoreRecords([LATE, ": 6156250.\n\nNothing."].map((text) => record(text, { settings: BASE })));
  deepEqual(cutRows(replies).map(({ answerCut }) => answerCut), [1]);
  match(cutFinding(replies)!, /1 of 2 replies score far more as a whole/);
  match(cutTable(replies, { model: "m", origin: "measured" })!.text, /Answer cut\?/);
  const warned = replies.map((reply) => replyLines(reply).some(({ what }) => what === "Warning"));
  deepEqual(warned, [true, false]);
});
