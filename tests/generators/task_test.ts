import { deepEqual, equal } from "node:assert/strict";
import { knobInId, PLAIN_TEMPLATE, templateWords } from "@/lib/generators/mod.ts";

const ID = "ruler-2/niah/keys=4,depth=0.5,haystack=essay/essays_en/cl100k_base/base/4096/seed=9/17";

Deno.test.each(
  [
    ["keys", "4"],
    ["depth", "0.5"],
    ["haystack", "essay"],
    ["key", undefined],
    ["stack", undefined],
    ["hay", undefined],
    ["values", undefined],
  ] as [string, string | undefined][],
)("knobInId() reads the knob %s in whole words", (knob, value) => {
  equal(knobInId(ID, knob), value);
});

Deno.test("templateWords() has all words around a prompt, each apart from the next", () => {
  deepEqual(templateWords({ ...PLAIN_TEMPLATE, before: "one", after: "two", system: "three" }).split(" ").toSorted(), [
    ...["one", "three", "two"],
  ]);
  equal(templateWords(PLAIN_TEMPLATE).trim(), "");
});
