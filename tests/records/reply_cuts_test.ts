import { deepEqual, equal, match } from "node:assert/strict";
import { BASE, CHAT, record } from "./_replies.ts";
import {
  answerNotes,
  isAnswerCut,
  type RecordedRun,
  type RunRecord,
  scoredPart,
  scoreRecords,
  withScores,
} from "@/lib/records/mod.ts";

Deno.test("withScores() notes answers that come after what is scored", () => {
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
  const run = { manifest: { name: "a" }, records: [], notes: ["a note"], benchmarks: [] } as unknown as RecordedRun;
  deepEqual(withScores(run, replies).notes.length, 2);
  match(withScores(run, replies).notes[1]!, /^Warning: 1 of 4 replies .* compare with --scored whole$/);
  deepEqual(withScores(run, replies.slice(1, 3)).notes, ["a note"]);
});

Deno.test("scoredPart() names the variant of scoring", () => {
  const [base, chat] = scoreRecords([record("1", { settings: BASE }), record("1")]);
  deepEqual([scoredPart([base!]), scoredPart([chat!]), scoredPart([base!, chat!])], ["first", "whole", null]);
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
    "Warning: 1 have marks as of thinking in the scored text; marks of such a form are not known, so what they enclose is scored",
    "Warning: 2 were cut off in their thinking, before an answer; --thinking-tokens gives more room",
    "Warning: 1 ended in the call of a tool, which no request offers; their text is scored",
  ]);
  // Tags around a whole reply are the form that its task asks for.
  const plain = ["17", "<Route>\n17\n</Route>", "<answer>17</answer>", " <json:list>[1]</json:list>\n"];
  deepEqual(answerNotes(scoreRecords(plain.map((text) => answer(text)))), []);
});

Deno.test("withScores() notes what may be no answer, whichever part is scored", () => {
  const run = { notes: ["one"], manifest: {}, records: [] } as unknown as RecordedRun;
  const marked = { kind: "answer", text: "</think> 17", finishReason: "stop", latencyMs: 1, attempts: 1 } as const;
  for (const settings of [BASE, CHAT]) {
    const { notes } = withScores(run, scoreRecords([record(marked, { settings })]));
    equal(notes.length, 2);
  }
});
