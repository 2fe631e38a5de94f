import { equal, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { A, B, C } from "./_values.ts";
import { starScore, starSum } from "@/lib/benchmarks/counting_stars/scorer.ts";
import { valueMatch, valuesInOrder } from "@/lib/benchmarks/needle_threading/scorer.ts";

const COUNTS = ["3", "5", "9"];
/** Characters of a long reply. */
const MANY = cases(50_000, 1_000_000);

/**
 * A kind of malformed reply: the same fault in a list of the counts 3, 5, 9 and in one of three UUIDs, each with its score. More
 * kinds are in the tests of each scorer.
 */
type Kind = readonly [name: string, stars: readonly [string, number], values: readonly [string, number]];

const list = `"${A}", "${B}", "${C}"`;

const KINDS: readonly Kind[] = [
  ["the other language", ['{"little_penguin": [3, 5, 9]} 以上就是结果。', 1], [`这些值依次是：${A}、${B}、${C}。`, 1]],
  ["a refusal in the other language", ["抱歉，我无法完成这个任务。", 0], ["抱歉，我找不到这些键。", 0]],
  ["huge exponents", ['{"小企鹅": [3e999999999, 5, 9]}', 2 / 3], [`[1e999999999, "${B}", "${C}"]`, 2 / 3]],
  ["Infinity", ['{"小企鹅": [-Infinity, 5, 9]}', 2 / 3], [`[Infinity, ${list}]`, 1]],
  ["comments", ['{"小企鹅": [3, /* none, 9 */ 5] // all, 9\n}', 1 / 3], [`[/* none */ ${list}] // all`, 1]],
  ["a byte order mark", ['\ufeff{"小企鹅": [3, 5, 9]}', 1], [`\ufeff[${list}]`, 1]],
  ["repeated keys, of which the last counts", ['{"小企鹅": [3], "小企鹅": [5, 9]}', 2 / 3], [
    `{"a": "${B}", "a": "${A}"}`,
    1 / 3,
  ]],
  ["the same item again", ['{"小企鹅": [3, 3, 3]}', 1 / 3], [`["${A}", "${A}", "${A}"]`, 1 / 3]],
  ["a long run of opened objects", ['{"小企鹅":'.repeat(MANY / 7), 0], ['{"a":'.repeat(MANY / 5), 0]],
  ["a long run of quotation marks", ['"'.repeat(MANY), 0], ['"'.repeat(MANY), 0]],
  ["a long run of spaces", [`{"小企鹅"${" ".repeat(MANY)}: [3, 5, 9]}`, 1], [" ".repeat(MANY) + A, 1 / 3]],
  ["a long run of keys", ["小企鹅".repeat(MANY / 3), 0], [`${A}: `.repeat(MANY / 38), 1 / 3]],
];

Deno.test.each(KINDS as unknown as [string, readonly [string, number], readonly [string, number]][])(
  "starScore() and valueMatch() score malformed replies: %s",
  (_name, [stars, ofStars], [values, ofValues]) => {
    const star = starScore(stars, COUNTS);
    equal(star.value, ofStars);
    const lenient = starScore(stars, COUNTS, { scorer: "lenient" }).value!;
    ok(lenient >= 0 && lenient <= 1);
    const value = valueMatch(values, [A, B, C]);
    equal(value.value, ofValues);
    // An unreadable reply is not the same as a wrong one.
    equal(star.why.includes("no list") || star.why === "no answer", star.form === "none");
    equal(value.why.startsWith("unparsable") || value.why === "no answer", value.form === "none");
    // Neither scorer minds the other's replies, nor do the scorers of sums and of partial credit.
    for (const reply of [stars, values]) {
      ok([0, 1].includes(starSum.grade(reply, { references: ["17"] }).score.value!));
      const score = valuesInOrder.grade(reply, { references: [C], paths: [[A, B, C]] }).partial!.value!;
      ok(score >= 0 && score <= 1);
    }
    ok(starScore(values, COUNTS).value! <= 1 && valueMatch(stars, [A, B, C]).value === 0);
  },
);

Deno.test("starScore() and valueMatch() leave the prototype of objects as it is", () => {
  starScore('{"__proto__": {"polluted": 1}, "小企鹅": [3]}', COUNTS);
  valueMatch(`{"__proto__": {"polluted": "${A}"}}`, [A]);
  equal(({} as Record<string, unknown>)["polluted"], undefined);
  equal(Object.hasOwn(Object.prototype, "小企鹅"), false);
});
