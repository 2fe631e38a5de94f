import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { editMatch, keywordMatch } from "@/lib/scorers/mod.ts";

const NEEDLE = "\n小明最喜欢的实习的地点就是上海人工智能实验室。\n";

// open-compass/opencompass e975a96f, CDMEEvaluator: edits, length of the longer, score in percent.
Deno.test.each(
  [
    ["the needle itself", "小明最喜欢的实习的地点就是上海人工智能实验室。", 0, 23, "100.0000"],
    ["the form asked for", "小明最喜欢的实习地点就是上海人工智能实验室。", 1, 23, "95.6522"],
    ["without the full stop", "小明最喜欢的实习地点就是上海人工智能实验室", 2, 23, "91.3043"],
    ["in quotation marks", "“小明最喜欢的实习地点就是上海人工智能实验室。”", 3, 24, "87.5000"],
    ["the place alone", "上海人工智能实验室", 14, 23, "39.1304"],
    ["after an opening", "根据文档，小明最喜欢的实习地点就是上海人工智能实验室。", 6, 27, "77.7778"],
    ["nothing", "", 23, 23, "0.0000"],
    ["white space alone", " \n\t\u3000", 23, 23, "0.0000"],
  ] as [string, string, number, number, string][],
)("editMatch() gives OpenCompass's score of %s", (_name, reply, distance, longer, percent) => {
  const score = editMatch(reply, NEEDLE);
  equal(score.distance, distance);
  equal(score.longer, longer);
  equal((100 * score.value!).toFixed(4), percent);
});

Deno.test("editMatch() says no answer, and gives two empty texts full marks", () => {
  equal(editMatch(" ", NEEDLE).why, "no answer");
  equal(editMatch("", " \n").value, 1);
  equal(editMatch("是", "").value, 0);
});

Deno.test("editMatch() counts code points, so that a rare character is one edit of one character", () => {
  // U+20BB7 and U+1F9E6 take two UTF-16 units each: 1 edit of 3 characters, and 3 of 3.
  equal(editMatch("𠮷野家", "吉野家").value, 1 - 1 / 3);
  equal(editMatch("𠮷野家", "吉野家").longer, 3);
  equal(editMatch("🧦🧦🧦", "𠮷野家").value, 0);
  equal(editMatch("🧦a🧦", "🧦b🧦").distance, 1);
});

Deno.test("editMatch() takes out Python's white space, and leaves U+FEFF in", () => {
  equal(editMatch("北\u3000京\x1c\x85\u2003", "北京").value, 1);
  equal(editMatch("北\ufeff京", "北京").distance, 1);
});

Deno.test.each(
  [
    // floor(0.8 × 23) = 18 and floor(1.2 × 23) = 27: cut after the first full stop from the 19th character on.
    ["what follows the sentence", "小明最喜欢的实习地点就是上海人工智能实验室。文档里还说了许多别的事情。", "95.6522"],
    ["what follows the longest cut", `小明最喜欢的实习地点就是上海人工智能实验室${"很".repeat(200)}`, "74.0741"],
    ["nothing of a short reply", "上海人工智能实验室。", "43.4783"],
    ["nothing of an empty reply", "", "0.0000"],
  ] as [string, string, string][],
)("editMatch() with trim cuts %s", (_name, reply, percent) => {
  equal((100 * editMatch(reply, NEEDLE, { trim: true }).value!).toFixed(4), percent);
});

Deno.test("editMatch() is the textbook's edit distance, symmetric and in [0, 1]", () => {
  const text = fc.string({ unit: fc.constantFrom("的", "是", "a", "🧦", "。", " ", "𠮷"), maxLength: 40 });
  fc.assert(fc.property(text, text, (left, right) => {
    const score = editMatch(left, right);
    equal(
      score.distance,
      textbookDistance(Array.from(left.replaceAll(" ", "")), Array.from(right.replaceAll(" ", ""))),
    );
    equal(score.value, editMatch(right, left).value);
    ok(score.value! >= 0 && score.value! <= 1);
    equal(editMatch(left, left).value, 1);
  }));
});

/** The table of Wagner and Fischer (1974), row by row. */
function textbookDistance(left: readonly string[], right: readonly string[]): number {
  let row = right.map((_, at) => at + 1);
  row.unshift(0);
  left.forEach((character, at) => {
    const next = [at + 1];
    right.forEach((other, column) => {
      const replaced = row[column]! + (character === other ? 0 : 1);
      next.push(Math.min(replaced, row[column + 1]! + 1, next[column]! + 1));
    });
    row = next;
  });
  return row.at(-1)!;
}

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

Deno.test("keywordMatch() is 1 with the keyword and a fifth of the edits' score without, of any reply", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(..."制作的人叫Jack杰克 "), maxLength: 40 }), (reply) => {
    const score = keywordMatch(reply, COT3);
    equal(score.value, score.found ? 1 : 0.2 * editMatch(reply, COT3.answer).value!);
    ok(score.found === score.answer.includes("Jack"));
  }));
});

Deno.test.each(
  [
    // Of nine characters: at least floor(7.2) = 7 are kept, at most floor(10.8) = 10.
    ["up to an end at the eighth character", "1234567xyz", "1234567x"],
    ["what follows an end at the seventh character", "123456xyz", "123456xyz"],
    ["up to the second end where the first is too early", "123456x8xy", "123456x8x"],
    ["at most ten characters", "abcdefghijkl", "abcdefghij"],
    ["characters other than white space", "1 2 3 4 5 6 7 x y", "1234567x"],
  ] as const,
)("editMatch() with trim to a reference of nine characters keeps %s", (_name, reply, kept) => {
  equal(editMatch(reply, "12345678x", { trim: true }).answer, kept);
});
