import { deepEqual, equal, ok } from "node:assert/strict";
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

Deno.test("splitSentences() leaves an opening mark to the sentence that it opens", () => {
  deepEqual(splitSentences("天冷了。“你好。”他说。（笑）《书》好。「好。」", "zh"), [
    "天冷了。",
    "“你好。”",
    "他说。",
    "（笑）《书》好。",
    "「好。」",
  ]);
  deepEqual(splitSentences("他问：“去吗？”“去。”“", "zh"), ["他问：“去吗？”", "“去。”“"]);
  deepEqual(splitSentences("（“", "zh"), ["（“"]);
});

Deno.test("splitSentences() loses no character of the normalised text", () => {
  const marks = fc.string({ unit: fc.constantFrom(..."。“”（）雪！ \n.a") });
  const anyText = fc.oneof(fc.string({ unit: "grapheme" }), marks);
  fc.assert(
    fc.property(anyText, fc.constantFrom("en", "zh"), (text, locale) => {
      equal(splitSentences(text, locale).join(""), normaliseSpace(text));
      ok(splitSentences(text, locale).every((sentence) => sentence.trim() !== ""));
    }),
    { seed: 5, numRuns: 500 },
  );
});

Deno.test("normaliseSpace() drops line breaks inside Chinese and keeps one space elsewhere", () => {
  equal(normaliseSpace("第一行，\n第二行 with\n English  words。\n"), "第一行，第二行 with English words。");
});
