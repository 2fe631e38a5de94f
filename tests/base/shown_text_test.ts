import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { ANY } from "../_characters.ts";
import { liveIn, NASTY_TEXTS } from "../cli/_nasty_texts.ts";
import {
  countCharacters,
  escapeMarkdown,
  grouped,
  lengthText,
  mean,
  percent,
  plural,
  quoteText,
  rangeText,
  readLengthText,
  shownText,
  shownTexts,
  someOf,
  sum,
} from "@/lib/base/mod.ts";

Deno.test.each(
  [
    [512, "512"],
    [1000, "1,000"],
    [1024, "1K"],
    [4096, "4K"],
    [204_800, "200K"],
    [1_048_576, "1M"],
    [2_000_000, "2,000,000"],
  ] as [number, string][],
)("lengthText() of %d is %s", (tokens, text) => {
  equal(lengthText(tokens), text);
});

Deno.test.each(
  [["4k", 4096], ["128K", 131_072], ["1M", 1_048_576], ["512", 512]] as [string, number][],
)("readLengthText() of %s is %d", (text, tokens) => {
  equal(readLengthText(text), tokens);
});

Deno.test("readLengthText() undoes lengthText() for every length that is a multiple of 1,024", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 4096 }), (kibi) => {
    equal(readLengthText(lengthText(1024 * kibi)), 1024 * kibi);
  }));
});

Deno.test("lengthText() and readLengthText() refuse what is no length", () => {
  throws(() => lengthText(0.5), {
    name: "RangeError",
    message: "Cannot write a length as tokens must be a whole number from 1: current value is 0.5",
  });
  for (const text of ["", "0K", "K", "4 K", "-1", "4G"]) {
    throws(() => readLengthText(text), {
      name: "SyntaxError",
      message: `Cannot read a length as it must be like "4K", "1M" or "4096": current value is "${text}"`,
    });
  }
});

Deno.test.each([
  ["line breaks and tabs", "one\r\n\ttwo", "one\\r\\n\\ttwo"],
  ["an escape sequence of a terminal", "\u001b[31mred", "\\u{1b}[31mred"],
  ["a mark that turns the direction of writing", "a\u202eb", "a\\u{202e}b"],
  ["half of a surrogate pair", "a\ud800", "a\ufffd"],
  ["nothing", "", ""],
  ["markup, which is left to who shows it", "<b>", "<b>"],
])("quoteText() writes out %s", (_name, text, quoted) => {
  equal(quoteText(text, 100), quoted);
});

Deno.test("quoteText() cuts the middle out and counts what is cut", () => {
  equal(quoteText("a".repeat(30) + "b".repeat(30), 20), "aaaaaaaaaa… (40 characters) …bbbbbbbbbb");
  equal(quoteText("😀".repeat(30), 20), `${"😀".repeat(10)}… (10 characters) …${"😀".repeat(10)}`);
});

Deno.test("quoteText() gives one line without control characters, whatever the text", () => {
  fc.assert(fc.property(fc.string({ unit: ANY, maxLength: 200 }), (text) => {
    const quoted = quoteText(text, 40);
    ok(!/[\p{Cc}\u2028\u2029\u202a-\u202e]/u.test(quoted) && quoted.isWellFormed());
  }));
});

Deno.test("plural() keeps the noun for 1 alone", () => {
  deepEqual([0, 1, 2].map((count) => plural(count, "sample")), ["samples", "sample", "samples"]);
  deepEqual(["reply", "day"].map((noun) => plural(2, noun)), ["replies", "days"]);
});

Deno.test("someOf() lists all of a few names, and the first of many with the number of others", () => {
  equal(someOf(["a", "b"], 2), "a, b");
  equal(someOf(["a", "b", "c"], 2), "a, b and 1 more");
});

Deno.test("shownText() is inert on one line, whatever the text", () => {
  for (const text of [...NASTY_TEXTS, ...NASTY_TEXTS.map((text) => `${text}${text}`)]) {
    deepEqual(liveIn(shownText(text)), [], JSON.stringify(text));
    equal(shownText(shownText(text), 9999), shownText(text));
  }
  for (
    const plain of ["qwen2.5-7b@q4_k_m", "llama.cpp b6000", "org/model:free", "gemma-3 (27B) #q", "a::b".slice(0, 2)]
  ) {
    equal(shownText(plain), plain);
  }
  equal(shownText("@a https://b"), "\\u{40}a https:\\u{2f}/b");
  const marks = fc.constantFrom(..."@:/#[<w.a1! \n\u202e");
  for (const unit of [marks, ANY]) {
    fc.assert(fc.property(fc.string({ unit, maxLength: 100 }), (text) => deepEqual(liveIn(shownText(text)), [])));
  }
});

Deno.test("shownTexts() makes every text of plain data inert, and keeps an address readable", () => {
  const shown = shownTexts({ a: ["@x", { b: "\n::x::" }], n: 1, none: null, address: "http://127.0.0.1/v1\n" });
  deepEqual(shown, {
    a: ["\\u{40}x", { b: "\\n:\\u{3a}x:\\u{3a}" }],
    n: 1,
    none: null,
    address: "http://127.0.0.1/v1\\n",
  });
});

Deno.test("escapeMarkdown() leaves nothing that a code host links, and one line", () => {
  for (const text of NASTY_TEXTS) {
    const escaped = escapeMarkdown(text);
    deepEqual(liveIn(escaped.replaceAll("&#8203;", "·"), ["mention", "link", "reference"]), [], escaped);
    ok(!/[\r\n]/.test(escaped) && !/(?<!\\)[<>`|*_[\]]/.test(escaped), escaped);
  }
  equal(escapeMarkdown("@a, www.b.c #1"), "@&#8203;a, www&#8203;.b.c \\#&#8203;1");
});

Deno.test("quoteText() is the same for short and long texts, and does not spread what it leaves out", () => {
  fc.assert(
    fc.property(fc.string({ unit: ANY, maxLength: 60 }), fc.integer({ min: 0, max: 30 }), (text, characters) => {
      const whole = Array.from(text.toWellFormed());
      equal(countCharacters(text), Array.from(text).length);
      const half = Math.floor(characters / 2);
      const [start, end] = [whole.slice(0, half), whole.slice(whole.length - half)].map((part) =>
        quoteText(part.join(""), 60)
      );
      const shown = whole.length <= characters
        ? quoteText(text, 60)
        : `${start}… (${whole.length - 2 * half} characters) …${end}`;
      equal(quoteText(text, characters), shown);
    }),
  );
  // Spread, it would need a gigabyte.
  const long = `${"x".repeat(2 ** 27)}😀`;
  equal(quoteText(long, 4), `xx… (${2 ** 27 - 3} characters) …x😀`);
});

Deno.test("sum() and mean() add numbers in their order, or what is made of each item", () => {
  equal(sum([]), 0);
  equal(sum([0.1, 0.2, 0.3]), 0.1 + 0.2 + 0.3);
  equal(sum(new Map([["a", 2], ["b", 3]]).values()), 5);
  equal(sum([{ n: 2 }, { n: 3 }], ({ n }, at) => n * (at + 1)), 8);
  equal(mean([1, 2, 6]), 3);
  equal(mean(["a", "abc"], ({ length }) => length), 2);
  equal(mean([]), NaN);
});

Deno.test("grouped(), percent() and rangeText() format numbers", () => {
  deepEqual([999, 1234.5, 2_000_000].map(grouped), ["999", "1,235", "2,000,000"]);
  deepEqual([percent(0.123), percent(0.12345, 1), percent(-0.5)], ["12%", "12.3%", "-50%"]);
  deepEqual([rangeText([9, 7, 8]), rangeText([7, 7]), rangeText([1000, 0.5], String)], ["7 to 9", "7", "0.5 to 1000"]);
});
