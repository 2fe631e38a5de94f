import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { Reply } from "@/lib/models/mod.ts";
import { type RunRecord, scoreRecords } from "@/lib/records/mod.ts";
import { replyLines } from "@/lib/reports/close_up.ts";
import { type RecordedRun, withScores } from "@/lib/records/read_run.ts";
import { answerNotes, cutFinding, cutRows, cutTable, isAnswerCut, scoredPart } from "@/lib/records/reply_cuts.ts";

const BASE = { api: "completions", template: "base" };
const CHAT = { api: "chat", template: "base" };

function record(reply: string | Reply, changes: object = {}): RunRecord {
  const answer = typeof reply === "string" ? { kind: "answer", text: reply, finishReason: "stop" } : reply;
  const asked = {
    task: "niah",
    length: 1024,
    references: ["6156250"],
    scoring: "all",
    promptTokens: 896,
    settings: CHAT,
  };
  return { ...asked, reply: { latencyMs: 1, attempts: 1, ...answer }, ...changes } as unknown as RunRecord;
}

const cut = (text: string): Reply => ({ kind: "answer", text, finishReason: "length", latencyMs: 1, attempts: 1 });
const failed: Reply = { kind: "failure", failure: "timeout", message: "late", latencyMs: 1, attempts: 1 };
const filtered: Reply = { kind: "answer", text: "", finishReason: "content_filter", latencyMs: 1, attempts: 1 };

// A reply of Gemma 3 270M.
const RAMBLED =
  ": 6156250.\nThe special magic number for unkempt-guide mentioned in the provided text is: 6156250.\nThe sp";

Deno.test("cutRows() counts what was cut of a cell, and what was complete before its budget ended", () => {
  const replies = [cut(RAMBLED), cut(": 615"), cut("The number is 6156250"), failed, filtered, ": 6156250."];
  const [row] = cutRows(scoreRecords(replies.map((reply) => record(reply))));
  deepEqual(
    [row!.asked, row!.failed, row!.atBudget, row!.unfinished, row!.filtered, row!.wentOn],
    [6, 1, 3, 1, 1, 1],
  );
  equal(row!.score, 75);
  equal(row!.wholeScore, null);
});

Deno.test("cutRows() and cutTable() tell the kinds of failures of each cell, most first", () => {
  const tooLong: Reply = { ...failed, failure: "context_length", message: "maximum context length" };
  const replies = scoreRecords([
    ...[tooLong, failed, tooLong].map((reply) => record(reply, { length: 4096 })),
    ...["6156250", failed].map((reply) => record(reply)),
  ]);
  deepEqual(cutRows(replies).map(({ length, failures }) => [length, failures]), [
    [1024, { timeout: 1 }],
    [4096, { "context_length": 2, timeout: 1 }],
  ]);
  const { text } = cutTable(replies, { model: "m", origin: "measured" })!;
  match(text, /4096 .*context length 2, timeout 1/);
});

Deno.test("cutRows() has the score of the whole reply beside that of the first answer of a base model", () => {
  const late = ": 1111111.\nWhat is the number? The number is: 6156250.";
  const [row] = cutRows(scoreRecords([late, RAMBLED].map((text) => record(text, { settings: BASE }))));
  deepEqual([row!.score, row!.wholeScore, row!.wentOn], [50, 100, 2]);
  ok(row!.restShare > 80 && row!.restShare < 100);
});

Deno.test("cutRows() adds up over cells to what all replies together have", () => {
  const replies = scoreRecords(
    ["vt", "cwe"].flatMap((task) => [1024, 2048].map((length) => record(cut(": 61"), { task, length }))),
  );
  deepEqual(cutRows(replies).map(({ task, length, unfinished }) => [task, length, unfinished]), [
    ["vt", 1024, 1],
    ["vt", 2048, 1],
    ["cwe", 1024, 1],
    ["cwe", 2048, 1],
  ]);
});

Deno.test("cutFinding() says in one line what was cut and what to do, and nothing where nothing was", () => {
  equal(cutFinding(scoreRecords([record("6156250"), record(RAMBLED)])), null);
  equal(cutFinding([]), null);
  equal(
    cutFinding(scoreRecords([record(cut(": 61")), record(cut(RAMBLED)), record(failed)])),
    "1 of 3 calls failed (run the same line again); the output budget ended 2 of 3 replies, 1 of them before an answer was complete (--max-tokens raises it).",
  );
  match(cutFinding(scoreRecords([record(RAMBLED, { settings: BASE })]))!, /^1 of 1 reply went on after the answer/);
  const half = [0, 1].map((index) => record({ ...cut("6156250"), promptTokens: 512 } as Reply, { index }));
  match(cutFinding(scoreRecords(half))!, /^The server cut 2 of 2 prompts \(give it a larger window/);
});

Deno.test("answers that stand after what is scored are counted, and a note warns of them", () => {
  const late = "The nodes are to be followed one by one.\n\nFinal Answer: [e2f38cfd5e, 0a91bc77d2]";
  const nodes = { references: ["e2f38cfd5e", "0a91bc77d2"], settings: BASE };
  const replies = scoreRecords([
    record(late, nodes),
    record("[e2f38cfd5e, 0a91bc77d2]\n\nQuestion: What else?", nodes),
    record("Nothing.\n\nNothing.", nodes),
    record(late, { ...nodes, settings: CHAT }),
  ]);
  deepEqual(replies.map(({ value }) => value), [0, 1, 0, 1]);
  deepEqual(replies.map(isAnswerCut), [true, false, false, false]);
  deepEqual(cutRows(replies).map(({ answerCut }) => answerCut), [1]);
  match(cutFinding(replies)!, /1 of 4 replies score far more as a whole/);
  match(cutTable(replies, { model: "m", origin: "measured" })!.text, /Answer cut\?/);
  const run = { manifest: { name: "a" }, records: [], notes: ["a note"], benchmarks: [] } as unknown as RecordedRun;
  deepEqual(withScores(run, replies).notes.length, 2);
  match(withScores(run, replies).notes[1]!, /^Warning: 1 of 4 replies .* compare with --scored whole$/);
  deepEqual(withScores(run, replies.slice(1, 3)).notes, ["a note"]);
  match(replyLines(replies[0]!).map(({ what, text }) => `${what}: ${text}`).join("\n"), /Warning: the answer may be/);
  ok(replyLines(replies[1]!).every(({ what }) => what !== "Warning"));
});

Deno.test("scoredPart() names the variant of scoring", () => {
  const [base, chat] = scoreRecords([record("1", { settings: BASE }), record("1")]);
  deepEqual([scoredPart([base!]), scoredPart([chat!]), scoredPart([base!, chat!])], ["first", "whole", null]);
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

Deno.test("answerNotes() warns of repeated prompts, marks of thinking and replies that ended in their thinking", () => {
  const answer = (text: string, facts: object = {}): RunRecord =>
    record({ kind: "answer", text, finishReason: "stop", latencyMs: 1, attempts: 1, ...facts });
  const replies = [
    answer("17"),
    answer(" 17", { repeatsPrompt: true }),
    answer("<plan>Look</plan>17"),
    answer("", { thinking: "Look" }),
    answer("", { thinking: "Loo" }),
    answer("", { finishReason: "tool_call" }),
  ];
  const notes = answerNotes(scoreRecords(replies));
  deepEqual(notes.map((note) => note.replace(/ of 6 .*?replies /, " ")), [
    "Warning: 1 repeat the prompt before the answer; only what follows the prompt is scored",
    "Warning: 1 have marks as of thinking in the scored text; --thinking-marks takes the thinking of a model out by its own marks",
    "Warning: 2 were cut off in their thinking, before an answer; --thinking-tokens gives more room",
    "Warning: 1 ended in the call of a tool, which no request offers; their text is scored",
  ]);
  deepEqual(answerNotes(scoreRecords([answer("17")])), []);
});

Deno.test("withScores() notes what may be no answer, whichever part is scored", () => {
  const run = { notes: ["one"], manifest: {}, records: [] } as unknown as RecordedRun;
  const marked = { kind: "answer", text: "</think> 17", finishReason: "stop", latencyMs: 1, attempts: 1 } as const;
  for (const settings of [BASE, CHAT]) {
    const { notes } = withScores(run, scoreRecords([record(marked, { settings })]));
    equal(notes.length, 2);
  }
});
