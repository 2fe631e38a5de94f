import { type AnswerShape, type Attempt, endOfWords, FREQUENT_WORDS, spell } from "./attempt.ts";
import { pieceShare } from "./pieces.ts";
import { FRAMING_WORDS } from "@/lib/scorers/mod.ts";

/** An item of the kind asked for, or a part of one. */
export interface Item {
  /** Normalised. */
  readonly text: string;
  /** Whether only marks come after it. */
  readonly isLast: boolean;
}

/** Finds the items of a reply, in its order; a plain-text answer is not split into items. */
export function listItems(attempt: Attempt): Item[] {
  const { shape, reply } = attempt;
  if (shape.kind === "text") return [];
  const text = reply.replaceAll(/[\u2010\u2011]/g, "-");
  const matches = FINDERS[shape.kind](text, attempt);
  const end = endOfWords(text);
  const items = matches.map(({ 0: match, index }) => ({
    text: spell(shape.kind === "number" ? match.replaceAll(",", "") : match),
    isLast: index + match.length >= end,
    index,
    end: index + match.length,
  }));
  const answers = dropSentenceAgain(dropKeys(items, attempt), blankListNumbers(text));
  return answers.length > shape.asked ? dropRestated(answers) : answers;
}

type Match = Pick<RegExpExecArray, 0 | "index">;

const FINDERS: Readonly<Record<Exclude<AnswerShape["kind"], "text">, (text: string, attempt: Attempt) => Match[]>> = {
  uuid: (text) =>
    [...text.matchAll(/(?<![0-9a-z])[0-9a-f]{2,}(?:-[0-9a-f]+)*-?(?![0-9a-z])/gi)]
      .filter(([match]) => match.length >= 8 || /\d/.test(match) && match.length >= 4),
  number(text, { shape, missing }): Match[] {
    const least = Math.min(3, ...shape.sizes);
    // The numbers of a numbered list are not items; a sign or decimals make another number.
    const matches = blankListNumbers(text).matchAll(
      /(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)|(?<![\p{L}\p{N}]\s?|-)-\d+(?:\.\d+)?|\d+(?:\.\d+)?/gu,
    );
    return [...matches].filter(([match]) => match.length >= least || isPieceOf(match, missing));
  },
  name(text, { shape, missing }): Match[] {
    const named = [...text.matchAll(/(?<![A-Za-z0-9_])[A-Z]{2,}(?![A-Za-z0-9_])/g)].filter(([match]) =>
      match !== "VAR" && (shape.sizes.has(match.length) || isPieceOf(match, missing))
    );
    if (named.length > 0) return named;
    // A reply in lower case can name variables too, but its other words are not names.
    const isKnown = (name: string): boolean => [shape.targets, shape.rivals, shape.examples].some((of) => of.has(name));
    return [...text.matchAll(/(?<![A-Za-z0-9_])[a-z]{3,}(?![A-Za-z0-9_])/g)].filter(([match]) => isKnown(match));
  },
  pair: (text, { missing }) =>
    [...text.matchAll(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*-?/gu)]
      .filter(([match]) => match.includes("-") || isPieceOf(match, missing)),
  word: (text, attempt) => listWords(text, attempt),
};

function isPieceOf(match: string, missing: readonly string[]): boolean {
  return missing.some((answer) => pieceShare(spell(match), answer) !== null);
}

/** Drops what the facts are about if something else is said too, as in "the number for calm-river is 1234567". */
function dropKeys<Of extends Item>(items: readonly Of[], { shape }: Attempt): Of[] {
  const isAnswer = ({ text }: Item): boolean =>
    !shape.keys.has(text) || [shape.targets, shape.rivals].some((of) => of.has(text)) || shape.links.has(text);
  const answers = items.filter(isAnswer);
  return answers.length > 0 ? answers : [...items];
}

/** Drops what a further sentence only says again, as in "It is A. The answer is A". */
function dropSentenceAgain(
  items: readonly (Item & { readonly index: number; readonly end: number })[],
  text: string,
): Item[] {
  const again = items.findIndex(({ index }, at) => {
    // The marks of a list end no sentence.
    const gap = at === 0 ? "" : text.slice(items[at - 1]!.end, index).replaceAll(/\n\s*(?:[-*•+]|\d{1,3}[.)])/g, " ");
    if (!/[.!?。\n]/.test(gap) || !/\p{L}{2}/u.test(gap)) return false;
    const said = new Set(items.slice(0, at).map((item) => item.text));
    return items.slice(at).every((item) => said.has(item.text));
  });
  return again < 0 ? [...items] : items.slice(0, again);
}

/** Drops the repetition of a whole list, as in "A and B. So the answer is A and B". */
function dropRestated(items: readonly Item[]): Item[] {
  for (let size = 2; size <= items.length / 2; size++) {
    if (items.length % size !== 0 || new Set(items.slice(0, size).map(({ text }) => text)).size < 2) continue;
    if (items.every(({ text }, at) => text === items[at % size]!.text)) return items.slice(-size);
  }
  return [...items];
}

/** Finds the numbers of a numbered list: those that count from 1 without a gap. */
function findListNumbers(text: string): Match[] {
  const numbers: Match[] = [];
  for (const match of text.matchAll(/(?<![^\s(*_])(\d{1,3})[.)、:](?=\s*[^\s.,;:!?])/g)) {
    if (Number(match[1]) === numbers.length + 1) numbers.push(match);
  }
  return numbers;
}

/** Replaces the numbers of a numbered list by spaces. */
export function blankListNumbers(text: string): string {
  let blank = text;
  for (const { 0: number, index } of findListNumbers(text)) {
    blank = blank.slice(0, index) + " ".repeat(number.length) + blank.slice(index + number.length);
  }
  return blank;
}

/**
 * Finds the words that a reply lists, without its framing words.
 *
 * A numbered item is the first word after its number ("1. apple (30 times)"). In other lists a stretch between two marks is an
 * item if it is one or two words, or has no framing word. In a longer stretch those words count that occur in the context, that
 * follow "are" or "be" at its end, or that start it right after another item.
 */
function listWords(text: string, attempt: Attempt): Match[] {
  const numbers = findListNumbers(text);
  return numbers.length >= 2 || numbers[0]?.index === 0 ? listNumbered(text, numbers) : listPlain(text, attempt);
}

function listNumbered(text: string, numbers: readonly Match[]): Match[] {
  return numbers.flatMap(({ 0: number, index }, at) => {
    const start = index + number.length;
    const [first, second, third] = wordsOf(text.slice(start, numbers[at + 1]?.index ?? text.length), start);
    const isArticle = first !== undefined && /^(?:an?|the)$/i.test(first[0]);
    const word = isArticle && second && !third ? second : first;
    return word ? [word] : [];
  });
}

function listPlain(text: string, { shape, counts }: Attempt): Match[] {
  const isKnown = (word: string): boolean => shape.examples.has(word) || counts().has(word);
  const isFraming = ({ 0: word }: Match): boolean => FRAMING_WORDS.has(spell(word));
  const items: Match[] = [];
  for (const { 0: stretch, index } of text.matchAll(/[^,;:.!?\n•*"“”()]+/g)) {
    const all = wordsOf(stretch, index);
    const words = all.length > 1 && /^(?:and|or)$/i.test(all[0]![0]) ? all.slice(1) : all;
    const bare = words.filter((word) => !isFraming(word));
    const goesOn = items.length > 0 && text[index - 1] === ",";
    if (words.length === 1) items.push(...(bare.length === 1 || FREQUENT_WORDS.has(spell(words[0]![0])) ? words : []));
    else if (words.length === 2 || bare.length === words.length) items.push(...bare);
    else {
      const isPlaced = (word: Match): boolean =>
        word === words[0] && goesOn || word === words.at(-1) && /^(?:are|is|be|were)$/i.test(words.at(-2)![0]);
      items.push(...bare.filter((word) => isKnown(spell(word[0])) || isPlaced(word)));
    }
  }
  return items;
}

function wordsOf(text: string, start: number): Match[] {
  return Array.from(text.matchAll(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu), ({ 0: word, index }) => ({
    0: word,
    index: start + index,
  }));
}
