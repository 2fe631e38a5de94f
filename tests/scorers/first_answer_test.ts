import { equal, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { firstAnswer } from "@/lib/scorers/mod.ts";

const FOUR = ["6682977", "6907679", "7846457", "9121455"];
const CHAIN = ["JXVSF", "MCRVW", "NQION", "DJAFJ", "BJKKZ"];
const CODED = ["rtqmvu", "pymrjo", "thmqgn"];
const COMMON = ["geotagged", "pentamery", "jura", "astricts", "scavenged", "bromid", "stylos", "wildfowl"];
const UUID = ["3f67a630-b35e-46a5-aff2-41d706646547"];
const SANDWICH = ["The best thing to do in San Francisco is eat a sandwich and sit in Dolores Park on a sunny day."];

const RAMBLED: readonly (readonly [string, readonly string[], string, string])[] = Deno.readTextFileSync(
  new URL("../data/rambled_replies.jsonl", import.meta.url),
).trim().split("\n").map((line) => JSON.parse(line));

/** Right answers of other forms, as chat models give them: nothing of the answer may be lost. */
const KEPT: readonly (readonly [string, readonly string[]])[] = [
  ["The special magic number for unkempt-guide mentioned in the provided text is 6156250.", ["6156250"]],
  ["Let me look through the text.\n\nThe special magic number for unkempt-guide is 6156250.", ["6156250"]],
  ["The text hides a number for unkempt-guide.\n\nIt is 6156250.", ["6156250"]],
  ["Sure! Here are the numbers:\n\n- 6682977\n- 6907679\n- 7846457\n- 9121455", FOUR],
  ["For a it is 6682977.\nFor b it is 6907679.\nFor c it is 7846457.\nFor d it is 9121455.", FOUR],
  ["The numbers are 6682977, 6907679,\n7846457 and 9121455", FOUR],
  ["VAR JXVSF = 1\nVAR MCRVW = JXVSF\nVAR NQION = MCRVW\nVAR DJAFJ = NQION\nVAR BJKKZ = DJAFJ", CHAIN],
  ["The three most frequent words are rtqmvu, pymrjo and thmqgn.", CODED],
  [`Here are the most common words:\n${COMMON.map((word, place) => `${place + 1}. ${word}`).join("\n")}`, COMMON],
  ["To answer this:\n\n1. Rosa works for Smilivatix.\n2. It is a foundry.", ["Smilivatix"]],
  ["The best thing to do is:\n\n* eat a sandwich\n* sit in Dolores Park on a sunny day", SANDWICH],
  ['```json\n{\n\n"little_penguin": [\n3,\n\n6\n]\n}\n```', ["3", "6"]],
  ['{"小企鹅": [3,\n\n6]}', ["3", "6"]],
  ["好的，我来回答：\n\n小明最喜欢的实习地点就是上海人工智能实验室。", [
    "小明最喜欢的实习地点就是上海人工智能实验室。",
  ]],
  ["Which festival does Studowald celebrate? Frelivalurmas.", ["Frelivalurmas"]],
];

Deno.test("firstAnswer() ends before a base model rambles on", () => {
  for (const [reply, references, text, endedBy] of RAMBLED) {
    const found = firstAnswer(reply, references);
    equal(found.text, text);
    equal(found.endedBy, endedBy);
  }
});

Deno.test("firstAnswer() loses nothing of an answer that has an opening, a list or several lines", () => {
  for (const [reply, references] of KEPT) {
    const { text } = firstAnswer(reply, references);
    for (const wanted of references) {
      const said = references === SANDWICH ? "Dolores Park on a sunny day" : wanted;
      ok(text.includes(said), `${JSON.stringify(reply)} lost ${said}: ${JSON.stringify(text)}`);
    }
  }
});

Deno.test.each(
  [
    ["half of a code is a code, less is none", "123.\n1234.\n\n1", ["1234567"], "123.\n1234.", "a blank line"],
    [
      "one plain reference makes all plain",
      "1999 it was.\nIt is Rome.",
      ["1234", "Rome"],
      "1999 it was.\nIt is Rome.",
      null,
    ],
    [
      "a question after an opening",
      "Let me look.\nWhat is it?\nIt is Rome.",
      ["Rome"],
      "Let me look.\nWhat is it?\nIt is Rome.",
      null,
    ],
    [
      "a list goes on with the same mark",
      "- 6682977\n\n- one more, of the many that the text has",
      FOUR,
      "- 6682977\n\n- one more, of the many that the text has",
      null,
    ],
    [
      "a list does not skip a number",
      "1. 6682977\n\n3. one more, of the many that the text has",
      FOUR,
      "1. 6682977",
      "a blank line",
    ],
    [
      "a list begins after a colon",
      "It is 6682977:\n\n1. one of the many",
      ["6682977"],
      "It is 6682977:\n\n1. one of the many",
      null,
    ],
    ["a list begins with a mark", "It is 6682977:\n\none of the many", ["6682977"], "It is 6682977:", "a blank line"],
    ["one code is no list", "6682977\n6907679", ["6682977"], "6682977", "the next line"],
    ["two codes are a list", "6682977\n6907679", ["6682977", "6907679"], "6682977\n6907679", null],
    [
      "brackets keep it open",
      "[6682977\n\nand then some more words\n]\n\nMore of them.",
      FOUR,
      "[6682977\n\nand then some more words\n]",
      "a blank line",
    ],
    ["a question inside a line", "It is Rome. Question: where?", ["Rome"], "It is Rome.", "a new question"],
  ] as [string, string, string[], string, string | null][],
)("firstAnswer() %s", (_name, reply, references, text, endedBy) => {
  const found = firstAnswer(reply, references);
  equal(found.text, text);
  equal(found.endedBy, endedBy);
});

Deno.test("firstAnswer() ends Chinese answers at a blank line and at a new question", () => {
  const answer = "小明最喜欢的实习地点就是上海人工智能实验室。";
  equal(firstAnswer(`${answer}\n\n小明还喜欢别的地方。`, [answer]).text, answer);
  equal(firstAnswer(`${answer}\n问题：小红喜欢哪里？`, [answer]).endedBy, "a new question");
  equal(firstAnswer(`${answer}\n小红最喜欢的地方是哪里？`, [answer]).endedBy, "a new question");
});

Deno.test("firstAnswer() gives the reply itself, letter by letter, where nothing follows its answer", () => {
  for (const reply of ["", " \n", "17", "  The number is 1234567. \n", "I cannot find it.", "?"]) {
    const found = firstAnswer(reply, ["1234567"]);
    equal(found.rest === "" ? found.text : "", found.rest === "" ? reply : "");
  }
});

Deno.test("firstAnswer() of a first answer is that answer, and nothing of the reply is in both parts", () => {
  for (const [reply, references] of [...RAMBLED, ...KEPT]) {
    const { text, rest } = firstAnswer(reply, references);
    ok(reply.includes(text) && reply.endsWith(rest) && text.length + rest.length <= reply.length);
    equal(firstAnswer(text, references).text, text);
  }
});

Deno.test("firstAnswer() depends on the form of the references, never on whether they are right", () => {
  for (const [reply, references] of RAMBLED) {
    const others = references.map((reference) =>
      reference.replaceAll(/\d/g, "0").replaceAll(/[a-f]/g, "e").replaceAll(/[G-Z]/g, "Q")
    );
    if (new Set(others).size < references.length) continue;
    equal(firstAnswer(reply, others).text, firstAnswer(reply, references).text);
  }
});

Deno.test("firstAnswer() reads a very long reply without a pause", () => {
  const long = cases(40_000, 200_000);
  const replies = ["1\n", "a b c, ", "[", " ", "0", "What is ", "......", "```\n"].map((unit) =>
    unit.repeat(long / unit.length)
  );
  const lines = Array.from({ length: long / 7 }, (_, place) => `w${place}`).join("\n");
  for (const reply of [...replies, lines]) {
    for (const references of [["1234567"], UUID, CHAIN, COMMON, SANDWICH]) {
      ok(firstAnswer(reply, references).text.length >= 0);
    }
  }
});
