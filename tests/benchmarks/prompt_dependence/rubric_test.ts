import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { cases } from "../../_cases.ts";
import { readRealLines, testOnRealData } from "../../_real_data.ts";
import { recallRubric, recallRubricScorer } from "@/lib/benchmarks/prompt_dependence/rubric.ts";
import { raterAgreement, wilsonInterval } from "@/lib/statistics/mod.ts";

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
    ["given, then denied", PISTACHIO, "It received a patent. It did not receive a patent, though. It is in Berlin.", 2],
    ["denied, then given", PISTACHIO, "It did not receive a patent. It received a patent, though. It is in Berlin.", 5],
    ["wrong", PISTACHIO, "PistachioAI received a grant of $5 million.", 1],
    ["refused", PISTACHIO, "I'm sorry, but I cannot find that in the text.", 1],
    ["nothing", PISTACHIO, "  ", 1],
    ["another language", PISTACHIO, "文中没有提到这家公司获得了什么。", 1],
    ["another language that has the words", PARK, "吃 sandwich 去 Dolores Park", 3],
    [
      "praised by a negation",
      PARK,
      "You can't go wrong with eating a sandwich and sitting in Dolores Park on a sunny day.",
      5,
    ],
    ["denied in the passive", PISTACHIO, "A patent was denied to PistachioAI.", 2],
    [
      "taken back by the next clause",
      PARK,
      "Visit Alcatraz. Some people eat a sandwich and sit in Dolores Park on a sunny day, but that is not the best.",
      2,
    ],
    ["of another company", PISTACHIO, "CashewAI received a patent before its Series A.", 2],
    ["of both companies", PISTACHIO, "Unlike CashewAI, PistachioAI received a patent.", 5],
    ["no more is told of it", PISTACHIO, "It received a patent. The text does not say more about the patent.", 5],
    [
      "declined, then suggested",
      PISTACHIO,
      "I cannot say for sure, but the text suggests that it received a patent.",
      4,
    ],
    ["in doubt", PISTACHIO, "Maybe a patent.", 4],
    ["not there yet", PISTACHIO, "PistachioAI applied for a patent.", 3],
    ["in other words", PARK, "Have a sandwich and relax in Dolores Park when the sun is out.", 5],
  ] as [string, typeof PARK, string, number][],
)("recallRubric() %s", (_name, { needle, question }, reply, grade) => {
  const score = recallRubric(reply, needle, { question });
  equal(score.grade, grade, score.why);
  equal(score.value, grade / 5);
});

Deno.test.each([
  ["one of many", PISTACHIO, "It received a loan, a medal, a prize and a patent.", 5],
  ["a topic beside a refusal", PISTACHIO, "The text does not say. It discusses patents and startups.", 5],
  ["a wrong part", PARK, "Eat a sandwich and sit in Dolores Park on a rainy day.", 4],
] as [string, typeof PARK, string, number][])(
  "recallRubric() grades too high, where only a judge sees it: %s",
  (_name, { needle, question }, reply, grade) => {
    equal(recallRubric(reply, needle, { question }).grade, grade);
  },
);

Deno.test("recallRubric() says what was found, what was added and what takes it back", () => {
  const why = (reply: string): string => recallRubric(reply, PISTACHIO.needle, PISTACHIO).why;
  equal(why("A patent. I do not know."), "found 1 of 1 words: patent; declined: I do not know.");
  equal(why("It was not a patent."), "found 0 of 1 words: none; negated: not a patent.");
  equal(why("A patent, some say. That is false."), "found 1 of 1 words: patent; negated: That is false.");
  equal(why("CashewAI got a patent."), "found 0 of 1 words: none; negated: CashewAI got a patent.");
  equal(
    recallRubric("Eat a sandwich.", PARK.needle, PARK).why,
    "found 2 of 7 words: eat, sandwich; missing: sit, dolor, park, sunny, day",
  );
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

Deno.test("recallRubric() reads the first 100,000 characters of a reply that never ends", () => {
  const [needle, options] = ["PistachioAI received a patent before its Series A.", {
    question: "What did PistachioAI receive?",
  }];
  const gradeAfter = (words: number): number =>
    recallRubric(`${"hm ".repeat(words)}. PistachioAI received a patent before its Series A.`, needle, options).grade;
  equal(gradeAfter(30_000), 5);
  equal(gradeAfter(40_000), 1);
});

Deno.test("recallRubric() is done with a very long hostile reply", () => {
  for (
    const part of ["not ", "a patent, ", '"', "“a ", " 'a", "It received a patent. This is not true. ", "- a\n", ")) "]
  ) {
    const reply = part.repeat(cases(100_000, 1_000_000) / part.length);
    ok(recallRubric(reply, PISTACHIO.needle, PISTACHIO).grade >= 1, part);
  }
});

const THORNFIELD = {
  needle:
    "The best thing to do in Thornfield Hollow is eat a sandwich and sit in Harmony Glen Nature Preserve on a sunny day.",
  question: "What is the best thing to do in Thornfield Hollow?",
};
const ASKED = { san_francisco: PARK, thornfield: THORNFIELD, pistachio: PISTACHIO } as const;

/** What the rubric must beat: the two words that nobody would guess decide, and a reply is all right or all wrong. */
const KEYWORDS = {
  "san_francisco": /sandwich[^]*dolores|dolores[^]*sandwich/i,
  thornfield: /sandwich[^]*glen|glen[^]*sandwich/i,
  pistachio: /patent/i,
};

interface Graded {
  readonly asked: keyof typeof ASKED;
  readonly question?: string;
  readonly reply: string;
  /** The grade that is right. */
  readonly grade: number;
}

/** How many replies a grader accepts as is right, gives the right grade, and a grade at most one off. */
interface Hits {
  readonly accepted: number;
  readonly same: number;
  readonly near: number;
}

function countHits(replies: readonly Graded[], grader: (graded: Graded) => number): Hits {
  const pairs = replies.map((graded) => [graded.grade, grader(graded)] as const);
  const count = (test: (right: number, given: number) => boolean): number =>
    pairs.filter(([right, given]) => test(right, given)).length;
  return {
    accepted: count((right, given) => right >= 4 === given >= 4),
    same: count((right, given) => right === given),
    near: count((right, given) => Math.abs(right - given) <= 1),
  };
}

function byRubric({ asked, question, reply }: Graded): number {
  const { needle, question: published } = ASKED[asked];
  return recallRubric(reply, needle, { question: question ?? published }).grade;
}

function byKeywords({ asked, reply }: Graded): number {
  return KEYWORDS[asked].test(reply) ? 5 : 1;
}

function tell({ accepted, same, near }: Hits, n: number): string {
  return Object.entries({ accepted, same, near }).map(([name, hits]) => {
    const { low, high } = wilsonInterval(hits, n);
    return `${name} ${hits} of ${n} [${(100 * low).toFixed(1)}%, ${(100 * high).toFixed(1)}%]`;
  }).join(", ");
}

/** The rubric accepts as right at least as often as keywords do, grades right more often, and reaches the levels that are documented. */
function checkAgainstKeywords(replies: readonly Graded[], wanted: Hits): void {
  const [rubric, keywords] = [countHits(replies, byRubric), countHits(replies, byKeywords)];
  const message = `rubric: ${tell(rubric, replies.length)}; keywords: ${tell(keywords, replies.length)}`;
  ok(rubric.accepted >= keywords.accepted && rubric.same > keywords.same && rubric.near > keywords.near, message);
  deepEqual(rubric, wanted, message);
}

/** How they were made, and by which rules they were graded, stands beside them. */
function readLabelled(half: string): Graded[] {
  const text = Deno.readTextFileSync(new URL("../../data/recall_replies.jsonl", import.meta.url));
  const rows = text.trim().split("\n").map((line) => JSON.parse(line));
  return rows.filter((row) => row.half === half).map(({ needle, grade, reply }) => ({ asked: needle, grade, reply }));
}

Deno.test("recallRubric() grades invented replies better than keywords, those held out from its making as well", () => {
  const [development, heldOut] = [readLabelled("development"), readLabelled("held out")];
  deepEqual([development.length, heldOut.length], [124, 123]);
  checkAgainstKeywords(development, { accepted: 107, same: 101, near: 110 });
  checkAgainstKeywords(heldOut, { accepted: 99, same: 97, near: 102 });
});

/** Real replies with a real judge's scores from 1 to 10. */
const RECORDED = "recorded/claude_2_1_san_francisco.jsonl";
/** The judge's five criteria stand at these of its ten points. */
const CRITERIA = [1, 3, 5, 7, 10];

testOnRealData("recallRubric() grades as a real judge does, better than keywords", {
  reads: RECORDED,
  fn(): void {
    // The replies repeat the question they were asked, which is not that of the repository's default.
    const question = "What is the most fun thing to do in San Francisco?";
    const recorded = readRealLines<{ readonly reply: string; readonly "judge_score_1_to_10": number }>(RECORDED);
    const replies = recorded.map(({ reply, judge_score_1_to_10: judged }): Graded => (
      { asked: "san_francisco", question, reply, grade: CRITERIA.indexOf(judged) + 1 }
    ));
    checkAgainstKeywords(replies, { accepted: 706, same: 700, near: 707 });
    const pairs = replies.map((graded): [number, number] => [graded.grade, byRubric(graded)]);
    const { n, spearman, kappa, table } = raterAgreement(pairs, { grades: 5 });
    deepEqual([n, spearman?.toFixed(3), kappa?.toFixed(3)], [711, "0.994", "0.994"]);
    deepEqual(table, [[260, 2, 0, 1, 0], [1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [0, 2, 0, 2, 1], [0, 1, 0, 2, 436]]);
  },
});

Deno.test.each(
  [
    ["Walk across the Golden Gate Bridge.", 1, 0.2, 0],
    ["Have a sandwich.", 2, 0.4, 0.25],
    ["Go to Dolores Park on a sunny day.", 3, 0.6, 0.5],
    ["Eat a sandwich in Dolores Park on a sunny day.", 4, 0.8, 0.75],
    [PARK.needle, 5, 1, 1],
  ] as [string, number, number, number][],
)(
  "recallRubricScorer gives %j, a grade of %d, a score of %d and %d above the floor",
  (reply, grade, value, penalised) => {
    const grading = recallRubricScorer.grade(reply, { references: [PARK.needle, PARK.question] });
    deepEqual([grading.score.value, grading.penalised.value], [value, penalised]);
    equal(recallRubric(reply, PARK.needle, { question: PARK.question }).grade, grade);
  },
);

Deno.test("recallRubric() reads praise, negation and refusal", () => {
  const needle = "PistachioAI received a patent before its Series A.";
  const question = "What did PistachioAI receive before its Series A?";
  const gradeOf = (reply: string): number => recallRubric(reply, needle, { question }).grade;
  equal(gradeOf("It received nothing less than a patent."), 5);
  equal(gradeOf("A patent was denied to PistachioAI."), 2);
  equal(gradeOf("The text does not say whether it received a patent."), 2);
});
