import { type Draw, integer, pick, uuid } from "@/lib/random/mod.ts";

/** The words that a reader falls back on when it does not look at the text: the most frequent ones of English. */
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
