import { deepEqual, equal, ok } from "node:assert/strict";
import { drawEachOnce, measureWords, orderWords, WordList } from "@/lib/benchmarks/ruler/word_lists.ts";
import { stream } from "@/lib/random/mod.ts";
import { countTokens, openEncoding, type Tokenizer } from "@/lib/text/mod.ts";

const tokenizer = await openEncoding("cl100k_base");

Deno.test("measureWords() counts the whole text for a tokenizer whose tokens reach over spaces", () => {
  const uncut: Tokenizer = { ...tokenizer, isCut: () => false, count: (text) => text.length };
  const measured = measureWords({ head: " a", tail: " c", inner: 1, write: () => " a b c" }, uncut);
  equal(countTokens(measured, uncut), 6);
});

/** A list of words, by number and how often each appears, with as many tokens each as its number. */
function listOf(...words: readonly (readonly [word: number, count: number])[]): WordList {
  const list = new WordList();
  for (const [word, count] of words) list.add(word, count, word);
  return list;
}

const LIST = listOf([7, 2], [1, 1], [2, 1], [5, 9]);

Deno.test("orderWords() repeats each word by its count, and knows both ends before it writes", () => {
  for (let seed = 0; seed < 200; seed++) {
    const { first, last, all } = orderWords(seed)(LIST, 3);
    const words = [...all()];
    deepEqual(words.toSorted(), [1, 2, 7, 7]);
    deepEqual([words[0], words.at(-1)], [first, last]);
  }
});

Deno.test("orderWords() gives each of the 12 orders of two equal and two other words about equally often", () => {
  const seen = new Map<string, number>();
  for (let seed = 0; seed < 12_000; seed++) {
    const order = orderWords("order", seed)(LIST, 3).all().join("");
    seen.set(order, (seen.get(order) ?? 0) + 1);
  }
  equal(seen.size, 12);
  // 1,000 expected each; 5 standard deviations of a binomial count are 151.
  for (const [order, times] of seen) ok(Math.abs(times - 1000) < 151, `${order} came ${times} times`);
});

Deno.test("orderWords() gives the same order again, whatever it has ordered before", () => {
  const order = orderWords("again");
  const one = [...order(LIST, 4).all()];
  order(LIST, 2).all();
  deepEqual([...order(LIST, 4).all()], one);
  deepEqual([...orderWords("again")(LIST, 4).all()], one);
});

Deno.test("drawEachOnce() draws every number once, in the order of a Fisher-Yates shuffle of them all", () => {
  for (const size of [1, 2, 300, 5000]) {
    const [draw, next] = [stream("each", size), drawEachOnce(stream("each", size), size)];
    const numbers = Array.from({ length: size }, (_, number) => number);
    for (let drawn = 0; drawn < size; drawn++) {
      const place = drawn + Math.floor(draw() * (size - drawn));
      [numbers[drawn], numbers[place]] = [numbers[place]!, numbers[drawn]!];
      equal(next(), numbers[drawn]);
    }
    equal(next(), undefined);
  }
});
