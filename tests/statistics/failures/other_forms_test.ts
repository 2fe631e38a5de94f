import { deepEqual, equal } from "node:assert/strict";
import { classesOf } from "./_samples.ts";
import { readAttempt } from "@/lib/statistics/failures/attempt.ts";
import { classifyFailure } from "@/lib/statistics/failures/mod.ts";
import { findScorer } from "@/lib/benchmarks/mod.ts";
import { userPrompt } from "@/lib/generators/mod.ts";

/** The first class of a reply that the scorer gives no points; `right` if it gives some. */
function classOf(reply: string, scorer: string, references: readonly string[], prompt: string): string {
  const rule = findScorer(scorer);
  const { value } = rule.grade(reply, { references }).score;
  if (value !== 0) return "right";
  const sample = { prompt: userPrompt(prompt), promptTokens: 100, answerRoom: 300, references, facts: [] };
  return classesOf(
    classifyFailure(sample, { reply: { kind: "answer", text: reply, finishReason: "stop" }, value, rule }),
  )[0]!;
}

const UUID = "3f2a1b4c-9d8e-4f7a-8b6c-5d4e3f2a1b0c";
const NODES = ["e2f38cfd5e", "a1b2c3d4e5"];
const STARS = ["3", "9", "15", "21"];
const STAR_TEXT =
  'The penguin counted 3 ★\nIt counted 9 ★\nIt counted 15 ★\nIt counted 21 ★\nOutput JSON {"little_penguin": [x, x]}';
const GRAPH_TEXT =
  "e2f38cfd5e -> 0123456789\na1b2c3d4e5 -> 0123456789\n0123456789 -> ffffffffff\nFind the parents of node 0123456789.";
const CHOICE_TEXT = "Question 12: Which letter? A. x B. y C. z D. w\nAnswer with the letter.";
const NEEDLE_TEXT = "One of the special magic numbers for abc is: 1234567.\nWhat is the special magic number for abc?";

Deno.test.each([
  ...[
    "1,234,567",
    "1.234.567",
    "1'234'567",
    "1_234_567",
    "1 234 567",
    "1\u202f234\u202f567",
    "12-34-567",
    "1\u2011234\u2011567",
  ]
    .map((form) => [form, "all", ["1234567"], NEEDLE_TEXT]),
  ...[
    "１２３４５６７",
    "𝟏𝟐𝟑𝟒𝟓𝟔𝟕",
    "١٢٣٤٥٦٧",
    "१२३४५६७",
    "¹²³⁴⁵⁶⁷",
    "12\u200b345\u200b67",
    "123\u00ad4567",
    "**123**4567",
  ]
    .map((form) => [`It is ${form}.`, "all", ["1234567"], NEEDLE_TEXT]),
  ...["\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2212", " ", "", "\u00ad-", "_", ":", "\ufe58"]
    .map((dash) => [`It is ${UUID.replaceAll("-", dash)}.`, "all", [UUID], "Which UUID?"]),
  ...["calm\u2011river", "calm river", "Calm – River", "calmriver", "calm_river", "**calm** river"]
    .map((form) => [form, "all", ["calm-river"], "Which pair of words?"]),
  ...[
    "**B**",
    "(B)",
    "B",
    "b",
    "B.",
    "[B]",
    '"B"',
    "Answer: (B)",
    "The answer is B.",
    "The correct option is B",
    "`B`",
    "B. y",
    "B) y",
    "I choose B.",
    "＊Ｂ＊",
    "选项B",
    "答案是B，",
  ]
    .map((form) => [form, "choice", ["B"], CHOICE_TEXT]),
  ...[
    '{"counts": [3, 9, 15, 21]}',
    "[3, 9, 15, 21]",
    "3, 9, 15, 21",
    "The counts are 3, 9, 15 and 21.",
    "- 3\n- 9\n- 15\n- 21",
    "1. 3\n2. 9\n3. 15\n4. 21",
    "3 ★, 9 ★, 15 ★, 21 ★",
    '{"little_penguin": ["3", "9", "15", "21"]}',
    "３、９、１５、２１",
    "3 | 9 | 15 | 21",
    "`[3, 9, 15, 21]`",
  ]
    .map((form) => [form, "stars", STARS, STAR_TEXT]),
  ...[
    "**Final Answer:** [e2f38cfd5e, a1b2c3d4e5]",
    "Final Answer:\n[e2f38cfd5e, a1b2c3d4e5]",
    "Final Answer: [`e2f38cfd5e`, `a1b2c3d4e5`]",
    "final answer: [e2f38cfd5e, a1b2c3d4e5]",
    "Final Answer: [E2F38CFD5E, A1B2C3D4E5]",
    "Final Answer: [e2f38cfd5e, a1b2c3d4e5]\n\nLet me know.",
    "e2f38cfd5e, a1b2c3d4e5",
    "The parents are e2f38cfd5e and a1b2c3d4e5.",
    "- e2f38cfd5e\n- a1b2c3d4e5",
    '["e2f38cfd5e", "a1b2c3d4e5"]',
    "Final Answer: e2f38cfd5e, a1b2c3d4e5",
    "Final Answer: {e2f38cfd5e, a1b2c3d4e5}",
    "Final Answer： [e2f38cfd5e, a1b2c3d4e5]",
    "\\boxed{e2f38cfd5e, a1b2c3d4e5}",
    "The parents of 0123456789 are [e2f38cfd5e, a1b2c3d4e5]",
  ]
    .map((form) => [form, "graphwalks nemo", NODES, GRAPH_TEXT]),
] as [string, string, string[], string][])(
  "classifyFailure() knows a right answer in another form: %j by %s",
  (reply, scorer, references, prompt) => {
    const found = classOf(reply, scorer, references, prompt);
    equal(found === "right" ? "wrong format" : found, "wrong format");
  },
);

Deno.test.each([
  ["12345678", "all", ["1234567"], NEEDLE_TEXT],
  ["It is 7654321.", "all", ["1234567"], NEEDLE_TEXT],
  ["Answer by a cab: C", "choice", ["B"], CHOICE_TEXT],
  ["(C)", "choice", ["B"], CHOICE_TEXT],
  ["A storm, because it was dark.", "choice", ["B"], CHOICE_TEXT],
  ["[3, 9, 16, 22]", "stars", STARS, STAR_TEXT],
  ["Final Answer: [0123456789]", "graphwalks nemo", NODES, GRAPH_TEXT],
] as [string, string, string[], string][])(
  "classifyFailure() takes no wrong answer for a right one in another form: %j by %s",
  (reply, scorer, references, prompt) => {
    equal(classOf(reply, scorer, references, prompt) === "wrong format", false);
  },
);

Deno.test("readAttempt() ends a list of words that begins again, also where its numbers go on", () => {
  const prompt = userPrompt("Which words?");
  const sample = { prompt, promptTokens: 100, answerRoom: 300, references: ["apple", "pear", "plum"], facts: [] };
  const text = "1. apple\n2. pear\n3. kiwi\n4. apple\n5. pear\n6. kiwi";
  const reply = { kind: "answer", text, finishReason: "stop" } as const;
  const read = readAttempt(sample, { reply, value: 0.5, rule: findScorer("all") });
  deepEqual([read?.reply, read?.endedBy], ["1. apple\n2. pear\n3. kiwi", "the list again"]);
});
