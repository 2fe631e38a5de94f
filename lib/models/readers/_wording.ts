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
 * Joins an answer to a prompt: a space goes between them where the prompt ends in the middle of a sentence.
 *
 * @param prompt What is continued.
 * @param ending What the prompt ends with where it begins the answer itself; without its outer spaces.
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
