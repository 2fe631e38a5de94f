import type { Attempt } from "./attempt.ts";
import { pieceShare } from "./pieces.ts";
import { blankListNumbers, endOfWords, findListNumbers, FREQUENT_WORDS, MIXED_WORD, spell } from "./words.ts";
import { type AnswerPattern, type AnswerShape, findAll, FRAMING_WORDS } from "@/lib/scorers/mod.ts";

/** An item of the kind asked for, or a part of one. */
export interface Item {
  /** Normalised. */
  readonly text: string;
  /** Whether only marks come after it. */
  readonly isLast: boolean;
  /** Whether the sentence or the list it stands in still ran at the reply's end. */
  readonly isOpen: boolean;
  /** Which item of its line it is where lines of the same words have several, from 0; else 0. */
  readonly place: number;
}

/** An item and its place in the reply. */
interface Placed extends Item {
  readonly index: number;
  readonly end: number;
}

/** Finds the items of a reply, in its order; a plain-text answer is not split into items. */
export function listItems(attempt: Attempt): Item[] {
  const { shape, reply } = attempt;
  if (shape.kind === "text") return [];
  const text = reply.normalize("NFKC").replaceAll(/[\u2010\u2011]/g, "-");
  const matches = typeof shape.kind === "object"
    ? findPattern(text, shape.kind, attempt)
    : FINDERS[shape.kind](text, attempt);
  const last = endOfWords(text);
  const lastBreak = [...text.matchAll(/[.!?。！？][\s"”'’)\]]+\p{L}/gu)].at(-1)?.index ?? -1;
  const places = placesInLines(text, matches);
  const items = matches.map(({ 0: match, index }, at): Placed => {
    const end = index + match.length;
    return {
      place: places[at]!,
      text: attempt.spell(shape.kind === "number" ? match.replaceAll(",", "") : match),
      isLast: end >= last,
      isOpen: end > lastBreak,
      index,
      end,
    };
  });
  const answers = dropSentenceAgain(dropKeys(items, { attempt, text }), {
    text: blankListNumbers(text),
    asked: shape.asked,
  });
  return answers.length > shape.asked ? dropRestated(answers) : answers;
}

/** In "It counted 5, no, 6" over and over, the mistaken and the right number have places of their own. */
function placesInLines(text: string, matches: readonly Match[]): number[] {
  const places: number[] = [];
  const forms = Map.groupBy(text.split("\n"), (line) => line.replaceAll(/\d+/g, "0"));
  let [start, next] = [0, 0];
  for (const line of text.split("\n")) {
    const isForm = forms.get(line.replaceAll(/\d+/g, "0"))!.length > 1;
    start += line.length + 1;
    for (let place = 0; next < matches.length && matches[next]!.index < start; next++) {
      places.push(isForm ? place++ : 0);
    }
  }
  return places;
}

type Match = Pick<RegExpExecArray, 0 | "index">;

const FINDERS: Readonly<
  Record<Exclude<AnswerShape, "text" | AnswerPattern>, (text: string, attempt: Attempt) => Match[]>
> = {
  UUID(text, { shape }): Match[] {
    const found = [...text.matchAll(/(?<![0-9a-z])[0-9a-f]{2,}(?:-[0-9a-f]+)*-?(?![0-9a-z])/gi)]
      .filter(([match]) => match.length >= 8 || /\d/.test(match) && match.length >= 4);
    if (!/^[^[]*\{\s*"/.test(text.slice(0, found[0]?.index))) return found;
    // An object is read for its values, and given where one of them was asked for, is a key that was, or the example's.
    const values = found.filter(({ index }) => /:\s*"$/.test(text.slice(0, index).slice(-10)));
    const isAnswer = ({ 0: match }: Match): boolean =>
      [shape.targets, shape.examples, shape.keys].some((of) => of.has(spell(match)));
    return values.some(isAnswer) ? values : [];
  },
  number(text, { shape, missing }): Match[] {
    const least = Math.min(3, ...shape.sizes);
    if (isOtherShape(text)) return [];
    // The numbers of a numbered list or within a code are not items; a sign or decimals make another number.
    const bare = blankListNumbers(text).replaceAll(CODES, (code) => " ".repeat(code.length));
    const matches = bare.matchAll(
      /(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)|(?<=^|[^\S\n]|[([{,:;"=])-\d+(?:\.\d+)?|\d+(?:\.\d+)?/g,
    );
    return [...matches].filter(([match]) => match.length >= least || isPieceOf(match, missing));
  },
  code: (text, { shape, missing }) =>
    [...text.matchAll(/(?<![A-Za-z\d])[A-Za-z\d]{2,}/g)].filter(([match]) =>
      match.search(CODES) === 0 || /\d/.test(match) && shape.sizes.has(match.length) || isPieceOf(match, missing)
    ),
  variable(text, { shape, missing }): Match[] {
    const named = [...text.matchAll(/(?<![A-Za-z0-9_])[A-Z]{2,}(?![A-Za-z0-9_])/g)].filter(([match]) =>
      match !== "VAR" && (shape.sizes.has(match.length) || isPieceOf(match, missing))
    );
    if (named.length > 0) return named;
    // A reply in lower case can name variables too, but its other words are not names.
    const isKnown = (name: string): boolean => [shape.targets, shape.rivals, shape.examples].some((of) => of.has(name));
    return [...text.matchAll(/(?<![A-Za-z0-9_])[a-z]{3,}(?![A-Za-z0-9_])/g)].filter(([match]) => isKnown(match));
  },
  "word pair": (text, { missing }) =>
    [...text.matchAll(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*-?/gu)]
      .filter(([match]) => match.includes("-") || isPieceOf(match, missing)),
  // Letters can number a list as well.
  word: (text, attempt) => listWords(text.replaceAll(/(?<!\S)[a-z][.)](?=\s)/gi, " ,"), attempt),
};

const CODES = new RegExp(MIXED_WORD, "g");

/** Finds answers of a scorer's own pattern, and words that are a piece of a missing one. */
function findPattern(text: string, shape: AnswerPattern, { missing }: Attempt): Match[] {
  const found = [...text.matchAll(findAll(shape))];
  const isInside = (index: number): boolean =>
    found.some((match) => index >= match.index && index < match.index + match[0].length);
  const pieces = [...text.matchAll(/[\p{L}\p{N}]{2,}/gu)].filter(({ 0: word, index }) =>
    !isInside(index) && isPieceOf(word, missing)
  );
  return [...found, ...pieces].sort((left, right) => left.index - right.index);
}

/** Whether a text is JSON of another shape: objects in a list in place of values. */
export function isOtherShape(text: string): boolean {
  return /\[\s*\{\s*["']/.test(text);
}

function isPieceOf(match: string, missing: readonly string[]): boolean {
  return missing.some((answer) => pieceShare(spell(match), answer) !== null);
}

/**
 * Drops what the facts are about where it leads to a value, as in "the number for calm-river is 1234567". A key that stands
 * between the marks of a list, or at the end of a line, was given in place of a value.
 */
function dropKeys(
  items: readonly Placed[],
  { attempt: { shape }, text }: { readonly attempt: Attempt; readonly text: string },
): Placed[] {
  const isKey = ({ text }: Item): boolean =>
    shape.keys.has(text) && ![shape.targets, shape.rivals, shape.links].some((of) => of.has(text));
  // Words after the last key of a line can be what it leads to, in another form.
  const leadsOn = /^[^\n]*?(?:\b(?:is|are)\b|[:：=是])\s*["'“]?[\p{L}\d]/u.test(text.slice(items.at(-1)?.end ?? 0));
  // The next item from each on that is no key.
  const values: number[] = [];
  for (let at = items.length - 1; at >= 0; at--) values[at] = isKey(items[at]!) ? values[at + 1] ?? items.length : at;
  return items.filter((_, at) => {
    const value = values[at]!;
    if (value === at) return true;
    if (value === items.length) return !leadsOn;
    const gap = text.slice(items[value - 1]!.end, items[value]!.index);
    return /^["'”’]*\s*[,，、;]/.test(gap) || /[\]}\n]/.test(gap) && !/[:：=]/.test(gap);
  });
}

/** Drops a further sentence that says all again, as in "It is A and B. The answer is A and B". */
function dropSentenceAgain(
  items: readonly Placed[],
  { text, asked }: { readonly text: string; readonly asked: number },
): Item[] {
  const said = new Set<string>();
  let news = 0;
  for (const [at, item] of items.entries()) {
    if (!said.has(item.text)) news = at + 1;
    said.add(item.text);
  }
  const left = new Set<string>();
  const countsLeft = items.toReversed().map(({ text }) => left.add(text).size).reverse();
  // From `news` on, no item is new.
  const again = items.findIndex(({ index }, at) => {
    if (at === 0 || at < news) return false;
    // The marks of a list end no sentence.
    const gap = text.slice(items[at - 1]!.end, index)
      .replaceAll(/(?<!\s)(?=[^\S\n]*\n)\s+(?:[-*•+]|\d{1,3}[.)])/g, " ");
    if (!/[.!?。\n]/.test(gap) || !/\p{L}{2}/u.test(gap)) return false;
    // On a line of its own it can be one more item of the list.
    return !gap.includes("\n") || at >= asked || countsLeft[at] === said.size;
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
