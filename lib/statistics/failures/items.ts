import type { Attempt } from "./attempt.ts";
import { pieceShare } from "./traces.ts";
import { blankListNumbers, endOfWords, findListNumbers, FREQUENT_WORDS, MIXED_WORD, spell } from "./words.ts";
import { type AnswerPattern, type AnswerShape, findAll, FRAMING_WORDS } from "@/lib/scorers/mod.ts";

/** An item of a reply: an answer of the form asked for, or a part of one. */
export interface Item {
  /** Normalised. */
  readonly text: string;
  /** Whether only marks come after it. */
  readonly isLast: boolean;
  /** Whether the sentence or list around it still ran at the reply's end. */
  readonly isOpen: boolean;
  /** Its number among the items of its line, from 0, if other lines have the same words; else 0. */
  readonly place: number;
}

/** An item and its place in the reply. */
interface Placed extends Item {
  readonly index: number;
  readonly end: number;
}

/** Finds the items of a reply, in its order; a plain-text answer is not split into items. */
export function listItems(attempt: Attempt): Item[] {
  const { wanted: { shape, asked }, reply } = attempt;
  if (shape === "text") return [];
  const text = reply.normalize("NFKC").replaceAll(/[\u2010\u2011]/g, "-");
  const matches = typeof shape === "object" ? findPattern(text, shape, attempt) : FINDERS[shape](text, attempt);
  const last = endOfWords(text);
  const lastBreak = [...text.matchAll(/[.!?。！？][\s"”'’)\]]+\p{L}/gu)].at(-1)?.index ?? -1;
  const places = placesInLines(text, matches);
  const items = matches.map(({ 0: match, index }, at): Placed => {
    const end = index + match.length;
    const bare = shape === "number" ? match.replaceAll(",", "") : match;
    return { text: attempt.spell(bare), isLast: end >= last, isOpen: end > lastBreak, place: places[at]!, index, end };
  });
  const answers = dropRepeatedSentence(dropKeys(items, text, attempt), blankListNumbers(text), asked);
  return answers.length > asked ? dropRepeatedList(answers) : answers;
}

/** Numbers the items of each line that has the words of another: of "It counted 5, no, 6" over and over, 0 and 1. */
function placesInLines(text: string, matches: readonly Match[]): number[] {
  const formOf = (line: string): string => line.replaceAll(/\d+/g, "0");
  const lines = text.split("\n");
  const forms = Map.groupBy(lines, formOf);
  const places: number[] = [];
  let end = 0;
  for (const line of lines) {
    end += line.length + 1;
    const isForm = forms.get(formOf(line))!.length > 1;
    for (let place = 0; places.length < matches.length && matches[places.length]!.index < end; place++) {
      places.push(isForm ? place : 0);
    }
  }
  return places;
}

type Match = Pick<RegExpExecArray, 0 | "index">;

const FINDERS: Readonly<Record<Exclude<AnswerShape, "text" | AnswerPattern>, (text: string, of: Attempt) => Match[]>> =
  {
    UUID(text, { wanted: { targets, examples, keys } }): Match[] {
      const found = [...text.matchAll(/(?<![0-9a-z])[0-9a-f]{2,}(?:-[0-9a-f]+)*-?(?![0-9a-z])/gi)]
        .filter(([match]) => match.length >= 8 || /\d/.test(match) && match.length >= 4);
      if (!/^[^[]*\{\s*"/.test(text.slice(0, found[0]?.index))) return found;
      // Of an object the values count, if one of them is a right answer, the example's, or a key.
      const values = found.filter(({ index }) => /:\s*"$/.test(text.slice(0, index).slice(-10)));
      return values.some(({ 0: match }) => [targets, examples, keys].some((of) => of.has(spell(match)))) ? values : [];
    },
    number(text, { wanted: { sizes }, missing }): Match[] {
      const least = Math.min(3, ...sizes);
      if (isOtherShape(text)) return [];
      // Numbers of a numbered list or within a code are not items; a sign or decimals make another number.
      const bare = blankListNumbers(text).replaceAll(CODES, (code) => " ".repeat(code.length));
      const matches = bare.matchAll(
        /(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)|(?<=^|[^\S\n]|[([{,:;"=])-\d+(?:\.\d+)?|\d+(?:\.\d+)?/g,
      );
      return [...matches].filter(([match]) => match.length >= least || isPieceOf(match, missing));
    },
    code: (text, { wanted: { sizes }, missing }) =>
      [...text.matchAll(/(?<![A-Za-z\d])[A-Za-z\d]{2,}/g)].filter(([match]) =>
        match.search(CODES) === 0 || /\d/.test(match) && sizes.has(match.length) || isPieceOf(match, missing)
      ),
    variable(text, { wanted: { sizes, targets, rivals, examples }, missing }): Match[] {
      const named = [...text.matchAll(/(?<![A-Za-z0-9_])[A-Z]{2,}(?![A-Za-z0-9_])/g)].filter(([match]) =>
        match !== "VAR" && (sizes.has(match.length) || isPieceOf(match, missing))
      );
      if (named.length > 0) return named;
      // In lower case only known variables count, as any word could be one.
      return [...text.matchAll(/(?<![A-Za-z0-9_])[a-z]{3,}(?![A-Za-z0-9_])/g)]
        .filter(([match]) => [targets, rivals, examples].some((of) => of.has(match)));
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

/** Whether a text is JSON of another shape: a list of objects instead of values. */
export function isOtherShape(text: string): boolean {
  return /\[\s*\{\s*["']/.test(text);
}

function isPieceOf(match: string, missing: readonly string[]): boolean {
  return missing.some((answer) => pieceShare(spell(match), answer) !== null);
}

/**
 * Drops keys that lead to a value, as in "the number for calm-river is 1234567". A key between the marks of a list, or at the
 * end of a line, was given instead of a value.
 */
function dropKeys(items: readonly Placed[], text: string, { wanted }: Attempt): Placed[] {
  const { keys, targets, rivals, links } = wanted;
  const isKey = ({ text }: Item): boolean => keys.has(text) && ![targets, rivals, links].some((of) => of.has(text));
  // Words after the last key of a line can be its value in another form.
  const leadsOn = /^[^\n]*?(?:\b(?:is|are)\b|[:：=是])\s*["'“]?[\p{L}\d]/u.test(text.slice(items.at(-1)?.end ?? 0));
  return items.filter((item, at) => {
    if (!isKey(item)) return true;
    const next = items.findIndex((other, place) => place > at && !isKey(other));
    if (next < 0) return !leadsOn;
    const gap = text.slice(items[next - 1]!.end, items[next]!.index);
    return /^["'”’]*\s*[,，、;]/.test(gap) || /[\]}\n]/.test(gap) && !/[:：=]/.test(gap);
  });
}

/** Drops a further sentence without a new item, as in "It is A and B. The answer is A and B". */
function dropRepeatedSentence(items: readonly Placed[], text: string, asked: number): Item[] {
  const texts = items.map((item) => item.text);
  const given = new Set(texts);
  const lastNew = Math.max(...Array.from(given, (each) => texts.indexOf(each)));
  const again = items.findIndex(({ index }, at) => {
    if (at <= lastNew) return false;
    // The marks of a list end no sentence.
    const gap = text.slice(items[at - 1]!.end, index)
      .replaceAll(/(?<!\s)(?=[^\S\n]*\n)\s+(?:[-*•+]|\d{1,3}[.)])/g, " ");
    if (!/[.!?。\n]/.test(gap) || !/\p{L}{2}/u.test(gap)) return false;
    // On a line of its own it can be one more item of the list.
    return !gap.includes("\n") || at >= asked || new Set(texts.slice(at)).size === given.size;
  });
  return again < 0 ? [...items] : items.slice(0, again);
}

/** Drops the repetition of a whole list, as in "A and B. So the answer is A and B". */
function dropRepeatedList(items: readonly Item[]): Item[] {
  for (let size = 2; size <= items.length / 2; size++) {
    if (items.length % size !== 0 || new Set(items.slice(0, size).map(({ text }) => text)).size < 2) continue;
    if (items.every(({ text }, at) => text === items[at % size]!.text)) return items.slice(-size);
  }
  return [...items];
}

/**
 * Finds the words that a reply lists.
 *
 * A numbered item is the first word after its number ("1. apple (30 times)"). In other lists, words between two marks are items
 * if they do not frame an answer. Of more than two words with framing ones, only words of the context are, and a word after
 * "are" or "be" at the end or, after another item, at the start.
 */
function listWords(text: string, { wanted: { examples }, listed }: Attempt): Match[] {
  const numbers = findListNumbers(text);
  if (numbers.length >= 2 || numbers[0]?.index === 0) {
    return numbers.flatMap(({ 0: number, index }, at) => {
      const start = index + number.length;
      return wordsOf(text.slice(start, numbers[at + 1]?.index ?? text.length), start).slice(0, 1);
    });
  }
  const items: Match[] = [];
  for (const { 0: stretch, index } of text.matchAll(/[^,;:.!?\n•*"“”()]+/g)) {
    const all = wordsOf(stretch, index);
    const words = all.length > 1 && /^(?:and|or)$/i.test(all[0]![0]) ? all.slice(1) : all;
    const bare = words.filter(({ 0: word }) => !FRAMING_WORDS.has(spell(word)));
    const isNext = items.length > 0 && text[index - 1] === ",";
    const isNamed = /^(?:are|is|be|were)$/i.test(words.at(-2)?.[0] ?? "");
    if (words.length === 1 && FREQUENT_WORDS.has(spell(words[0]![0]))) items.push(...words);
    else if (words.length <= 2 || bare.length === words.length) items.push(...bare);
    else {
      items.push(...bare.filter((word) =>
        examples.has(spell(word[0])) || listed().has(spell(word[0])) ||
        isNext && word === words[0] || isNamed && word === words.at(-1)
      ));
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
