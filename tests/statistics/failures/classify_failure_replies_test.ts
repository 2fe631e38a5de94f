import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { classesOf } from "./_samples.ts";
import { readRealLines, testOnRealData } from "../../_real_data.ts";
import { pieceShare, slipShare } from "@/lib/statistics/failures/items.ts";
import { endOfWords, findListNumbers, trimMarks } from "@/lib/statistics/failures/attempt.ts";
import { classifyFailure, type FailureMode } from "@/lib/statistics/failures/mod.ts";
import { userPrompt } from "@/lib/generators/mod.ts";

/** What is wrong with a reply to a question whose answers the context tells; `any` of them will do, or `all` are wanted. */
function judge(text: string, answers: readonly string[], contains: "any" | "all" = "all"): FailureMode[] {
  const place = { role: "target", text: "", depth: 0.5, tokenOffset: 1 } as const;
  const sample = {
    prompt: userPrompt(`It is told here: ${answers.join(", ")}.\nWhat is it?`),
    promptTokens: 100,
    answerRoom: 300,
    references: answers,
    facts: answers.map((value, at) => ({ ...place, key: `key ${at}`, value })),
  };
  return classifyFailure(sample, {
    reply: { kind: "answer", text, finishReason: "stop" },
    value: 0,
    rule: { contains },
  });
}

Deno.test.each([
  ["i'm sorry, but i can't find the special magic number for calm-river."],
  ["unfortunately, the provided text does not contain the special magic number."],
  ["the text doesn't mention any special magic number for that key."],
  ["there is no mention of calm-river in the text."],
  ["no special magic number was found."],
  ["i do not have enough information to answer."],
  ["i was unable to locate it."],
  ["it is not possible to determine the answer from the documents."],
  ["the answer is not explicitly stated in the documents."],
  ["as an ai language model, i have no access to documents."],
  ["unknown"],
  ["n/a."],
  ["none"],
  ["the answer is unknown."],
  ["i can't help with that."],
  ["抱歉，文中没有提到这个数字。"],
  ["根据提供的文本，无法确定答案。"],
  ["对不起，我不能回答这个问题。"],
  ["文档中并未给出相关信息。"],
  ["我不知道。"],
  ["信息不足。"],
  ["很遗憾，文章里未提及。"],
  ["無法從文中得知。"],
])("classifyFailure() recognises a refusal: %s", (reply) => {
  deepEqual(classesOf(judge(reply, ["Marie Curie"], "any")), ["refusal"]);
});

Deno.test.each([
  ["the special magic number for calm-river is 1234567."],
  ["abcde fghij klmno"],
  ["1. apple 2. pear 3. not"],
  ["no country for old men"],
  ["gone with the wind"],
  ["答案是旧金山。"],
  ["在公园里吃三明治"],
])("classifyFailure() finds no refusal in: %s", (reply) => {
  ok(!classesOf(judge(reply, ["Marie Curie"], "any")).includes("refusal"));
});

Deno.test("classifyFailure() gives the first words that refuse", () => {
  deepEqual(judge("well, there is no answer. i cannot tell.", ["Marie Curie"], "any")[0]?.evidence, [{
    given: "no answer",
  }]);
});

Deno.test.each([
  ["a word", "the the the the the", { given: "the", times: 5 }],
  ["a word with marks", "**No,** No, no - no", { given: "no", times: 4 }],
  ["a numbered word", "1. the 2. the 3. the 4. the", { given: "the", times: 4 }],
  ["a row of words", "a b c a b c a b c a b c a b", { given: "c a b", times: 4 }],
  ["a row that begins late", "well, I say: x y x y x y x y", { given: "x y", times: 4 }],
  ["text without spaces", "我不知道，".repeat(10), { given: "我不知道，", times: 10 }],
  ["a sentence that is given again", "It was Pierre Curie. ".repeat(10), null],
  ["digits", "0".repeat(60), { given: "0", times: 60 }],
  ["three rounds that say nothing", "the the the", { given: "the", times: 3 }],
  ["three rounds of an answer", "x y x y x y", null],
  ["a list of numbers", "1234567, 2345678, 3456789, 4567890, 5678901", null],
  ["a loop that is the lesser part", `${"one two three four five six seven eight nine ten eleven"} no no no no`, null],
  ["a short word", "hahahaha", null],
  ["nothing", "", null],
] as [string, string, { given: string; times: number } | null][])(
  "classifyFailure() on a loop: %s",
  (_name, text, loop) => {
    const found = judge(text, ["Marie Curie"], "any").find((mode) => mode.class === "loop");
    deepEqual(found?.evidence[0] ?? null, loop);
  },
);

Deno.test("classifyFailure() finds every unit repeated at least four times", () => {
  const units = fc.uniqueArray(fc.stringMatching(/^[a-z]{2,8}$/), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(units, fc.integer({ min: 3, max: 9 }), (unit, rounds) => {
    const [mode] = judge(Array(rounds).fill(unit.join(" ")).join(" "), ["Marie Curie"], "any");
    const isLoop = rounds > 3;
    equal(mode?.class === "loop", isLoop);
    if (isLoop) equal(mode?.evidence[0]?.times, rounds);
  }));
});

const UUID = "0c4f0d52-2a1b-4c3d-8e9f-a1b2c3d4e5f6";

Deno.test.each([
  ["half of a number", "1234", "1234567", 4 / 7],
  ["its first two digits", "12", "1234567", 2 / 7],
  ["its first digit", "1", "1234567", null],
  ["its last four digits", "4567", "1234567", 4 / 7],
  ["its last two digits", "67", "1234567", null],
  ["a group of a UUID", UUID.slice(0, 8), UUID, null],
  ["two groups of it", UUID.slice(0, 13), UUID, 13 / 36],
  ["all of it", UUID, UUID, null],
  ["a wrong last digit", "1234568", "1234567", 6 / 7],
  ["two wrong last digits", "1234588", "1234567", null],
  ["a wrong first digit", "9234567", "1234567", 6 / 7],
  ["another number", "7654321", "1234567", null],
  ["half of a pair", "calm", "calm-river", 0.4],
] as [string, string, string, number | null][])("pieceShare() of %s", (_name, text, answer, share) => {
  equal(pieceShare(text, answer), share);
});

Deno.test.each([
  ["a thousands separator", "It is 1,234,567.", "1234567", true],
  ["spaces", "1 234 567", "1234567", true],
  ["full-width digits", "１２３４５６７", "1234567", true],
  ["no hyphens", UUID.replaceAll("-", ""), UUID, true],
  ["accents", "Angela Molnár", "angela molnar", true],
  ["another hyphen", "calm–river", "calm-river", true],
  ["a longer number", "12345678", "1234567", false],
  ["a number within words", "a1234567b", "1234567", false],
  ["another answer", "7654321", "1234567", false],
  ["letters that are too few", "a b c", "abc", false],
] as [string, string, string, boolean][])(
  "classifyFailure() on an answer in another form: %s",
  (_name, reply, answer, holds) => {
    equal(judge(reply, [answer]).some(({ why }) => why.startsWith("given in another form")), holds);
  },
);

Deno.test.each([
  ["a list", "1. 5 2. 8", ["8"]],
  ["a list with other marks", "1) 5\n2) 8", ["8"]],
  ["a bold list", "**1. 5** **2. 8**", ["8"]],
  ["an answer at the end of a sentence", "The number is 1.", ["1"]],
  ["an answer before more text", "8. I hope this helps.", ["8"]],
  ["a list that does not count from 1", "3. 5 4. 8", ["3"]],
] as [string, string, string[]][])(
  "classifyFailure() does not count list numbers as answers in %s",
  (_name, reply, wrong) => {
    const given = judge(reply, ["5", "7"]).flatMap(({ evidence }) => evidence.map(({ given }) => given));
    deepEqual(given.toSorted(), wrong);
  },
);

interface Recorded {
  readonly needle: string;
  readonly reply: string;
  readonly "judge_score_1_to_10": number;
}

const RECORDED = "recorded/claude_2_1_san_francisco.jsonl";

testOnRealData("classifyFailure() recognises the refusals among Claude 2.1's recorded replies to a needle test", {
  reads: RECORDED,
  fn(): void {
    const answer = "eat a sandwich and sit in Dolores Park on a sunny day";
    const wrong = readRealLines<Recorded>(RECORDED).filter(({ reply }) =>
      !reply.toLowerCase().includes(answer.toLowerCase())
    );
    const classes = wrong.map(({ needle, reply }) => {
      const fact = {
        role: "target",
        text: needle,
        key: "San Francisco",
        value: answer,
        depth: 0.5,
        tokenOffset: 1,
      } as const;
      const sample = {
        prompt: userPrompt(`${needle}\nWhat is the most fun thing to do in San Francisco?`),
        promptTokens: 100,
        answerRoom: 300,
        references: [answer],
        facts: [fact],
      };
      const outcome = {
        reply: { kind: "answer", text: reply, finishReason: "stop" },
        value: 0,
        rule: { contains: "any" },
      } as const;
      return classesOf(classifyFailure(sample, outcome));
    });
    // The judge gave 260 of them its lowest mark, and one a 3. The last one refuses and then answers in other words.
    equal(wrong.length, 262);
    equal(classes.filter(([primary]) => primary === "refusal").length, 262);
  },
});

testOnRealData("classifyFailure() finds no refusal in at least 95% of the replies that the judge took for perfect", {
  reads: RECORDED,
  fn(): void {
    const perfect = readRealLines<Recorded>(RECORDED).filter((recorded) => recorded.judge_score_1_to_10 === 10);
    const refused = perfect.filter(({ reply }) => classesOf(judge(reply, ["Marie Curie"], "any")).includes("refusal"));
    equal(perfect.length, 439);
    ok(refused.length <= 0.05 * perfect.length, `${refused.length}`);
  },
});

const LONG = "12345678-aaaa-4bbb-8ccc-0123456789ab";

Deno.test.each(
  [
    // A start from a quarter on, another stretch from a half or 8 characters on, of a code 6 characters of one end.
    ["12", "12345678", 0.25],
    ["12", "123456789", null],
    ["3456", "12345678", 0.5],
    ["345", "12345678", null],
    ["cdefghij", "abcdefghijklmnopqrstuvwxyz", 8 / 26],
    ["cdefghi", "abcdefghijklmnopqrstuvwxyz", null],
    ["12345699", "12345678", 6 / 8],
    ["12345999", "12345678", null],
    ["99345678", "12345678", 6 / 8],
    ["1234569999", "12345678", 6 / 8],
    ["12345699999", "12345678", null],
    ["abcdefzz", "abcdefgh", null],
    ["12345678", "12345678", null],
    ["1", "12", null],
    ["12", "12", null],
  ] as [string, string, number | null][],
)("pieceShare() of %j in %j is %j", (text, answer, share) => {
  equal(pieceShare(text, answer), share);
});

Deno.test.each(
  [
    // Five characters or more, of which a third, rounded down, may differ.
    ["12395", "12345", 4 / 5],
    ["12995", "12345", null],
    ["129956", "123456", 1 - 2 / 6],
    ["129996", "123456", null],
    ["1239", "1234", null],
    ["12345678", "123456", 1 - 2 / 6],
    ["123456789", "123456", null],
    ["13456", "123456", 5 / 6],
    ["2345", "123456", null],
    [LONG.replace("aaaa", "bbbb"), LONG, 32 / 36],
  ] as [string, string, number | null][],
)("slipShare() of %j for %j is %j", (text, answer, share) => {
  equal(slipShare(text, answer), share);
});

Deno.test("trimMarks() leaves letters, digits, accents and both halves of surrogate pairs at the ends", () => {
  for (const kept of ["a", "7", "e\u0301", "\ud83d\ude00", "\ud800", "\udfff", "的", "a, b"]) {
    equal(trimMarks(`. (${kept})!`), kept);
  }
  deepEqual(["", "?!", "a?!", "?a"].map(endOfWords), [0, 0, 1, 2]);
  for (const mark of ["", "?", "...", "\ud7fb\ue000".slice(1)]) equal(trimMarks(mark), "");
});

Deno.test("findListNumbers() finds what counts from 1 without a gap", () => {
  const numbers = (text: string): string[] => findListNumbers(text).map(([, number]) => number!);
  deepEqual(numbers("1. a 2. b 3. c"), ["1", "2", "3"]);
  deepEqual(numbers("1. a 3. b 2. c"), ["1", "2"]);
  deepEqual(numbers("0. a 1. b"), ["1"]);
  deepEqual(numbers("1) a 2: b 3、 c"), ["1", "2", "3"]);
  deepEqual(numbers("1. a 2. b 3"), ["1", "2", "3"]);
  // A number alone at the end is one of a list that has two before.
  deepEqual(numbers("1. a 2"), ["1"]);
  deepEqual(numbers("x1. a"), []);
  deepEqual(numbers("1. 2. 3."), ["1", "2", "3"]);
  deepEqual(numbers("1., 2.; 3"), []);
});
