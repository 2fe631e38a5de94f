import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { countTokens, makeHaystack, normaliseSpace, openEncoding, splitSentences } from "@/lib/text/mod.ts";

const TEXTS = ["Bread rises slowly. It cools fast. Who eats it?", "The sea is wide. It never rests."];

Deno.test("makeHaystack() measures runs longer than the text, from any start, as the tokenizer counts them", async () => {
  for (const name of ["cl100k_base", "r50k_base"] as const) {
    const tokenizer = await openEncoding(name);
    const haystack = makeHaystack(TEXTS, { name: "two", tokenizer });
    for (let start = -3; start < 8; start++) {
      for (const count of [0, 1, 5, 6, 10, 11, 23]) {
        const run = haystack.run(start, count);
        const sentences = Array.from({ length: count }, (_, at) => haystack.run((start + at + 5) % 5, 1).text);
        equal(run.text, sentences.join(""), `${start}, ${count}`);
        equal(countTokens(run, tokenizer), tokenizer.count(run.text), `${start}, ${count}`);
      }
    }
  }
});

Deno.test("makeHaystack() measures every run of sentences that have no safe cut of their own", async () => {
  const tokenizer = await openEncoding("cl100k_base");
  const texts = ["是。", "The sky is blue.", " Yes.", "The sun is yellow.", "“你好”，他说。", "是。"];
  const haystack = makeHaystack(texts, { name: "short", tokenizer, locale: "zh" });
  ok(haystack.size < texts.length);
  for (let start = 0; start < haystack.size; start++) {
    for (let count = 0; count <= haystack.size; count++) {
      const run = haystack.run(start, count);
      equal(countTokens(run, tokenizer), tokenizer.count(run.text), JSON.stringify(run.text));
    }
  }
  equal(haystack.run(0, haystack.size).text, texts.map((text) => text.trim()).join(""));
});

Deno.test("makeHaystack() lists sentences from the shortest, with their tokens", async () => {
  const tokenizer = await openEncoding("cl100k_base");
  const haystack = makeHaystack(TEXTS, { name: "two", tokenizer });
  const lengths = haystack.byLength.map(({ tokens }) => tokens);
  equal(lengths.length, haystack.size);
  ok(lengths.every((tokens, rank) => rank === 0 || tokens >= lengths[rank - 1]!));
  for (const { sentence, tokens } of haystack.byLength) equal(tokens, tokenizer.count(haystack.run(sentence, 1).text));
});

Deno.test("makeHaystack() refuses texts without a sentence", async () => {
  const tokenizer = await openEncoding("cl100k_base");
  throws(() => makeHaystack(["  "], { name: "blank", tokenizer }), {
    name: "RangeError",
    message:
      'Cannot make haystack "blank" as its texts must have at least one sentence of two words: current value is 0',
  });
});

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
