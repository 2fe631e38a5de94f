import { equal } from "node:assert/strict";
import { countOnce, measureWords, sumNumberTokens, sumTokens } from "@/lib/benchmarks/ruler/word_lists.ts";
import { countTokens, openEncoding, type Tokenizer } from "@/lib/text/mod.ts";

const tokenizer = await openEncoding("cl100k_base");

Deno.test("measureWords() writes the text once, and only when it is read", () => {
  let written = 0;
  const list = {
    head: " a",
    tail: " c",
    inner: 1,
    write: () => {
      written++;
      return " a b c";
    },
  };
  const measured = measureWords(list, tokenizer);
  equal(countTokens(measured, tokenizer), 3);
  equal(written, 0);
  equal(measured.text + measured.text, " a b c a b c");
  equal(written, 1);
});

Deno.test("measureWords() counts the whole text for a tokenizer whose tokens reach over spaces", () => {
  const uncut: Tokenizer = { ...tokenizer, isCut: () => false, count: (text) => text.length };
  const measured = measureWords({ head: " a", tail: " c", inner: 1, write: () => " a b c" }, uncut);
  equal(countTokens(measured, uncut), 6);
});

Deno.test("countOnce() asks for each text once", () => {
  const asked: number[] = [];
  const tokensOf = countOnce((number) => {
    asked.push(number);
    return ` ${"ab".repeat(number)}`;
  }, { size: 4, tokenizer });
  equal(tokensOf(3), tokenizer.count(" ababab"));
  equal(tokensOf(3), tokenizer.count(" ababab"));
  equal(asked.join(), "3");
});

Deno.test("sumNumberTokens() adds up the tokens of numbers with a space before and a full stop after", () => {
  const sum = sumNumberTokens(tokenizer);
  const written = (upTo: number): string => Array.from({ length: upTo }, (_, place) => ` ${place + 1}.`).join("");
  equal(sum(1200), tokenizer.count(written(1200)));
  equal(sum(37), tokenizer.count(written(37)));
  equal(sum(0), 0);
});

Deno.test("sumTokens() counts each word as often as its group says", () => {
  equal(sumTokens([{ words: [1, 2], count: 3 }, { words: [4], count: 1 }], (word) => word), 13);
});
