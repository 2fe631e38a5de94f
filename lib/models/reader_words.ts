import type { Finding } from "@/lib/generators/mod.ts";
import { type Draw, integer, pick, uuid } from "@/lib/random/mod.ts";

/** What a reader falls back on when it does not look at the text: the most frequent words of English. */
export const FREQUENT_WORDS: readonly string[] = [
  "the",
  "of",
  "and",
  "to",
  "a",
  "in",
  "that",
  "is",
  "was",
  "for",
  "it",
  "with",
  "as",
  "his",
  "on",
  "be",
];

/** Names and numbers that everybody knows, for questions answered from memory. */
export const FAMOUS_ANSWERS: readonly string[] = [
  "Paris",
  "London",
  "William Shakespeare",
  "New York City",
  "1945",
  "Albert Einstein",
  "the United States",
  "Microsoft",
  "1066",
  "Leonardo da Vinci",
];

const ADJECTIVES = ["quiet", "golden", "brave", "hidden", "early", "gentle"];
const NOUNS = ["river", "lantern", "garden", "harbor", "feather", "mountain"];

/** Makes up a value that looks like another one: a UUID, a number of as many digits, or two joined words. */
export function inventLike(value: string, draw: Draw): string {
  if (/^[0-9a-f]{8}-/.test(value)) return uuid(draw);
  if (/^\d+$/.test(value)) {
    const low = 10 ** (value.length - 1);
    return String(integer(draw, { low, high: 10 * low - 1 }));
  }
  return `${pick(draw, ADJECTIVES)}-${pick(draw, NOUNS)}`;
}

/** Makes up a name of capital letters. */
export function inventName(letters: number, draw: Draw): string {
  return Array.from(
    { length: letters },
    () => String.fromCharCode(integer(draw, { low: 65, high: 90 })),
  ).join("");
}

/** Finds the last match of a pattern, which must have the `g` flag. */
export function lastMatch(
  text: string,
  pattern: RegExp,
): RegExpMatchArray | null {
  let last: RegExpMatchArray | null = null;
  for (const match of text.matchAll(pattern)) last = match;
  return last;
}

/**
 * Joins an answer to a prompt, with a space where the prompt ends in the middle of a sentence: with `ending`, without its outer spaces.
 */
export function continueWith(
  prompt: string,
  ending: string,
): (answer: string) => string {
  const tail = prompt.slice(-ending.length - 40);
  const isOpen = tail.endsWith(ending);
  return (answer) => answer !== "" && isOpen ? ` ${answer}` : answer;
}

/** Lists texts as a sentence does: `a`, `a and b`, `a, b, and c`. */
export function listTexts(texts: readonly string[]): string {
  if (texts.length <= 2) return texts.join(" and ");
  return `${texts.slice(0, -1).join(", ")}, and ${texts.at(-1)}`;
}

const NUMBER_WORDS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
];

/** Reads a whole number written in digits or, up to ten, in words. */
export function readNumber(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  const number = NUMBER_WORDS.indexOf(text.toLowerCase());
  return number < 0 ? null : number;
}

/** Writes a whole number in words up to ten, in digits above. */
export function writeNumber(number: number): string {
  return NUMBER_WORDS[number] ?? String(number);
}

/** Counts words and separates the `asked` most frequent from the rest; on equal counts the one seen first is first. */
export function rankWords(
  words: readonly string[],
  asked: number,
): { readonly wanted: Finding[]; readonly rivals: Finding[] } {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const ranked = Array.from(counts, ([word, count]): Finding => ({
    key: word,
    value: word,
    depth: null,
    count,
  })).sort((left, right) => right.count! - left.count!);
  return { wanted: ranked.slice(0, asked), rivals: ranked.slice(asked) };
}

/** Draws one of several things by weight; the first where all weights are 0. */
export function drawWeighted<T>(draw: Draw, choices: readonly (readonly [T, number])[]): T {
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
  let left = draw() * total;
  for (const [choice, weight] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  return choices[0]![0];
}
