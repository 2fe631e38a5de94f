import { deepEqual, equal, ok } from "node:assert/strict";
import { readRealLines, testOnRealData } from "../../_real_data.ts";
import { RECALL_TESTS } from "@/lib/benchmarks/prompt_dependence/prompt_recall.ts";
import { gradeRecall, recallKeywords, recallScorer } from "@/lib/benchmarks/prompt_dependence/recall_keywords.ts";

const PARK = { needle: RECALL_TESTS.san_francisco.needle, question: RECALL_TESTS.san_francisco.questions[0]! };
const PISTACHIO = { needle: RECALL_TESTS.pistachio.needle, question: RECALL_TESTS.pistachio.questions[0]! };

Deno.test.each(
  [
    ["the San Francisco needle", PARK, ["Dolores Park", "sandwich"]],
    ["one whose question has the rest", PISTACHIO, ["patent"]],
    ["numbers", { needle: "The vault opens with 7261 and a song.", question: "What opens the vault?" }, [
      "7261",
      "song",
    ]],
    ["a repeated word", { needle: "A rose is a rose.", question: "What is it?" }, ["rose"]],
    ["one that its question repeats", { needle: "It rains.", question: "Rains it?" }, ["rains"]],
    ["another language", { needle: "暗号是蓝色的月亮。", question: "暗号是什么？" }, ["暗号是蓝色的月亮"]],
  ] as [string, typeof PARK, string[]][],
)("recallKeywords() of %s", (_name, { needle, question }, keywords) => {
  deepEqual(recallKeywords(needle, question), keywords);
});

Deno.test.each(
  [
    ["the needle itself", PARK, PARK.needle, 5],
    ["shouted, over two lines", PARK, "HAVE A SANDWICH IN DOLORES\n  PARK!", 5],
    ["one keyword", PARK, "Have a sandwich.", 3],
    ["the question repeated", PARK, PARK.question, 1],
    ["prior knowledge", PARK, "Walk across the Golden Gate Bridge.", 1],
    ["the only keyword", PISTACHIO, "It received a patent.", 5],
    ["nothing", PISTACHIO, "  ", 1],
    // Only a judge sees what these mean.
    ["denied", PISTACHIO, "PistachioAI did not receive a patent.", 5],
    ["in other words", PARK, "Picnic in the Mission's large park.", 1],
  ] as [string, typeof PARK, string, number][],
)("gradeRecall() %s", (_name, { needle, question }, reply, grade) => {
  equal(gradeRecall(reply, needle, { question }).grade, grade);
  const { score, penalised } = recallScorer.grade(reply, { references: [needle, question] });
  deepEqual([score.value, penalised.value], [grade / 5, (grade - 1) / 4]);
});

Deno.test("gradeRecall() names the keywords that it found and wanted", () => {
  const why = (reply: string): string => gradeRecall(reply, PARK.needle, PARK).why;
  equal(why("Eat a sandwich."), "found sandwich of Dolores Park, sandwich");
  equal(why("No."), "found none of Dolores Park, sandwich");
  equal(why(""), "no answer");
});

interface Labelled {
  readonly needle: keyof typeof RECALL_TESTS;
  readonly grade: number;
  readonly reply: string;
}

// tests/data/recall_replies.md has how they were made and labelled: most are traps, such as denials and other cities.
Deno.test("gradeRecall() accepts 60% of 247 invented replies as a reader does", () => {
  const lines = Deno.readTextFileSync(new URL("../../data/recall_replies.jsonl", import.meta.url)).trim().split("\n");
  const alike = lines.map((line): Labelled => JSON.parse(line)).filter(({ needle, grade, reply }) => {
    const { needle: sentence, questions: [question = ""] } = RECALL_TESTS[needle];
    return grade >= 4 === gradeRecall(reply, sentence, { question }).grade >= 4;
  });
  deepEqual([alike.length, lines.length], [148, 247]);
});

const RECORDED = "recorded/claude_2_1_san_francisco.jsonl";
/** The judge's five criteria on its scale of ten. */
const CRITERIA = [1, 3, 5, 7, 10];

testOnRealData("gradeRecall() grades as a real judge does in 699 of 711 replies", {
  reads: RECORDED,
  fn(): void {
    // These replies answer a question in other words than the repository's default.
    const question = "What is the most fun thing to do in San Francisco?";
    const recorded = readRealLines<{ readonly reply: string; readonly "judge_score_1_to_10": number }>(RECORDED);
    const pairs = recorded.map(({ reply, judge_score_1_to_10: judged }) => (
      [CRITERIA.indexOf(judged) + 1, gradeRecall(reply, PARK.needle, { question }).grade] as const
    ));
    equal(pairs.length, 711);
    equal(pairs.filter(([judged, grade]) => judged === grade).length, 699);
    equal(pairs.filter(([judged, grade]) => judged >= 4 === grade >= 4).length, 705);
    ok(pairs.every(([judged, grade]) => judged >= 4 ? grade === 5 : true), "no accepted reply is graded lower");
  },
});
