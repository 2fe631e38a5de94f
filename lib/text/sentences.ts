/**
 * Cuts a text into its sentences, by the Unicode rules of the runtime (`Intl.Segmenter`); no model or download is needed.
 *
 * White space is first made a single space, as RULER does with its essays, or nothing between two Chinese characters.
 * The sentences keep the space before them, so together they are the normalised text.
 *
 * @param text Any text, of one language or several.
 * @param locale The language whose rules decide, as a BCP 47 tag.
 * @returns The sentences in order; none is blank.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(splitSentences("Bread rises.\nIt  cools."), ["Bread rises.", " It cools."]);
 * deepEqual(splitSentences("下雪了。\n“真安静。”", "zh"), ["下雪了。", "“真安静。”"]);
 * ```
 */
export function splitSentences(text: string, locale = "en"): string[] {
  const normalised = normaliseSpace(text);
  const sentences: string[] = [];
  let space = "";
  let opening = "";
  for (const { segment } of new Intl.Segmenter(locale, { granularity: "sentence" }).segment(normalised)) {
    const whole = opening + segment;
    // Unicode's rules leave a quotation mark with the sentence before it if no space separates them, as in 天冷了。“是啊。”
    const own = whole.replace(OPENING_AT_END, "");
    opening = own.trim() === "" ? whole : whole.slice(own.length);
    if (opening === whole) continue;
    const sentence = own.trimEnd();
    sentences.push(space + sentence);
    space = own.slice(sentence.length);
  }
  if (opening.trim() === "") return sentences;
  return [...sentences.slice(0, -1), (sentences.at(-1) ?? "") + space + opening.trimEnd()];
}

const OPENING_AT_END = /[“‘（《「『【〈〔]+\s*$/u;

/**
 * Makes each run of white space a single space, and none where it only wraps a line of Chinese.
 *
 * @param text Any text.
 * @returns The text on one line, without space at its ends.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(normaliseSpace(" a\n\n b\t"), "a b");
 * equal(normaliseSpace("下雪了。\n\u3000\u3000真安静。"), "下雪了。真安静。");
 * ```
 */
export function normaliseSpace(text: string): string {
  return text.trim().replace(
    /(?<=[\u3001-\u303f\u4e00-\u9fff\uff01-\uff65”’…—])\s+(?=[\u3001-\u303f\u4e00-\u9fff\uff01-\uff65“‘…—])/gu,
    "",
  )
    .replace(/\s+/gu, " ");
}
