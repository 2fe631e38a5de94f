import { deepEqual, equal, ok } from "node:assert/strict";
import {
  countOnce,
  measureWords,
  orderWords,
  sumNumberTokens,
  sumTokens,
  type WordGroup,
} from "@/lib/benchmarks/ruler/word_lists.ts";
import { stream } from "@/lib/random/mod.ts";
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

const GROUPS: readonly WordGroup[] = [{ words: [7], count: 2 }, { words: [1, 2], count: 1 }];

Deno.test("orderWords() repeats each word as often as its group says, and knows both ends beforehand", () => {
  for (let seed = 0; seed < 200; seed++) {
    const order = orderWords(GROUPS, stream(seed));
    const { first, last } = order;
    const all = [...order.all()];
    deepEqual(all.toSorted(), [1, 2, 7, 7]);
    deepEqual([all[0], all.at(-1)], [first, last]);
  }
});

Deno.test("orderWords() gives each of the 12 orders of two equal and two other words about equally often", () => {
  const seen = new Map<string, number>();
  for (let seed = 0; seed < 12_000; seed++) {
    const order = orderWords(GROUPS, stream("order", seed)).all().join("");
    seen.set(order, (seen.get(order) ?? 0) + 1);
  }
  equal(seen.size, 12);
  // 1,000 expected each; 5 standard deviations of a binomial count are 151.
  for (const [order, times] of seen) ok(Math.abs(times - 1000) < 151, `${order} came ${times} times`);
});

Deno.test("orderWords() skips groups without words and words that appear no time", () => {
  const groups = [{ words: [], count: 3 }, { words: [5], count: 0 }, { words: [1], count: 2 }];
  deepEqual([...orderWords(groups, stream("a")).all()], [1, 1]);
});
