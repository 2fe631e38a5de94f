import { deepEqual, equal, ok } from "node:assert/strict";
import { raterAgreement } from "@/lib/analysis/mod.ts";
import { recallRubric } from "@/lib/scorers/mod.ts";
import fc from "fast-check";

const PISTACHIO = {
  needle: "PistachioAI received a patent before its Series A.",
  question: "What did PistachioAI receive before its Series A?",
};
const PARK = {
  needle: "The best thing to do in San Francisco is eat a sandwich and sit in Dolores Park on a sunny day.",
  question: "What is the best thing to do in San Francisco?",
};

Deno.test.each(
  [
    ["the needle itself", PARK, PARK.needle, 5],
    ["the answer alone", PARK, "Eat a sandwich and sit in Dolores Park on a sunny day.", 5],
    ["other forms of its words", PARK, "Eating a sandwich and sitting in Dolores Park on sunny days", 5],
    ["shouted in capitals", PARK, "EAT A SANDWICH AND SIT IN DOLORES PARK ON A SUNNY DAY!!!", 5],
    ["one word left out", PARK, "Eat a sandwich in Dolores Park on a sunny day.", 4],
    ["half of it", PARK, "Go to Dolores Park on a sunny day.", 3],
    ["one word of it", PARK, "Have a sandwich.", 2],
    ["the question said back", PARK, "The best thing to do in San Francisco is a matter of taste.", 1],
    ["prior knowledge", PARK, "Walk across the Golden Gate Bridge.", 1],
    [
      "quoted, then no answer",
      PARK,
      `It says "${PARK.needle}" However, the text does not mention what is best there.`,
      2,
    ],
    [
      "quoted, then cannot tell",
      PARK,
      `The closest is: "${PARK.needle}" I cannot definitively answer the question.`,
      2,
    ],
    [
      "no answer first, then given",
      PARK,
      `The context does not mention it, except: "${PARK.needle}" So: eat a sandwich and sit in Dolores Park on a sunny day.`,
      5,
    ],
    ["nothing else is said of it", PARK, `${PARK.needle} No other activities are mentioned.`, 5],
    ["without equivocation", PARK, `${PARK.needle} I have answered without additional information or equivocation.`, 5],
    ["a name of its own", PARK, "Eat a sandwich and sit in Dolores Park on a sunny day near Coit Tower.", 3],
    ["denied", PISTACHIO, "PistachioAI did not receive a patent before its Series A.", 2],
    ["not this but that", PISTACHIO, "It was not a patent but a trademark.", 2],
    ["right", PISTACHIO, "PistachioAI received a patent.", 5],
    ["wrong", PISTACHIO, "PistachioAI received a grant of $5 million.", 1],
    ["refused", PISTACHIO, "I'm sorry, but I cannot find that in the text.", 1],
    ["nothing", PISTACHIO, "  ", 1],
    ["another language", PISTACHIO, "文中没有提到这家公司获得了什么。", 1],
    ["another language that has the words", PARK, "吃 sandwich 去 Dolores Park", 3],
    ["the needle in a hundred others", PISTACHIO, "It received a loan, a medal, a prize, a patent.", 5],
  ] as [string, typeof PARK, string, number][],
)("recallRubric() %s", (_name, { needle, question }, reply, grade) => {
  const score = recallRubric(reply, needle, { question });
  equal(score.grade, grade, score.why);
  equal(score.value, grade / 5);
});

Deno.test("recallRubric() says what was found, what was added and what takes it back", () => {
  const taken = recallRubric("A patent. I do not know.", PISTACHIO.needle, PISTACHIO);
  equal(taken.why, "found 1 of 1 words: patent; taken back: I do not know.");
  const added = recallRubric("It received a patent from Ohio in 1999.", PISTACHIO.needle, PISTACHIO);
  deepEqual(added.added, ["Ohio", "1999"]);
  equal(recallRubric("", PISTACHIO.needle, PISTACHIO).why, "no answer");
});

Deno.test("recallRubric() grades anything from 1 to 5, and never higher for less of the answer", () => {
  const words = "eat a sandwich and sit in Dolores Park on a sunny day".split(" ");
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 0, max: words.length }), (noise, kept) => {
    const { grade } = recallRubric(noise, PARK.needle, PARK);
    ok(grade >= 1 && grade <= 5);
    const less = recallRubric(words.slice(0, kept).join(" "), PARK.needle, PARK).grade;
    ok(less <= recallRubric(words.join(" "), PARK.needle, PARK).grade);
  }));
});

Deno.test("recallRubric() is done with a hostile reply at once", () => {
  for (
    const text of ["not ".repeat(50_000), "no a ".repeat(50_000), '"'.repeat(50_000), `${"a ".repeat(50_000)}patent`]
  ) {
    ok(recallRubric(text, PISTACHIO.needle, PISTACHIO).grade >= 1);
  }
});

/** Real replies with a real judge's scores from 1 to 10; they are not part of the project. */
const RECORDED = new URL("../../../shared/data/recorded/claude_2_1_san_francisco.jsonl", import.meta.url);
const isThere = exists(RECORDED);
/** The judge's five criteria stand at these of its ten points. */
const CRITERIA = [1, 3, 5, 7, 10];

Deno.test({
  name: "recallRubric() accepts what a real judge accepts (skipped where the recorded replies are absent)",
  ignore: !isThere,
  fn(): void {
    const lines = Deno.readTextFileSync(RECORDED).trim().split("\n");
    // The replies repeat the question they were asked, which is not that of the repository's default.
    const question = "What is the most fun thing to do in San Francisco?";
    const pairs = lines.map((line): [number, number] => {
      const { reply, needle, judge_score_1_to_10: judged } = JSON.parse(line);
      return [CRITERIA.indexOf(judged) + 1, recallRubric(reply, needle, { question }).grade];
    });
    const accepted = pairs.filter(([judge, rubric]) => judge >= 4 === rubric >= 4).length / pairs.length;
    ok(accepted >= 0.985, `agreement on accept or reject is ${accepted}`);
    equal(accepted.toFixed(4), "0.9930");
    const { n, spearman, kappa, table } = raterAgreement(pairs, { grades: 5 });
    deepEqual([n, spearman?.toFixed(3), kappa?.toFixed(3)], [711, "0.993", "0.993"]);
    deepEqual(table, [[260, 3, 0, 0, 0], [1, 1, 0, 0, 0], [0, 2, 0, 0, 0], [0, 3, 0, 0, 2], [0, 2, 0, 1, 436]]);
  },
});

function exists(file: URL): boolean {
  try {
    return Deno.statSync(file).isFile;
  } catch {
    return false;
  }
}
