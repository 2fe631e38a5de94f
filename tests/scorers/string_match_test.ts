import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { ANY } from "../_characters.ts";
import { stringMatchAll, stringMatchPart } from "@/lib/scorers/mod.ts";

const UUID = "3602f8ac-10f1-4c81-848a-aa9e66b2bc5b";

Deno.test.each([
  // The four vectors of the protocol.
  ["one of two numbers", "It is 1234567.", ["1234567", "7654321"], 0.5],
  ["another case", "denver broncos won", ["Denver Broncos"], 1],
  ["inside a longer word", "concatenate", ["cat"], 1],
  ["white space alone", "\t\n", ["1234567"], 0],
  // Replies as models give them.
  ["a bare list", " 1234567, 7654321", ["7654321", "1234567"], 1],
  ["a sentence in bold", "The numbers are **1234567** and **7654321**.", ["1234567", "7654321"], 1],
  ["a number with thousands marked off", "1,234,567", ["1234567"], 0],
  ["a number inside a longer one", "91234567", ["1234567"], 1],
  ["a number broken over lines", "1234\n567", ["1234567"], 0],
  ["a UUID in upper case", UUID.toUpperCase(), [UUID], 1],
  ["a UUID cut short at the budget", UUID.slice(0, 35), [UUID], 0],
  ["variables of a chain, three of five", "KDRXW XUFUS MOXDD", ["KDRXW", "XUFUS", "MOXDD", "MNOIT", "LVXLX"], 0.6],
  ["variables in lower case", "kdrxw, xufus", ["KDRXW", "XUFUS"], 1],
  ["another script around the number", "その番号は1234567です。", ["1234567"], 1],
  ["full-width digits are other digits", "１２３４５６７", ["1234567"], 0],
  [
    "a list of everything wins, as recall alone is scored",
    "1111111 1234567 2222222 7654321",
    ["1234567", "7654321"],
    1,
  ],
  ["a refusal", "I'm sorry, but I cannot find it.", ["1234567"], 0],
  ["a reference that stands twice counts twice", "France", ["France", "France", "Norway", "Sweden"], 0.5],
  ["signs of regular expressions are plain text", "a+b", ["a+b", ".*", "("], 1 / 3],
  ["a reference with a tab never matches, as the reply's tabs are line breaks", "a\tb", ["a\tb"], 0],
  // Case folding: Python's lower() gives the same.
  ["final sigma after a letter", "ΟΔΥΣΣΕΥΣ", ["Οδυσσευς"], 1],
  ["final sigma against middle sigma", "ΟΔΟΣ ΑΒ", ["οδοσ"], 0],
  ["dotted capital I becomes two characters", "İSTANBUL", ["i̇stanbul"], 1],
  ["dotted capital I is not a plain i", "İstanbul", ["istanbul"], 0],
  ["sharp s is not two letters", "STRASSE", ["straße"], 0],
  ["capital sharp s", "STRAẞE", ["straße"], 1],
  ["the Kelvin sign is a k", "\u212A", ["k"], 1],
  ["composed and decomposed letters differ", "café", ["cafe\u0301"], 0],
  ["half of a pair is not found in the whole", "\u{1F600}", ["\uD83D"], 0],
  ["half of a pair is found where it stands alone", "a\uD83Db", ["\uD83D"], 1],
  ["the last half of the first pair is not found in it", "\uD800\uDC00", ["\uDC00"], 0],
  ["the last half of the last pair is not found in it", "\uDBFF\uDFFF", ["\uDFFF"], 0],
  ["the character before the first halves is no half", "\uD7FF\uDC00", ["\uDC00"], 1],
  ["a second half before a second half makes no pair", "\uDC00\uDFFF", ["\uDFFF"], 1],
  ["the character after the last halves is no half", "\uD800\uE000", ["\uD800"], 1],
  // The empty text is in every text, to Python as well.
  ["an empty reference is found in anything", "x", [""], 1],
] as [string, string, string[], number][])("stringMatchAll() %s", (_name, reply, references, want) => {
  equal(stringMatchAll(Object.freeze(reply), Object.freeze(references)).value, want);
});

Deno.test.each([
  ["finds an alias", "10th and 11th centuries.", ["the 10th century", "10th and 11th centuries"], 1],
  ["finds none", "In Paris", ["France", "Normandy"], 0],
  ["finds yes inside another word, as the reference does", "yesterday", ["yes"], 1],
  ["scores no answer 0", " \n ", ["France"], 0],
  ["finds one of two numbers", "It is 1234567.", ["1234567", "7654321"], 1],
] as [string, string, string[], number][])("stringMatchPart() %s", (_name, reply, references, want) => {
  equal(stringMatchPart(reply, references).value, want);
});

Deno.test("stringMatchAll() and stringMatchPart() have nothing to score without references", () => {
  const want = { value: null, answer: "x", why: "nothing to score: there are no references" };
  deepEqual(stringMatchAll("x", []), want);
  deepEqual(stringMatchPart("x", []), want);
});

Deno.test("stringMatchAll() stays in [0, 1], is 1 for a reply that says all, and bounds stringMatchPart() from below", () => {
  const texts = fc.array(fc.string({ unit: ANY, minLength: 1 }), { minLength: 1, maxLength: 5 });
  fc.assert(fc.property(fc.string({ unit: ANY }), texts, (reply, references) => {
    const all = stringMatchAll(reply, references).value!;
    const part = stringMatchPart(reply, references).value!;
    equal(all >= 0 && all <= 1, true);
    equal(part, all > 0 ? 1 : 0);
  }));
  const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 5 });
  fc.assert(fc.property(words, (references) => {
    equal(stringMatchAll(references.join(" and ").toUpperCase(), references).value, 1);
  }));
});

Deno.test("stringMatchAll() reads a reply of millions of characters", () => {
  const reply = `${" ".repeat(2_000_000)}x${"\t".repeat(2_000_000)}1234567${"a".repeat(2_000_000)}`;
  equal(stringMatchAll(reply, ["1234567", "7654321"]).value, 0.5);
});
