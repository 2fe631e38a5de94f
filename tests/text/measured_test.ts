import { equal } from "node:assert/strict";
import fc from "fast-check";
import { indexUnits } from "@/lib/text/haystack.ts";
import { countTokens, EMPTY, ENCODING_NAMES, join, measure, openEncoding, repeat } from "@/lib/text/mod.ts";

const PIECES = [
  "The grass is green.",
  " The sky is blue.",
  "\nOne of the special magic numbers for a-b is: 1234567.\n",
  " 12 345 6789",
  "word",
  " ",
  "\n",
  "\n\n",
  "...",
  " ...",
  "don't",
  "'s",
  "/",
  "“你好”，他说。",
  "河流很长",
  "。",
  "小明最喜欢的地点。",
  " 天气，很好",
  "é",
  "\u3000",
  "",
];

for (const name of ENCODING_NAMES) {
  Deno.test(`join() and countTokens() count what ${name} makes of the whole text, whatever pieces it came from`, async () => {
    const tokenizer = await openEncoding(name);
    const piece = fc.oneof(
      fc.constantFrom(...PIECES),
      fc.string({ maxLength: 12 }),
      fc.string({ unit: "grapheme", maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const joined = join(pieces.map((text) => measure(text, tokenizer)), tokenizer);
        equal(joined.text, pieces.join(""));
        equal(countTokens(joined, tokenizer), tokenizer.count(pieces.join("")));
      }),
      { seed: 11, numRuns: 1000 },
    );
  });
}

Deno.test("join() is associative in text and count", async () => {
  const tokenizer = await openEncoding("cl100k_base");
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { minLength: 3, maxLength: 6 }), (pieces) => {
      const [first, ...rest] = pieces.map((text) => measure(text, tokenizer));
      const nested = join([first!, join(rest, tokenizer)], tokenizer);
      equal(countTokens(nested, tokenizer), tokenizer.count(pieces.join("")));
    }),
    { seed: 3, numRuns: 300 },
  );
});

Deno.test("EMPTY changes nothing it is joined to", async () => {
  const tokenizer = await openEncoding("cl100k_base");
  const line = measure("Here we go.", tokenizer);
  equal(countTokens(join([EMPTY, line, EMPTY], tokenizer), tokenizer), tokenizer.count("Here we go."));
});

Deno.test("repeat() counts what the repeated text counts, for units with and without a safe cut", async () => {
  const tokenizer = await openEncoding("o200k_base");
  for (const unit of ["Here we go.\n", "go", "下雪了。", " ..."]) {
    for (const times of [0, 1, 2, 17]) {
      const repeated = repeat(measure(unit, tokenizer), { times, tokenizer });
      equal(repeated.text, unit.repeat(times));
      equal(countTokens(repeated, tokenizer), tokenizer.count(unit.repeat(times)));
    }
  }
});

Deno.test("indexUnits() measures every run of units as the tokenizer counts it", async () => {
  const tokenizer = await openEncoding("cl100k_base");
  const units = ["The sky is blue.", " Yes.", " The sun is yellow.", "“你好”，他说。", "是。", " Here we go."];
  const indexed = indexUnits(units, tokenizer);
  for (let start = 0; start < indexed.size; start++) {
    for (let end = start; end <= indexed.size; end++) {
      const run = indexed.slice(start, end);
      equal(countTokens(run, tokenizer), tokenizer.count(run.text), JSON.stringify(run.text));
    }
  }
  equal(indexed.slice(0, indexed.size).text, units.join(""));
});
