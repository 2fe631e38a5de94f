import { deepEqual, equal, match, ok } from "node:assert/strict";
import fc from "fast-check";
import { ANY } from "../../_characters.ts";
import { starListScorer, starScore, starSum } from "@/lib/benchmarks/counting_stars/scorer.ts";
import type { StarForm } from "@/lib/benchmarks/counting_stars/star_reply.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";

const PUBLISHED = new URL("../../../data/published/counting_stars_raw_predictions.csv", import.meta.url);

Deno.test("starScore() gives the published cells of all 96 replies that were published", () => {
  const rows = Deno.readTextFileSync(PUBLISHED).trim().split("\n").slice(1).map((line) => line.split(","));
  equal(rows.length, 96);
  for (const [figure, , length, , , , predicted, reference, bits] of rows) {
    const key = figure!.startsWith("en") ? "little_penguin" : "小企鹅";
    const reply = JSON.stringify({ [key]: predicted!.split(" ").map(Number) });
    equal(starScore(reply, reference!.split(" ")).cells.join(""), bits, `${figure} at ${length}`);
  }
});

/** Replies that stop the reference's scorer with an error, each with the lenient score for the counts 3, 5 and 9. */
const STOPS: readonly (readonly [string, number])[] = [
  ["[3, 5, 9]", 1],
  ['{"penguin": [3, 5, 9]}', 1],
  ['{"小企鹅": [3]} {"小企鹅": [3, 5, 9]}', 1 / 3],
  ['{"小企鹅": [3]} or [3, 5]', 1 / 3],
  ['{"小企鹅": [[3, 5, 9]]}', 1],
  ['{"小企鹅": [{"a": 3}, 5]}', 1 / 3],
  ['｛"小企鹅": [3, 5, 9]｝', 1],
  ['{"小企鹅": null}', 0],
  ['{"小企鹅": 3}', 1 / 3],
  ['{"小企鹅": 3, 5, 9}', 1],
  ["3, 5 and 9", 1],
  ["", 0],
];

Deno.test.each(STOPS as unknown as [string, number][])(
  "starScore() gives 0 and no form to %j, which stops the reference, and the lenient scorer scores it",
  (reply, lenient) => {
    const original = starScore(reply, ["3", "5", "9"]);
    deepEqual([original.value, original.form], [0, "none"]);
    equal(starScore(reply, ["3", "5", "9"], { scorer: "lenient" }).value, lenient);
  },
);

// The others have doubled, halved or escaped quotation marks, numbers such as `7e`, or the key twice.
Deno.test("starScore() gives the reference's cells of 30 chosen replies, and of 504 of 534 drawn malformed ones of 90 kinds", () => {
  const lines = Deno.readTextFileSync(new URL("../../data/star_replies.jsonl", import.meta.url)).trim().split("\n");
  const alike = lines.map((line) => JSON.parse(line)).filter(([kind, cells, reply]) => {
    const isAlike = starScore(reply, ["3", "5", "9", "15", "19", "21"]).cells.join("") === cells;
    ok(isAlike || !/^(?:chosen|clean|fence|text before|text behind)$/.test(kind), `${kind}: ${reply}`);
    return isAlike;
  });
  deepEqual([alike.length, lines.length], [534, 564]);
});

const REFERENCES = ["3", "5", "9"];
const NESTED = `{"小企鹅": ${"[".repeat(100_000)}`;
const TEN_THOUSAND = `{"小企鹅": [${Array.from({ length: 10_000 }, (_, number) => number + 3).join(", ")}]}`;

/** Replies with their form, score and lenient score. */
const REPLIES: readonly [string, string, StarForm, number, number][] = [
  ["the other language's key", '{"little penguin": [1], "小企鹅": [3, 5, 9]}', "json", 1, 1],
  ["decimals that are whole", '{"小企鹅":[3.0,5,9]}', "json", 1, 1],
  ["a citation before a bare list", "As said [a], it is [3, 5, 9].", "none", 0, 1],
  ["no number", "I do not know.", "none", 0, 0],
  ["numbers as text, which are no numbers to the reference", '{"小企鹅": ["3", "5颗", 9]}', "json", 1 / 3, 1],
  ["full-width digits, which are no numbers to the reference", '｛"小企鹅"：［３，５，９］｝', "none", 0, 1],
  ["full-width marks", '｛"小企鹅"：［3，5，9］｝', "none", 0, 1],
  ["curly quotes", "{“小企鹅”：[3, 5, 9]}", "repaired", 1, 1],
  [
    "objects in the list: each of their fields takes two places",
    '{"小企鹅": [{"a": 3}, {"b": 5}',
    "none",
    0,
    1 / 3,
  ],
  ["an empty list", '{"小企鹅": []}', "json", 0, 0],
  ["nothing in place of numbers", '{"小企鹅": [null, true, 9]}', "json", 1 / 3, 1 / 3],
  ["a text in place of the list", '{"小企鹅": "3, 5, 9"}', "none", 0, 1],
  ["a key that is no key", '{"__proto__": [3], "constructor": [5]}', "none", 0, 1 / 3],
  ["one number again and again", '{"小企鹅": [3, 3, 3, 5, 9]}', "json", 1 / 3, 1 / 3],
  ["ten thousand numbers, cut to three", TEN_THOUSAND, "json", 2 / 3, 2 / 3],
  ["a list that never ends its beginning", NESTED, "none", 0, 0],
  ["a number that never ends", `${"9".repeat(100_000)}.5`, "none", 0, 0],
  ["program text", '{"小企鹅": [(() => { throw 3 })(), 5, 9]}', "none", 0, 1 / 3],
  ["half a surrogate pair", '{"小企鹅": [3, "\ud800", 9]}', "json", 2 / 3, 2 / 3],
];

Deno.test.each(REPLIES as unknown as [string, string, string, number, number][])(
  "starScore() reads %s",
  (_name, reply, form, value, lenient) => {
    const score = starScore(reply, REFERENCES);
    deepEqual([score.form, score.value], [form, value]);
    equal(starScore(reply, REFERENCES, { scorer: "lenient" }).value, lenient);
    // The reply itself is the answer where no number was read, so that only an empty reply is no answer.
    equal(score.answer === "", reply.trim() === "");
  },
);

Deno.test("starScore() cuts the list before it drops what is repeated: [3, 9, 9, 11] of [3, 5, 9] is [1, 0, 1]", () => {
  deepEqual(starScore('{"小企鹅": [3, 9, 9, 11]}', REFERENCES).cells, [1, 0, 1]);
  // Dropped first, 5 would come into the first three.
  deepEqual(starScore('{"小企鹅": [3, 9, 9, 5]}', REFERENCES).cells, [1, 0, 1]);
});

function listed(entries: string): string {
  return `{"小企鹅": [${entries}]}`;
}

Deno.test("starScore() does not look at places", () => {
  deepEqual(starScore('{"小企鹅": [9, 5, 3]}', REFERENCES).cells, [1, 1, 1]);
});

Deno.test("starScore() gives 1, 0.5, 0.25 and 0 where the text says a wrong count too", () => {
  const distractors = ["4", "6", "8", "12"];
  const { cells, value } = starScore('{"little_penguin": [3, 5, 6, 8]}', ["3", "5", "9", "13"], { distractors });
  deepEqual(cells, [1, 0.5, 0.25, 0]);
  equal(value, 1.75 / 4);
});

Deno.test("starScore() explains what is found, given with a wrong count, and missing", () => {
  const references = ["3", "5", "9", "15", "19", "21"];
  const { why } = starScore(listed("5, 3, 3, 7, 8"), references, { distractors: ["4", "", "8", "", "", ""] });
  equal(why, "found 2 of 6 counts in a list of 5; with the wrong count: 1; missing: 4 to 6");
});

Deno.test("starScore() counts the wrong numbers of the whole list in F1", () => {
  // Three of six different numbers are right, of three wanted: 2 * 3 / (6 + 3).
  equal(starScore(listed("3, 5, 9, 10, 11, 12"), REFERENCES).f1, 2 / 3);
  equal(starScore(listed("3, 5, 9"), REFERENCES).f1, 1);
});

Deno.test.each(
  [
    ["the list and the sum are right", "[3, 5, 9]", 17, 1],
    ["a count is missing and the sum is that of the list", "[3, 5]", 8, 2 / 4],
    ["a count is made up and the sum is that of the list", "[3, 5, 9, 10]", 27, 3 / 4],
    ["a count is missing and the sum has it", "[3, 5]", 17, 3 / 4],
    ["the list is right and the sum is not", "[3, 5, 9]", 18, 3 / 4],
    ["neither is right", "[3, 5]", 9, 2 / 4],
    ["no sum is given", "[3, 5, 9]", null, 3 / 4],
  ] as [string, string, number | null, number][],
)("starScore() with a sum, when %s", (_name, list, total, value) => {
  const reply = `{"小企鹅": ${list}${total === null ? "" : `, "总数": ${total}`}}`;
  equal(starScore(reply, [...REFERENCES, "17"], { hasSum: true }).value, value);
});

Deno.test("starScore() finds a sum in broken JSON, and takes no number of the list for it", () => {
  const whyOf = (reply: string): string => starScore(reply, [...REFERENCES, "17"], { hasSum: true }).why;
  match(whyOf('{"小企鹅": [3, 5, 9], "总数": "17"'), /the sum 17 is right$/);
  match(whyOf('{"小企鹅": [3, 5, 17]}'), /the sum is missing$/);
});

Deno.test("starScore() has nothing to score without references", () => {
  const score = starScore("[3]", []);
  deepEqual([score.value, score.f1], [null, null]);
  equal(score.why, "nothing to score: there are no references");
});

Deno.test("starScore() of any text is in [0, 1], and the right list is found whatever surrounds it", () => {
  const references = ["15", "117", "42", "69"];
  fc.assert(fc.property(fc.string({ unit: ANY, maxLength: 200 }), (text) => {
    for (const scorer of ["original", "lenient"] as const) {
      const { value } = starScore(text, references, { scorer });
      ok(value! >= 0 && value! <= 1);
    }
  }));
  fc.assert(fc.property(fc.lorem(), fc.lorem(), (before, behind) => {
    equal(starScore(`${before} {"little_penguin": [15, 117, 42, 69]} ${behind}`, references).value, 1);
  }));
});

Deno.test.each(
  [
    ["JSON", '{"总数": 17}', 1, "the sum 17 is right"],
    ["fenced JSON", '```json\n{"total": 17}\n```', 1, "the sum 17 is right"],
    ["a text in place of the number", '{"total": "17"}', 1, "the sum 17 is right"],
    ["full-width digits", "总数：１７", 1, "the sum 17 is right"],
    ["a bare number", "17", 1, "the sum 17 is right"],
    ["a wrong number", '{"total": 18}', 0, "the sum is 17, not 18"],
    ["many numbers and no key", "3 + 5 + 9 = 17", 0, "no sum could be read"],
    ["no number", "I cannot count.", 0, "no sum could be read"],
    ["nothing", "  ", 0, "no answer"],
  ] as [string, string, number, string][],
)("starSum reads %s", (_name, reply, value, why) => {
  const { score } = starSum.grade(reply, { references: ["17"] });
  deepEqual([score.value, score.why], [value, why]);
});

Deno.test("starSum has nothing to score without a reference", () => {
  deepEqual(starSum.grade("17", { references: [] }).score.value, null);
});

Deno.test("a reply without a list or a sum cannot be read, and an empty one says nothing", () => {
  const isUnparsable = (scorer: Scorer, reply: string): boolean =>
    scorer.grade(reply, { references: ["3", "14"] }).unparsable!;
  for (
    const scorer of [starListScorer("stars"), starListScorer("lenient stars"), starListScorer("stars and sum"), starSum]
  ) {
    deepEqual(
      ["", " \n", "I cannot count."].map((reply) => isUnparsable(scorer, reply)),
      [false, false, true],
      scorer.name,
    );
    equal(isUnparsable(scorer, '{"little_penguin": [3], "total": 14}'), false, scorer.name);
  }
});
