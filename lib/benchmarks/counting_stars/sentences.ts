import wordings from "./wordings.json" with { type: "json" };
import type { StarSettings } from "./knobs.ts";

/** The counted thing by default: a mark that no text has. */
export const STAR = "★";

/** The words of a text that can be chosen, with their defaults. */
type StarWords = Required<OwnWords>;

type OwnWords = Pick<StarSettings, "language" | "thing" | "measure" | "wording" | "counter">;

/** Fills in the reference's words if none are chosen. */
export function starWords({ language, thing = STAR, measure, wording, counter }: OwnWords): StarWords {
  const { measure: ownMeasure, sentence, counter: ownCounter } = wordings[language];
  const own = { measure: measure ?? ownMeasure, wording: wording ?? sentence, counter: counter ?? ownCounter };
  return { language, thing, ...own };
}

/** Fills in the places of a wording, such as `{count}`; unknown ones stay. */
function fill(wording: string, words: Readonly<Record<string, string | number>>): string {
  return wording.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(words[name] ?? place));
}

/** The JSON key of the counts in a reply: the one who counted them. */
function starListKey({ counter }: StarWords): string {
  return counter.toLowerCase().replaceAll(" ", "_");
}

/** Writes the sentence of a count; a question quotes it with `…` for the count. */
export function countSentence({ thing, measure, wording, counter }: StarWords, count: number | string): string {
  return fill(wording, { count, thing, measure, counter });
}

/** Writes what follows a wrong count at once (`corrected`), and the right count in words. */
export function correctionOf(words: StarWords, right: number | string): readonly [string, string] {
  const { language, thing, measure, counter } = words;
  const [head, tail] = wordings[language].corrected as [string, string];
  // The reference has `was` with ★; a named thing is plural.
  const filled = { first: "", right, thing, measure, counter, were: thing === STAR ? "was" : "were" };
  return [fill(head, filled), fill(tail, filled)];
}

/** Writes what follows a wrong count at once (`miscounted`), and its error. */
export function miscountOf({ language, counter }: StarWords, slip: string): readonly [string, string] {
  const [head, tail] = wordings[language].miscounted as [string, string];
  return [fill(head, { first: "" }), fill(tail, { counter, slip })];
}

/** Writes the sentence that corrects an earlier count by its error. */
export function linkOf({ language, counter }: StarWords, slip: string): string {
  return fill(wordings[language].linked, { counter, slip });
}

/** Writes the error of a count in words: how much it is too high or too low. */
export function slipOf({ language, thing, measure }: StarWords, size: number | string, isOver: boolean): string {
  const { tooMany, tooFew } = wordings[language];
  return fill(isOver ? tooMany : tooFew, { size, thing, measure });
}

/** The text between question and answer in a worked example. */
export function starAnswerPrefix({ language }: Pick<StarSettings, "language">): string {
  return wordings[language].answerPrefix;
}

/** Writes the answer of a worked example in the form that the question asks for, with its prefix. */
export function starAnswer(settings: StarSettings, references: readonly string[]): string {
  const { answerPrefix, answerSpace } = wordings[settings.language];
  return `${answerPrefix}${answerSpace}${starJson(settings, references)}`;
}

/** Writes the JSON that the question asks for; its last value is the total, if that is asked for. */
export function starJson(settings: StarSettings, references: readonly string[]): string {
  const { language, ask } = settings;
  const { totalKey, colon, comma } = wordings[language];
  const listKey = starListKey(starWords(settings));
  const counts = ask === "list" ? references : references.slice(0, -1);
  const fields = [
    ...(ask === "sum" ? [] : [`"${listKey}"${colon}[${counts.join(comma)}]`]),
    ...(ask === "list" ? [] : [`"${totalKey}"${colon}${references.at(-1)}`]),
  ];
  return `{${fields.join(comma)}}`;
}

/** The question, which follows the text after four line breaks. */
export function starQuestion(settings: StarSettings): string {
  const { language, sentence, ask, edition } = settings;
  const { opening, openingOfFirst, quoted, listForm, number, each, askOfFirst, ask: asks } = wordings[language];
  const words = starWords(settings);
  const { thing, measure, counter } = words;
  const isFirst = edition === "v1";
  const corrected = sentence === "plain" ? 0 : 1;
  const shared = { thing, measure, counter };
  // A custom sentence is quoted, as the reader cannot know the form of a count otherwise.
  const quote = settings.wording === undefined ? "" : fill(quoted, { sentence: countSentence(words, "…") });
  const question = fill(isFirst ? askOfFirst : asks[ask], {
    ...shared,
    opening: fill(isFirst ? openingOfFirst : opening, { ...shared, quoted: quote }),
    list: fill(listForm, { key: starListKey(words) }),
    number: fill(number[corrected]!, shared),
    each: fill(each[corrected]!, shared),
  });
  return `\n\n\n\n${question}`;
}
