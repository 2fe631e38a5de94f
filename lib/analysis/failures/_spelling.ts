/** Gives the spelling in which texts are compared: lower case, one kind of hyphen and apostrophe, compatible forms as one. */
export function spell(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/[\u2010-\u2015\u2212]/g, "-").replaceAll(/[‘’ʼ]/g, "'")
    .trim();
}

/** Gives the place after the last letter or digit of a text. */
export function endOfWords(text: string): number {
  // Walked by hand, as is the start: a regular expression takes quadratic time on a text that is mostly marks.
  let end = text.length;
  while (end > 0 && !isLetter(text, end - 1)) end--;
  return end;
}

/** Takes everything but letters and digits off both ends. */
export function trimMarks(text: string): string {
  const end = endOfWords(text);
  let start = 0;
  while (start < end && !isLetter(text, start)) start++;
  return text.slice(start, end);
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // Half of a surrogate pair is taken for a letter's.
  return code >= 0xd800 && code <= 0xdfff || /[\p{L}\p{N}\p{M}]/u.test(text[at]!);
}

/** Finds the words of a text without marks and accents: runs of letters and digits in lower case. */
export function plainWords(text: string): string[] {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Tells whether a text holds another and neither end of it lies within a word. Both are to be spelled alike. Scripts that
 * put no space between words have no such ends.
 */
export function holdsWords(text: string, part: string): boolean {
  return findWords(text, part) >= 0;
}

/** Gives the place of another text in a text as {@linkcode holdsWords} finds it; -1 where there is none. */
export function findWords(text: string, part: string): number {
  if (part === "") return -1;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (!isWithinWord(text, at) && !isWithinWord(text, at + part.length)) return at;
  }
  return -1;
}

const ALPHABETIC = /^[\p{L}\p{N}\p{M}]$/u;
const SPACELESS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u;

function isWithinWord(text: string, at: number): boolean {
  const [before, after] = [text[at - 1] ?? " ", text[at] ?? " "];
  const isPart = (character: string): boolean => ALPHABETIC.test(character) && !SPACELESS.test(character);
  return isPart(before) && isPart(after);
}
