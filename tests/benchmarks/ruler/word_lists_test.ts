import { deepEqual, equal, ok } from "node:assert/strict";
import {
  countOnce,
  drawEachOnce,
  measureWords,
  orderWords,
  sumNumberTokens,
  TextRows,
  WordList,
  writeInOrder,
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

/** A list of words, by number and how often each appears, with as many tokens each as its number. */
function listOf(...words: readonly (readonly [word: number, count: number])[]): WordList {
  const list = new WordList();
  for (const [word, count] of words) list.add(word, count, word);
  return list;
}

Deno.test("WordList keeps places and tokens of its first words, however many", () => {
  const list = listOf([1, 3], [2, 3], [4, 1]);
  deepEqual([0, 1, 2, 3].map((size) => list.places(size)), [0, 3, 6, 7]);
  deepEqual([0, 1, 2, 3].map((size) => list.tokens(size)), [0, 3, 9, 13]);
  deepEqual([0, 1, 2, 3, 4, 5, 6].map((place) => list.at(place)), [1, 1, 1, 2, 2, 2, 4]);
});

const LIST = listOf([7, 2], [1, 1], [2, 1], [5, 9]);

Deno.test("orderWords() repeats each word as often as the list says, and knows both ends beforehand", () => {
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

Deno.test("orderWords() skips words that appear no time", () => {
  deepEqual([...orderWords("a")(listOf([5, 0], [1, 2], [3, 0]), 3).all()], [1, 1]);
});

Deno.test("writeInOrder() writes texts one after another, numbered or not, in any language", () => {
  const texts = new TextRows(["a", " größer", "", "词"]);
  const order = Int32Array.of(3, 1, 0, 2, 1, 0, 0, 0, 0, 0, 3);
  const written = ["词", " größer", "a", "", " größer", "a", "a", "a", "a", "a", "词"];
  equal(writeInOrder(texts, { order, words: [...order], numbered: false }), written.join(""));
  equal(
    writeInOrder(texts, { order, words: [...order], numbered: true }),
    written.map((text, place) => ` ${place + 1}. ${text}`).join(""),
  );
});

Deno.test("writeInOrder() numbers a list past 1,000", () => {
  const written = writeInOrder(new TextRows(["x"]), { order: new Int32Array(1234), words: [0], numbered: true });
  equal(written, Array.from({ length: 1234 }, (_, place) => ` ${place + 1}. x`).join(""));
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
