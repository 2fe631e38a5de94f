import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { ANY } from "../_characters.ts";
import { answerMatch, setMatch } from "@/lib/scorers/mod.ts";

const NUMBERS = ["1234567", "7654321"];
const UUIDS = ["3602f8ac-10f1-4c81-848a-aa9e66b2bc5b"];
const NAMES = ["KDRXW", "XUFUS", "MOXDD", "MNOIT", "LVXLX"];
const PAIRS = ["overcooked-symmetry", "major-designation"];
const CODED = ["ufnllw", "iwshay", "rhbtmq"];
const WORDS = ["gelato", "answer", "t-shirt", "parody"];

// F1 = 2 × found / (items given + references).
Deno.test.each([
  ["numbers in a sentence", "They are 1234567 and 7654321.", NUMBERS, 1],
  ["numbers of a tight numbered list", "1.1234567\n2.7654321", NUMBERS, 1],
  ["one number and an extra one", "1234567, 1111111", NUMBERS, 0.5],
  ["numbers of another length are no candidates", "Of 12 needles, 1234567 and 7654321.", NUMBERS, 1],
  ["a number inside a longer one is not found", "91234567 and 76543210", NUMBERS, 0],
  ["a number before a decimal point is another number", "1234567.5 and 0.7654321", NUMBERS, 0],
  ["a number in another script", "番号は1234567です、7654321も。", NUMBERS, 1],
  ["a UUID in upper case", `It is ${UUIDS[0]!.toUpperCase()}.`, UUIDS, 1],
  ["a UUID with a digit too many", `${UUIDS[0]}0`, UUIDS, 0],
  ["variables with their statements", "VAR KDRXW = 26023, VAR XUFUS, MOXDD, MNOIT and LVXLX", NAMES, 1],
  ["variables in lower case after VAR", "VAR kdrxw, VAR xufus, VAR moxdd, VAR mnoit, VAR lvxlx", NAMES, 1],
  ["pairs and one of another length", "overcooked-symmetry, major-designation, odd-fox", PAIRS, 0.8],
  ["a pair with a typographic hyphen", "overcooked‑symmetry and major‐designation", PAIRS, 1],
  ["a pair whose halves stand apart is not found", "overcooked symmetry", PAIRS, 0],
  ["coded words with framing", "Answer: the three words are ufnllw, iwshay, and rhbtmq.", CODED, 1],
  ["coded words copied from the text", "ufnllw abcdef iwshay ghijkl rhbtmq mnopqr", CODED, 6 / 9],
  ["words with framing", "The four most common words in the list are: gelato, answer, t-shirt and parody.", WORDS, 1],
  ["a typographic apostrophe", "o’clock", ["o'clock"], 1],
  ["signs of regular expressions", "(.*) [a-z]+ $& \\", WORDS, 0],
  ["no answer", "\t \n", NUMBERS, 0],
] as [string, string, string[], number][])("setMatch() of %s", (_name, reply, references, want) => {
  equal(setMatch(reply, Object.freeze(references)).value, want);
});

Deno.test("setMatch() gives F1 and its parts", () => {
  const { answer: _, ...score } = setMatch("1234567 1234567 1111111 2222222", NUMBERS);
  deepEqual(score, {
    value: 0.4,
    why: "found 1 of 2: 1234567; missing: 7654321; extra: 1111111, 2222222; repeated: 1",
    found: ["1234567"],
    missing: ["7654321"],
    extra: ["1111111", "2222222"],
    repeats: 1,
  });
});

Deno.test("setMatch() names ten extras and counts the rest", () => {
  const reply = Array.from({ length: 12 }, (_, index) => String(2_000_000 + index)).join(" ");
  equal(setMatch(reply, NUMBERS).why.endsWith("2000009 and 2 more"), true);
});

Deno.test("setMatch() has nothing to score without references, and scores 0 without items", () => {
  const { value, why } = setMatch("1234567", []);
  deepEqual([value, why], [null, "nothing to score: there are no references"]);
  const { value: none, why: reason } = setMatch("", NUMBERS);
  deepEqual([none, reason], [0, "no answer"]);
});

Deno.test("setMatch() is in [0, 1], the same for any order, and 1 only if no item is missing or extra", () => {
  const number = fc.integer({ min: 1_000_000, max: 9_999_999 }).map(String);
  fc.assert(fc.property(fc.array(number), fc.array(number, { minLength: 1 }), (given, references) => {
    const { value, missing, extra } = setMatch(given.join(" "), references);
    const turned = setMatch(given.toReversed().join(" "), references.toReversed());
    equal(value! >= 0 && value! <= 1, true);
    equal(turned.value, value);
    equal(value === 1, missing.length + extra.length === 0);
  }));
});

Deno.test.each([
  ["letters and hyphens", "a-"],
  ["apostrophes", "a'"],
  ["digits and points", "1."],
  ["spaces", " "],
] as [string, string][])("setMatch() reads a million characters of %s", (_name, unit) => {
  const reply = unit.repeat(1_000_000 / unit.length);
  for (const references of [NUMBERS, UUIDS, NAMES, PAIRS, CODED, WORDS]) equal(setMatch(reply, references).value, 0);
});

// Every expected value is that of SQuAD's evaluate-v1.1.py.
Deno.test.each([
  ["the answer", "Denver Broncos", ["Denver Broncos"], 1, true],
  ["ignoring case, articles and punctuation", "the  DENVER broncos!", ["A Denver Broncos"], 1, true],
  ["punctuation inside a word is removed, not made a space", "co-operate", ["cooperate"], 1, true],
  ["half of the words", "Denver", ["Denver Broncos"], 2 / 3, false],
  ["a sentence around the answer", "Denver Broncos won it all", ["Denver Broncos"], 4 / 7, false],
  ["the nearest of several answers", "10th century", ["France", "in the 10th century"], 0.8, false],
  ["a repeated word counts each time", "yes yes yes", ["yes"], 0.5, false],
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

Deno.test("answerMatch() gives a reply that copies a document next to nothing", () => {
  const copied = Array.from({ length: 2000 }, (_, index) => `word${index}`).join(" ");
  equal(answerMatch(`${copied} Rome`, ["Rome"]).value! < 0.001, true);
});

Deno.test("answerMatch() is in [0, 1], and 1 for each of the answers", () => {
  const texts = fc.array(fc.string({ unit: ANY }), { minLength: 1, maxLength: 4 });
  fc.assert(fc.property(texts, fc.string({ unit: ANY }), (references, reply) => {
    const { value } = answerMatch(reply, references);
    equal(value! >= 0 && value! <= 1, true);
  }));
  const words = fc.array(fc.stringMatching(/^[b-z ]{1,12}$/), { minLength: 1, maxLength: 4 });
  fc.assert(fc.property(words, (references) => {
    for (const reference of references) equal(answerMatch(reference, references).value, 1);
  }));
});
