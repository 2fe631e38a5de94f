import { equal } from "node:assert/strict";
import { knobInId } from "@/lib/generators/mod.ts";

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
