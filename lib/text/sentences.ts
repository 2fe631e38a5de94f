/**
 * Cuts a text into its sentences by the Unicode rules of the runtime (`Intl.Segmenter`); nothing is downloaded.
 *
 * White space is normalised first, as RULER does with its essays (see {@linkcode normaliseSpace}). Sentences keep the space
 * before them, so together they are the normalised text; none is blank. `locale` is a BCP 47 tag.
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

/** Makes each run of white space a single space, or nothing where it only wraps a line of Chinese; trims both ends. */
export function normaliseSpace(text: string): string {
  return text.trim().replace(
    /(?<=[\u3001-\u303f\u4e00-\u9fff\uff01-\uff65”’…—])\s+(?=[\u3001-\u303f\u4e00-\u9fff\uff01-\uff65“‘…—])/gu,
    "",
  )
    .replace(/\s+/gu, " ");
}
