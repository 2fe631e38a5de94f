import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { lengthText } from "@/lib/base/mod.ts";
import { lengthLabel } from "@/lib/figures/mod.ts";
import { keyTexts, numberText, plainText, sharedFormat, textWidth, wrapText } from "@/lib/figures/text_fit.ts";

Deno.test.each([
  [0, "0"],
  [-0, "0"],
  [100, "100"],
  [131072, "131,072"],
  [-1234567, "-1,234,567"],
  [96.64, "96.6"],
  [1234.56, "1,234.6"],
  [3.14159, "3.14"],
  [0.1 + 0.2, "0.3"],
  [0.87349, "0.873"],
  [-0.5, "-0.5"],
  [0.0000001, "1.00e-7"],
  [1e20, "1.00e+20"],
])("numberText() writes %d as %s", (value, text) => {
  equal(numberText(value), text);
});

Deno.test.each([
  ["scores", [99.4, 39, 7.333, 4.5], ["99.4", "39.0", "7.3", "4.5"]],
  ["whole numbers", [100, 0, 1234], ["100", "0", "1,234"]],
  ["accuracies", [1, 0.97, 0.9], ["1.00", "0.97", "0.90"]],
  ["shares below one", [0.5, 0.125], ["0.500", "0.125"]],
  ["whole numbers beside very small ones", [3, 1e-9], ["3", "0"]],
  ["very small numbers", [0.00012, 0.5e-6], ["0.00012", "5.00e-7"]],
  ["nothing", [], []],
] as [string, number[], string[]][])("sharedFormat() writes %s with the same decimals", (_name, values, texts) => {
  deepEqual(values.map(sharedFormat(values)), texts);
});

Deno.test("numberText() is within 5 in a hundred of any number, and a few characters long", () => {
  fc.assert(fc.property(fc.double({ noNaN: true, min: -1e300, max: 1e300 }), (value) => {
    const text = numberText(value);
    ok(Math.abs(Number(text.replaceAll(",", "")) - value) <= Math.abs(value) * 0.05, text);
    ok(text.length <= 22, text);
  }));
});

Deno.test.each([
  ["line breaks", "a\r\n  b\tc ", "a b c"],
  ["control characters", "a\u0000b\u001bc", "a\ufffdb\ufffdc"],
  ["characters that turn the text", "a\u202eb\u2066c", "a\ufffdb\ufffdc"],
  ["half of a character", "a\ud83d", "a\ufffd"],
])("plainText() mends %s", (_name, text, plain) => {
  equal(plainText(text), plain);
});

Deno.test("plainText() shortens by whole characters", () => {
  equal(plainText("😀😀😀", 2), "😀…");
});

Deno.test("keyTexts() gives every text a unique name, and none that objects inherit", () => {
  deepEqual(keyTexts(["a", "a", "a\n", "", "constructor", "__proto__"]), [
    "a",
    "a (2)",
    "a (3)",
    "–",
    "constructor ",
    "__proto__ ",
  ]);
  fc.assert(fc.property(fc.array(fc.string({ maxLength: 3 })), (texts) => {
    const keys = keyTexts(texts);
    equal(new Set(keys).size, texts.length);
    ok(keys.every((key) => !(key in {})));
  }));
});

// Summed from the fonts' own advance widths, in hundredths of an em: Inter, DejaVu Sans.
Deno.test.each(
  [
    ["Context length (tokens)", "normal", 1112, 1189],
    ["Context length (tokens)", "bold", 1141, 1348],
    ["GPT-4: 81.2 at 128K", "normal", 939, 1007],
    ["GPT-4: 81.2 at 128K", "bold", 958, 1127],
  ] as const,
)(
  "textWidth() of %s, %s, is no less than in any font, and hardly more than in the widest",
  (text, weight, inter, dejavu) => {
    const width = textWidth(text, 100, weight);
    ok(width >= Math.max(inter, dejavu) && width <= 1.06 * Math.max(inter, dejavu), String(width));
  },
);

Deno.test("textWidth() of Chinese is an em a character", () => {
  equal(textWidth("中文", 12), 24);
});

Deno.test("wrapText() loses only spaces, and every line fits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), fc.integer({ min: 30, max: 300 }), (text, width) => {
      const lines = wrapText(plainText(text), { width, size: 12 });
      equal(lines.join("").replaceAll(" ", ""), plainText(text).replaceAll(" ", ""));
      ok(lines.every((line) => [...line].length === 1 || textWidth(line, 12) <= width));
    }),
  );
});

Deno.test("wrapText() breaks Chinese between characters, but not before a full stop", () => {
  deepEqual(wrapText("一二三四。五六", { width: 48, size: 12 }), ["一二三", "四。五六"]);
  deepEqual(wrapText("a long line of words", { width: 70, size: 12 }), ["a long line", "of words"]);
});

Deno.test("lengthLabel() writes every length as tables do, and other numbers as numbers", () => {
  deepEqual([0, 1200.5].map(lengthLabel), ["0", "1,200.5"]);
  fc.assert(fc.property(fc.integer({ min: 1, max: 3_000_000 }), (tokens) => {
    equal(lengthLabel(tokens), lengthText(tokens));
  }));
});
