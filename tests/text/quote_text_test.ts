import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { quoteText } from "@/lib/text/mod.ts";

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

Deno.test("quoteText() leaves the middle out and says how much", () => {
  equal(quoteText("a".repeat(30) + "b".repeat(30), 20), "aaaaaaaaaa… (40 characters) …bbbbbbbbbb");
  equal(quoteText("😀".repeat(30), 20), `${"😀".repeat(10)}… (10 characters) …${"😀".repeat(10)}`);
});

Deno.test("quoteText() gives one line without control characters, whatever the text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
    const quoted = quoteText(text, 40);
    ok(!/[\p{Cc}\u2028\u2029\u202a-\u202e]/u.test(quoted) && quoted.isWellFormed());
  }));
});
