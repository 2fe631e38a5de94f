import { equal } from "node:assert/strict";
import { findListNumbers, holdsOtherForm, pieceShare } from "@/lib/statistics/failures/attempt.ts";

const UUID = "0c4f0d52-2a1b-4c3d-8e9f-a1b2c3d4e5f6";

Deno.test.each([
  ["half of a number", "1234", "1234567", 4 / 7],
  ["its first two digits", "12", "1234567", 2 / 7],
  ["its first digit", "1", "1234567", null],
  ["its last four digits", "4567", "1234567", 4 / 7],
  ["its last two digits", "67", "1234567", null],
  ["a group of a UUID", UUID.slice(0, 8), UUID, null],
  ["two groups of it", UUID.slice(0, 13), UUID, 13 / 36],
  ["all of it", UUID, UUID, null],
  ["a wrong last digit", "1234568", "1234567", 6 / 7],
  ["two wrong last digits", "1234588", "1234567", null],
  ["a wrong first digit", "9234567", "1234567", 6 / 7],
  ["another number", "7654321", "1234567", null],
  ["half of a pair", "calm", "calm-river", 0.4],
] as [string, string, string, number | null][])("pieceShare() of %s", (_name, text, answer, share) => {
  equal(pieceShare(text, answer), share);
});

Deno.test.each([
  ["a thousands separator", "It is 1,234,567.", "1234567", true],
  ["spaces", "1 234 567", "1234567", true],
  ["full-width digits", "１２３４５６７", "1234567", true],
  ["no hyphens", UUID.replaceAll("-", ""), UUID, true],
  ["accents", "Angela Molnár", "angela molnar", true],
  ["another hyphen", "calm–river", "calm-river", true],
  ["a longer number", "12345678", "1234567", false],
  ["a number within words", "a1234567b", "1234567", false],
  ["another answer", "7654321", "1234567", false],
  ["letters that are too few", "a b c", "abc", false],
] as [string, string, string, boolean][])("holdsOtherForm() on %s", (_name, reply, answer, holds) => {
  equal(holdsOtherForm(reply, answer), holds);
});

Deno.test.each([
  ["a list", "1. one 2. two 3. three", 3],
  ["a list with other marks", "1) one\n2) two", 2],
  ["a bold list", "**1. one** **2. two**", 2],
  ["an answer at the end of a sentence", "The number is 545.", 0],
  ["an answer before more text", "545. I hope this helps.", 0],
  ["a list that does not count from 1", "7. seven 8. eight", 0],
] as [string, string, number][])("findListNumbers() in %s", (_name, text, count) => {
  equal(findListNumbers(text).length, count);
});
