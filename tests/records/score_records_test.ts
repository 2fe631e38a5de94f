import { deepEqual, equal, throws } from "node:assert/strict";
import { FAILURE_KINDS } from "@/lib/models/mod.ts";
import { checkScored } from "@/lib/jupyter/open_runs.ts";
import { type RunRecord, scoreRecords } from "@/lib/records/mod.ts";
import { summarise } from "@/lib/statistics/mod.ts";

function record(text: string, changes: Partial<RunRecord> = {}): RunRecord {
  const reply = { kind: "answer", text, finishReason: "stop", latencyMs: 1, attempts: 1 };
  const base = { task: "vt", length: 4096, references: ["12345", "67890"], scoring: "all", reply };
  return { ...base, ...changes } as unknown as RunRecord;
}

Deno.test("scoreRecords() scores by all references or by any, as the record says", () => {
  const [all, any] = scoreRecords([record("it is 12345"), record("it is 12345", { scoring: "any" })]);
  deepEqual([all?.value, any?.value], [0.5, 1]);
  equal(all?.score?.why, "found 1 of 2: 12345; missing: 67890");
});

Deno.test("scoreRecords() has beside it a score that a reply listing everything cannot win", () => {
  const [scored] = scoreRecords([record("12345 67890 11111 22222")]);
  equal(scored?.value, 1);
  // Two of four found of two wanted: F1 = 2 * 2 / (4 + 2).
  equal(scored?.penalised?.value, 4 / 6);
});

Deno.test("scoreRecords() tells replies that cannot be read from empty ones", () => {
  for (const scoring of ["values in order", "stars"] as const) {
    const [words, empty] = scoreRecords([record("I do not know.", { scoring }), record(" ", { scoring })]);
    deepEqual([words?.value, words?.unparsable, words?.noAnswer], [0, true, false]);
    deepEqual([empty?.value, empty?.unparsable, empty?.noAnswer], [0, false, true]);
  }
});

Deno.test("scoreRecords() has no score for a failed call, and a score of 0 for an empty answer", () => {
  const failure = { kind: "failure", failure: "timeout", message: "", latencyMs: 1, attempts: 1 } as const;
  const [failed, empty] = scoreRecords([record("", { reply: failure }), record(" \n")]);
  deepEqual([failed?.value, failed?.failed, failed?.noAnswer, failed?.score], [null, true, false, null]);
  deepEqual([empty?.value, empty?.failed, empty?.noAnswer], [0, false, true]);
});

Deno.test.each(["", "12345", "12345 67890"])(
  "scoreRecords() has no score for a reply that a content filter stopped, as nobody knows how %j would go on",
  (text) => {
    const reply = { kind: "answer", text, finishReason: "content_filter", latencyMs: 1, attempts: 1 } as const;
    const replies = scoreRecords([record("", { reply }), record("12345 67890")]);
    const [filtered] = replies;
    deepEqual([filtered?.value, filtered?.failed, filtered?.noAnswer], [null, false, false]);
    equal(filtered?.score?.why, "the provider's content filter stopped the reply");
    const [row] = summarise(replies);
    deepEqual([row?.n, row?.score, row?.unscored], [1, 100, 1]);
    // Neither has it the class of a reply that cannot be read, nor a score of the whole beside that of a base model's first answer.
    const base = { api: "completions", template: "base" };
    const [values] = scoreRecords([record("", { reply, scoring: "values in order", settings: base })]);
    deepEqual([values?.unparsable, values?.whole, values?.penalised], [false, undefined, null]);
  },
);

Deno.test.each([
  ["its own", { cluster: "a", suite: "ruler-2", sample: "ruler-2/vt" }, "a"],
  ["none for a text of its own", { suite: "ruler-2", sample: "ruler-2/vt" }, undefined],
  ["the context of several questions", { suite: "r-2", sample: "r-2/vt/questions=3" }, "context:r-2/vt/4096/42/1"],
  [
    "the text that a benchmark's earlier version shared",
    { suite: "cdme-3", sample: "cdme-3/cdme_en/language=en,edition=original,depths=2" },
    "text:cdme-3/en/original/42/2",
  ],
] as [string, Partial<RunRecord>, string | undefined][])(
  "scoreRecords() gives a cluster: %s",
  (_name, changes, wanted) => {
    equal(scoreRecords([record("12345", { seed: "42", index: 5, ...changes })])[0]!.cluster, wanted);
  },
);

Deno.test("scoreRecords() scores the first answer of a base model, with the whole reply beside it, and either if told so", () => {
  const text = ": 54321.\nWhat is the number? The number is: 12345.";
  const base = record(text, { references: ["12345"], settings: { api: "completions", template: "base" } });
  const chat = record(text, { references: ["12345"], settings: { api: "chat", template: "base" } });
  const [first, whole] = scoreRecords([base, chat]);
  deepEqual([first!.scored, first!.value, first!.whole?.value, first!.first?.endedBy], [
    "first",
    0,
    1,
    "a new question",
  ]);
  deepEqual([whole!.scored, whole!.value, whole!.whole], ["whole", 1, undefined]);
  deepEqual(
    [scoreRecords([base], { scored: "whole" })[0]!.value, scoreRecords([chat], { scored: "first" })[0]!.value],
    [1, 0],
  );
});

Deno.test("scoreRecords() counts a failed call as refused only if its prompt was too long", () => {
  const refused = FAILURE_KINDS.filter((failure) => {
    const reply = { kind: "failure", failure, message: "", latencyMs: 0, attempts: 1 };
    const [scored] = scoreRecords([record("", { reply } as Partial<RunRecord>)]);
    deepEqual([scored!.value, scored!.failed], [null, true]);
    return scored!.refused === true;
  });
  deepEqual(refused, ["context_length"]);
});

Deno.test("checkScored() takes whole, first and nothing, and refuses the rest", () => {
  deepEqual(["whole", "first", "", undefined].map(checkScored), ["whole", "first", undefined, undefined]);
  throws(() => checkScored("second"), {
    name: "RangeError",
    message: 'Cannot score the run as scored must be whole or first: current value is "second"',
  });
});
