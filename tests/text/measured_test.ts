import { equal, throws } from "node:assert/strict";
import fc from "fast-check";
import {
  countTokens,
  ENCODING_NAMES,
  join,
  measure,
  measureForm,
  type Meetings,
  openEncoding,
  repeater,
  startJoin,
} from "@/lib/text/mod.ts";

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

Deno.test("startJoin() counts a join that is made again with some parts changed, whatever it remembers of the one before", async () => {
  const tokenizer = await openEncoding("cl100k_base");
  const piece = fc.constantFrom(...PIECES);
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 8 }),
      fc.array(fc.tuple(fc.nat(7), piece)),
      (pieces, changes) => {
        const meetings: Meetings = { opens: [], heads: [], tokens: [] };
        for (const [place, changed] of [[8, ""] as const, ...changes]) {
          if (place < pieces.length) pieces[place] = changed;
          const joining = startJoin(tokenizer, meetings);
          for (const text of pieces) joining.add(measure(text, tokenizer));
          equal(joining.tokens(), tokenizer.count(pieces.join("")));
        }
      },
    ),
    { seed: 13, numRuns: 500 },
  );
});

Deno.test("repeater() counts what the repeated text counts, for units with and without a safe cut", async () => {
  const tokenizer = await openEncoding("o200k_base");
  for (const unit of ["Here we go.\n", "go", "下雪了。", " ..."]) {
    for (const times of [0, 1, 2, 17]) {
      const repeated = repeater(measure(unit, tokenizer), tokenizer)(times);
      equal(repeated.text, unit.repeat(times));
      equal(countTokens(repeated, tokenizer), tokenizer.count(unit.repeat(times)));
    }
  }
});

const LINE = ["One of the special magic numbers for ", " is: ", ".\n"];

for (const name of ENCODING_NAMES) {
  Deno.test(`measureForm() counts as a whole encode does, alone and joined, whatever is filled in (${name})`, async () => {
    const tokenizer = await openEncoding(name);
    const measureLine = measureForm(LINE, tokenizer);
    const filling = fc.oneof(
      fc.stringMatching(/^[a-z]{1,9}-[a-z]{1,9}$/),
      fc.uuid(),
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("", " ", "two words", " a", "a ", "\n", "下雪了。", "."),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(filling, filling), { minLength: 1, maxLength: 4 }), (lines) => {
        const whole = lines.map(([key, value]) => LINE[0] + key + LINE[1] + value + LINE[2]).join("");
        const measured = join(lines.map(measureLine), tokenizer);
        equal(measured.text, whole);
        equal(countTokens(measured, tokenizer), tokenizer.count(whole));
      }),
      { numRuns: 150, seed: 7 },
    );
  });
}

Deno.test.each([
  ["nothing to fill in", ["one text"]],
  ["no space before a filling", ["for", " is ", "."]],
  ["no space behind a filling", ["for ", "is ", "."]],
  ["one space for two fillings", ["for ", " ", "."]],
] as [string, string[]][])("measureForm() refuses a form with %s", async (_name, fixed) => {
  const tokenizer = await openEncoding("cl100k_base");
  throws(() => measureForm(fixed, tokenizer), {
    name: "RangeError",
    message: /^Cannot measure texts of the template \[.*it must have a space before and after each filling$/,
  });
});
