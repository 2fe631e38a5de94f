import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { editMatch, keywordMatch } from "@/lib/scorers/mod.ts";

const COT3 = { answer: "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫Jack", keyword: "Jack" };

Deno.test.each(
  [
    ["the answer", "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫Jack", true, "100.0000", "100.0000"],
    // 26 characters wanted, 22 of them right: 4 edits; a fifth of 84.6154.
    ["another script", "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫杰克", false, "84.6154", "16.9231"],
    ["the keyword alone", "Jack", true, "15.3846", "100.0000"],
    ["the keyword with a space in it", "Ja ck", true, "15.3846", "100.0000"],
    ["the keyword in other words", "It was certainly not Jackson.", true, "0.0000", "100.0000"],
    ["another case", "jack", false, "11.5385", "2.3077"],
    ["nothing", "", false, "0.0000", "0.0000"],
  ] as [string, string, boolean, string, string][],
)("keywordMatch() shows both scores of %s", (_name, reply, found, edits, percent) => {
  const score = keywordMatch(reply, COT3);
  equal(score.found, found);
  equal((100 * score.edits.value!).toFixed(4), edits);
  equal((100 * score.value!).toFixed(4), percent);
});

Deno.test("keywordMatch() finds a keyword of two words, which OpenCompass cannot", () => {
  equal(
    keywordMatch("It is truffle macaroni.", { answer: "The dish is truffle macaroni.", keyword: "truffle macaroni" })
      .value,
    1,
  );
});

Deno.test("keywordMatch() says what decided", () => {
  equal(keywordMatch("", COT3).why, "no answer");
  equal(keywordMatch("杰克", COT3).why, "keyword Jack missing; 26 edits, 26 characters");
});

Deno.test("keywordMatch() is 1 with the keyword and a fifth of the edits' score without, of any reply", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(..."制作的人叫Jack杰克 "), maxLength: 40 }), (reply) => {
    const score = keywordMatch(reply, COT3);
    equal(score.value, score.found ? 1 : 0.2 * editMatch(reply, COT3.answer).value!);
    ok(score.found === score.answer.includes("Jack"));
  }));
});
