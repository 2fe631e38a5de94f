import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { answerMatch } from "@/lib/scorers/mod.ts";

// Every expected value is that of SQuAD's evaluate-v1.1.py.
Deno.test.each([
  ["the answer", "Denver Broncos", ["Denver Broncos"], 1, true],
  ["case, articles and punctuation aside", "the  DENVER broncos!", ["A Denver Broncos"], 1, true],
  ["punctuation inside a word is taken out, not made a space", "co-operate", ["cooperate"], 1, true],
  ["half of the words", "Denver", ["Denver Broncos"], 2 / 3, false],
  ["a sentence round the answer", "Denver Broncos won it all", ["Denver Broncos"], 4 / 7, false],
  ["the nearest of several answers", "10th century", ["France", "in the 10th century"], 0.8, false],
  ["a word counts as often as it stands", "yes yes yes", ["yes"], 0.5, false],
  ["no word shared", "Oslo", ["Rome"], 0, false],
  ["no part of a word", "Romeo", ["Rome"], 0, false],
  ["an article inside a word stays", "Theatre an der Wien", ["theatre der wien"], 1, true],
  ["an article beside a letter of another script stays", "àthe", ["à"], 0, false],
  ["another script, one word without spaces", "北京", ["北京"], 1, true],
  ["no answer", " \t", ["Rome"], 0, false],
  ["articles alone against articles alone", "The", ["a"], 1, true],
] as [string, string, string[], number, boolean][])("answerMatch() of %s", (_name, reply, references, want, exact) => {
  const score = answerMatch(reply, Object.freeze(references));
  deepEqual([score.value, score.exact], [want, exact]);
});

Deno.test("answerMatch() says how near the reply came", () => {
  equal(answerMatch("Denver", ["Denver Broncos"]).why, "F1 0.67 with the words of Denver Broncos");
  equal(answerMatch("denver broncos", ["Denver Broncos"]).why, "the words of Denver Broncos");
  equal(answerMatch("", ["Denver Broncos"]).why, "no answer");
});

Deno.test("answerMatch() has nothing to score without references", () => {
  const { value, exact, why } = answerMatch("Rome", []);
  deepEqual([value, exact, why], [null, null, "nothing to score: there are no references"]);
});

Deno.test("answerMatch() gives a reply that copies a document next to nothing", () => {
  const copied = Array.from({ length: 2000 }, (_, index) => `word${index}`).join(" ");
  equal(answerMatch(`${copied} Rome`, ["Rome"]).value! < 0.001, true);
});

Deno.test("answerMatch() is in [0, 1], and 1 for each of the answers", () => {
  const texts = fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 4 });
  fc.assert(fc.property(texts, fc.string({ unit: "binary" }), (references, reply) => {
    const { value } = answerMatch(reply, references);
    equal(value! >= 0 && value! <= 1, true);
  }));
  const words = fc.array(fc.stringMatching(/^[b-z ]{1,12}$/), { minLength: 1, maxLength: 4 });
  fc.assert(fc.property(words, (references) => {
    for (const reference of references) equal(answerMatch(reference, references).value, 1);
  }));
});
