import { equal, throws } from "node:assert/strict";
import fc from "fast-check";
import { countTokens, ENCODING_NAMES, join, measure, measureForm, openEncoding } from "@/lib/text/mod.ts";

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

Deno.test("measureForm() takes any number of fillings", async () => {
  const tokenizer = await openEncoding("cl100k_base");
  for (const fixed of [["Say ", ""], ["From ", " by way of ", " to ", " at last."]]) {
    const fillings = fixed.slice(1).map((_, which) => `place-${which}`);
    const text = fixed.map((part, which) => part + (fillings[which] ?? "")).join("");
    const measured = measureForm(fixed, tokenizer)(fillings);
    equal(measured.text, text);
    equal(countTokens(measured, tokenizer), countTokens(measure(text, tokenizer), tokenizer));
  }
});

Deno.test.each([
  ["nothing to fill in", ["one text"]],
  ["no space before a filling", ["for", " is ", "."]],
  ["no space behind a filling", ["for ", "is ", "."]],
  ["one space for two fillings", ["for ", " ", "."]],
] as [string, string[]][])("measureForm() refuses a form with %s", async (_name, fixed) => {
  const tokenizer = await openEncoding("cl100k_base");
  throws(() => measureForm(fixed, tokenizer), {
    name: "RangeError",
    message: /^Cannot measure a form as its texts must have spaces round each filling: current value is \[/,
  });
});
