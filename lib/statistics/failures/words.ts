import { FRAMING_WORDS } from "@/lib/scorers/mod.ts";

/**
 * Words of an answer from English and not from a list: the hundred most common words of the Oxford
 * English Corpus (Oxford University Press, 2006, by dictionary form), and the inflected forms among the fifty most common of
 * Google Books (Norvig, "English letter frequency counts: Mayzner revisited", 2012).
 */
export const FREQUENT_WORDS: ReadonlySet<string> = new Set(
  `the be to of and a in that have i it for not on with he as you do at this but his by from they we say her she
   or an will my one all would there their what so up out if about who get which go me when make can like time
   no just him know take people into year your good some could them see other than then now look only come its
   over think also back after use two how our work first well way even new want because any these give day most us
   is was are were has had been more`.split(/\s+/),
);

/** Normalises text for comparison: lower case, one kind of hyphen and apostrophe, compatible forms as one. */
export function spell(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/[\u2010-\u2015\u2212]/g, "-").replaceAll(/[‘’ʼ]/g, "'")
    .trim();
}

/** {@linkcode spell} with every run of white space as one space. */
export function oneLine(text: string): string {
  return spell(text).replaceAll(/\s+/g, " ");
}

/** Returns the place after the last letter or digit of a text. */
export function endOfWords(text: string): number {
  // A loop, as a regular expression takes quadratic time on mostly punctuation.
  let end = text.length;
  while (end > 0 && !isLetter(text, end - 1)) end--;
  return end;
}

/** Trims everything but letters and digits from both ends. */
export function trimMarks(text: string): string {
  const end = endOfWords(text);
  let start = 0;
  while (start < end && !isLetter(text, start)) start++;
  return text.slice(start, end);
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // Half of a surrogate pair counts as a letter's.
  return code >= 0xd800 && code <= 0xdfff || /[\p{L}\p{N}\p{M}]/u.test(text[at]!);
}

/** The pattern source of a word of digits and letters, such as "e2f38cfd5e"; none of its digits is a number. */
export const MIXED_WORD = String.raw`(?<![A-Za-z\d])(?=[A-Za-z\d]*?(?:[A-Za-z]\d+[A-Za-z]|\d[A-Za-z]+\d))[A-Za-z\d]+`;

/** Returns the words of a text without marks and accents: runs of letters and digits in lower case. */
export function plainWords(text: string): string[] {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the words of a text that the question lacks and that frame no answer; in Chinese, stretches between marks. */
export function ownWords(text: string, question: string): string[] {
  const asked = new Set(plainWords(question));
  return plainWords(text).filter((word) =>
    !asked.has(word) && !FRAMING_WORDS.has(word) && !(HAN.test(word) && question.includes(word))
  );
}

const HAN = /\p{Script=Han}/u;

/** Finds the numbers of a numbered list, which count from 1 without a gap. */
export function findListNumbers(text: string): RegExpExecArray[] {
  const numbers: RegExpExecArray[] = [];
  for (const match of text.matchAll(/(?<![^\s(*_])(\d{1,3})(?:[.)、:](?=\s*[^\s.,;:!?])|[.)]?\s*$)/g)) {
    // A number at the end is one of the list where that has begun.
    const isEnd = match.index + match[0].length === text.length;
    if (Number(match[1]) === numbers.length + 1 && (!isEnd || numbers.length > 1)) numbers.push(match);
  }
  return numbers;
}

/** Replaces the numbers of a numbered list by spaces. */
export function blankListNumbers(text: string): string {
  let [blank, end] = ["", 0];
  for (const { 0: number, index } of findListNumbers(text)) {
    blank += text.slice(end, index) + " ".repeat(number.length);
    end = index + number.length;
  }
  return blank + text.slice(end);
}

/** Returns the words of the context's last numbered list or, without one, of the whole context. */
export function countListed(context: string): Set<string> {
  const list = Math.max(context.lastIndexOf(" 1. "), 0);
  return new Set(context.slice(list).match(WORD));
}

/** A word of letters, with apostrophes and hyphens inside. */
export const WORD = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu;

/** Returns the first sentence of a text. */
export function firstSentence(text: string): string {
  return new RegExp(`^.*?${SENTENCE_END}`, "su").exec(blankListNumbers(text))?.[0] ?? text;
}

// The mark that ends a sentence before another; "12." is a number of a list.
export const SENTENCE_END = '(?<!(?<!\\d)\\d{1,3})[.!?。！？](?=[\\s"”*]*\\p{L})';

/**
 * Returns a sentence without its repetition of the question and without an article: the text after its last "is", or all of it if
 * the text before that has no word of the question.
 */
export function afterLead(sentence: string, question: string): string {
  // No lead goes over the end of a line; to look for one would take long.
  const [, lead = "", given = sentence] = /[\n\r\u2028\u2029]/.test(sentence)
    ? []
    : /^(.{0,1000}(?:\b(?:is|was|are|were|called|named)\b|就是|[是为叫]))[\s:：，,"“]*(?=[\p{L}\p{N}])(.*)$/iu.exec(
      sentence,
    ) ?? [];
  return trimMarks((namesAsked(lead, question) ? given : sentence).replace(/^(?:an?|the) /i, ""));
}

/** Whether a text has a content word of a question, or four of its characters in Chinese. */
export function namesAsked(text: string, question: string): boolean {
  const [asked] = /^[^?？]*/.exec(question)!;
  const words = plainWords(asked).filter((word) => word.length >= MIN_CONTENT && !FRAMING_WORDS.has(word));
  const stretches = Array.from(spell(text).matchAll(/(?=(\p{Script=Han}{4}))/gu), ([, stretch]) => stretch!);
  const given = new Set(plainWords(text));
  return words.some((word) => given.has(word)) || stretches.some((each) => asked.includes(each));
}

// The least letters of a content word.
const MIN_CONTENT = 4;
