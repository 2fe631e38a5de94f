import { deepEqual, equal } from "node:assert/strict";
import { type RunRecord, scoreRecords } from "@/lib/records/mod.ts";
import { servedModels } from "@/lib/records/score_records.ts";
import { replyOutcomes } from "@/lib/reports/run_overview.ts";

/** Records of answers to the model `m`, by the names of the models that gave them. */
function answersOf(names: readonly (string | undefined)[], asked = "m"): RunRecord[] {
  return names.map((servedModel, index) => {
    const reply = { kind: "answer", text: "A", finishReason: "stop", latencyMs: 9, attempts: 1, servedModel };
    const about = { task: "vt", length: 1024, index, sample: `vt/${index}`, references: ["A"], scoring: "all" };
    return { ...about, promptTokens: 900, origin: "measured", model: asked, settings: { model: asked }, reply };
  }) as unknown as RunRecord[];
}

Deno.test.each([
  ["the asked one", ["m", "m"], []],
  ["no name", [undefined, undefined], []],
  ["the asked one with its provider", ["lab/M", "m:latest"], []],
  ["a simulated reader", ["sim:ideal"], []],
  ["another one", ["m-8b", "m-8b"], ["the server answered as m-8b, and not as m"]],
  ["the asked one and another", ["m-8b", "m-8b", "m"], [
    "2 of 3 answers are of another model, m-8b: they are in no score, as those of m are",
  ]],
  ["two others", ["b", "a", "a", undefined], [
    "the server answered as a, and not as m",
    "1 of 3 answers are of another model, b: they are in no score, as those of a are",
  ]],
] as [string, (string | undefined)[], string[]][])(
  "a reader is shown which models answered: %s",
  (_name, names, notes) => {
    deepEqual(servedModels(answersOf(names)).notes, notes);
  },
);

Deno.test("scoreRecords() takes no mean over two models", () => {
  const replies = scoreRecords(answersOf(["m", "m-8b", undefined]));
  deepEqual(replies.map(({ value, otherModel }) => [value, otherModel]), [[1, undefined], [null, "m-8b"], [
    1,
    undefined,
  ]]);
  deepEqual(replies[1]?.score?.why, "another model answered: m-8b");
  const outcomes = replyOutcomes(replies).filter(({ count }) => count > 0);
  deepEqual(outcomes.map(({ outcome, count }) => [outcome, count]), [["answered", 3], [
    "answered by another model",
    1,
  ]]);
  equal(servedModels([]).notes.length, 0);
});
