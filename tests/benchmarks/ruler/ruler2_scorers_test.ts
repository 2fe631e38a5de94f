import { deepEqual, equal, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { findProgram, named } from "../../e2e/_project.ts";
import { hasPackages, runPython } from "../../_python.ts";
import { choiceFound, readChoice, softFound, softLast, softMatch } from "@/lib/benchmarks/ruler/ruler2_scorers.ts";
import { integer, pick, stream } from "@/lib/random/mod.ts";

Deno.test.each(
  [
    ["a number among words", "It is 1234567890.", "1234567890", 1],
    ["other case", "THE ANSWER", "the answer", 1],
    ["one word of four wrong", "the cat sat up", "the cat sat down", 0.75],
    ["as many words too many", "the cat sat on a mat by day", "cat sat mat", 0],
    ["nothing shared", "no", "yes", 0],
    ["an empty reply", "", "yes", 0],
  ] as [string, string, string, number][],
)("softMatch() of %s", (_name, reply, reference, value) => equal(softMatch(reply, reference), value));

Deno.test("the mean is over all references, the last part after the last blank line", () => {
  const item = { references: ["one two three four", "five six"] };
  equal(softFound.grade("five six", item).score.value, 0.5);
  equal(softLast.grade("five six\n\none two three four", item).score.value, 0.5);
  equal(softFound.grade("x", { references: [] }).score.value, null);
  equal(softFound.grade("five six", item).score.why, "1 of 2 found; 0.00, 1.00");
});

Deno.test.each(
  [
    ["a box", "So \\boxed{B}.", "B"],
    ["the last box", "\\boxed{A} no, \\boxed{C}", "C"],
    ["a box with words", "\\boxed{\\text{B. 12}}", "B"],
    ["an open box", "\\boxed{B", null],
    ["a sentence first", "\\boxed{A}\nThe final answer is D", "D"],
    ["after Answer:", "**Answer:** c", "C"],
    ["an article is a capital", "The final answer is A or so", "A"],
    ["an Arabic letter", "\\boxed{ب}", "B"],
    ["no letter", "I do not know", null],
  ] as [string, string, string | null][],
)("readChoice() of %s", (_name, reply, letter) => {
  equal(readChoice(reply), letter);
  equal(choiceFound.grade(reply, { references: ["B"] }).score.value, letter === "B" ? 1 : 0);
});

const WORDS = [
  ..."the magic number 1234567890 42 A b é İ ß \\boxed{B} \\boxed{ } Answer: Question ب Ｃ C. (A) A_1 éA".split(" "),
  ...["**Answer**: C", "The final answer is D", "The final answer is ", "answer :_d"],
  ...["\n\n", "\n", "\r", "\u00a0", "\x1c", "😀", "\ud800"],
];

/** A reply of some words, or of the words of the references with some changed. */
function makeReply(index: number): { readonly reply: string; readonly references: readonly string[] } {
  const draw = stream("ruler2 replies", index);
  const text = (most: number): string =>
    Array.from({ length: integer(draw, { low: 0, high: most }) }, () => pick(draw, WORDS)).join(
      pick(draw, [" ", " ", ""]),
    );
  const references = Array.from({ length: integer(draw, { low: 1, high: 4 }) }, () => text(12));
  const changed = references.join(" ").split(" ").map((word) => draw() < 0.2 ? pick(draw, WORDS) : word).join(" ");
  return { reply: pick(draw, [text(20), changed, `${text(5)}\n\n${changed}`]), references };
}

Deno.test("soft matches are in [0, 1], and a reply that contains a reference has 1", () => {
  for (let index = 0; index < 2_000; index++) {
    const { reply, references } = makeReply(index);
    const { value } = softFound.grade(reply, { references }).score;
    ok(value! >= 0 && value! <= 1);
    for (const reference of references) ok(softMatch(`${reply} ${reference}`, reference) === 1);
  }
});

const python = Deno.env.get("FATHOM_PYTHON") ?? findProgram("python3");
const original = Deno.env.get("FATHOM_RULER2");
const isReady = python !== undefined && original !== undefined && existsSync(original) &&
  hasPackages(python, "editdistance");
const TO_HAVE =
  "FATHOM_PYTHON needs editdistance, FATHOM_RULER2 the path of NeMo Gym's resources_servers/ruler2/app.py";

Deno.test({
  name: named("the scorers of RULER v2 agree with NVIDIA's code on 10,000 made replies", { [TO_HAVE]: !isReady }),
  ignore: !isReady,
  fn: () => {
    const made = Array.from({ length: 10_000 }, (_, index) => makeReply(index));
    const script = new URL("_authors_ruler2.py", import.meta.url).pathname;
    const lines = made.map((line) => JSON.stringify(line)).join("\n");
    const scores = runPython(python!, [script, original!], lines).trimEnd().split("\n").map((line) => JSON.parse(line));
    equal(scores.length, made.length);
    for (const [at, { reply, references }] of made.entries()) {
      const [all, last] = [softFound, softLast].map((scorer) => scorer.grade(reply, { references }).score.value!);
      const { letter, ...theirs } = scores[at]!;
      const near = (one: number, other: number): boolean => Math.abs(one - Math.max(0, other)) < 1e-12;
      ok(near(all!, theirs.all) && near(last!, theirs.last), JSON.stringify([reply, references, all, last, theirs]));
      deepEqual(readChoice(reply), letter, JSON.stringify(reply));
    }
  },
});
