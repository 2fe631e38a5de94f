import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { normaliseSpace, splitSentences } from "@/lib/text/mod.ts";

Deno.test("splitSentences() cuts English after full stops, question and exclamation marks", () => {
  deepEqual(splitSentences("Who knows? Nobody! So it is."), ["Who knows?", " Nobody!", " So it is."]);
});

Deno.test("splitSentences() cuts Chinese after full-width marks and keeps closing quotes", () => {
  deepEqual(splitSentences("他问：“下雪了吗？”没有人回答。夜很静！", "zh"), [
    "他问：“下雪了吗？”",
    "没有人回答。",
    "夜很静！",
  ]);
});

Deno.test("splitSentences() gives nothing for a blank text", () => {
  deepEqual(splitSentences(" \n\t "), []);
});

Deno.test("splitSentences() loses no character of the normalised text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.constantFrom("en", "zh"), (text, locale) => {
      equal(splitSentences(text, locale).join(""), normaliseSpace(text));
    }),
    { seed: 5, numRuns: 500 },
  );
});

Deno.test("normaliseSpace() drops line breaks inside Chinese and keeps one space elsewhere", () => {
  equal(normaliseSpace("第一行，\n第二行 with\n English  words。\n"), "第一行，第二行 with English words。");
});
