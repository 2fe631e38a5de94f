import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { findLoop } from "@/lib/statistics/failures/classify_failure.ts";

Deno.test.each([
  ["a word", "the the the the the", { unit: "the", rounds: 5 }],
  ["a word with marks", "**No.** No, no! no", { unit: "no", rounds: 4 }],
  ["a numbered word", "1. the 2. the 3. the 4. the", { unit: "the", rounds: 4 }],
  ["a row of words", "a b c a b c a b c a b c a b", { unit: "c a b", rounds: 4 }],
  ["a row that begins late", "well, I say: x y x y x y x y", { unit: "x y", rounds: 4 }],
  ["text without spaces", "我不知道。".repeat(10), { unit: "我不知道。", rounds: 10 }],
  ["digits", "0".repeat(60), { unit: "0", rounds: 60 }],
  ["three rounds", "the the the", null],
  ["a list of numbers", "1234567, 2345678, 3456789, 4567890, 5678901", null],
  ["a loop that is the lesser part", `${"one two three four five six seven eight nine ten eleven"} no no no no`, null],
  ["a short word", "hahahaha", null],
  ["nothing", "", null],
] as [string, string, { unit: string; rounds: number } | null][])("findLoop() on %s", (_name, text, loop) => {
  deepEqual(findLoop(text, 4), loop);
});

Deno.test("findLoop() finds every unit said as often as asked for, and none said less often", () => {
  const units = fc.uniqueArray(fc.stringMatching(/^[a-z]{2,8}$/), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(units, fc.integer({ min: 3, max: 9 }), (unit, rounds) => {
    const text = Array(rounds).fill(unit.join(" ")).join(" ");
    equal(findLoop(text, rounds)?.rounds, rounds);
    equal(findLoop(text, rounds + 1), null);
  }));
});
