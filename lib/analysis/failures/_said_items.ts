import { blankListNumbers } from "./_list_numbers.ts";
import { listWords } from "./_listed_words.ts";
import type { AnswerKind } from "./_answer_shape.ts";
import type { Attempt } from "./_attempt.ts";
import { endOfWords, spell } from "./_spelling.ts";
import { pieceShare } from "./_pieces.ts";

/** Something in a reply that is of the kind that was asked for, or a part of such a thing. */
export interface Item {
  /** As it is compared. */
  readonly text: string;
  /** Whether nothing but marks comes after it. */
  readonly isLast: boolean;
}

/** Finds the items of a reply, in its order; a text is not taken apart into items. */
export function listItems(attempt: Attempt): Item[] {
  const { shape, reply } = attempt;
  if (shape.kind === "text") return [];
  const text = reply.replaceAll(/[\u2010\u2011]/g, "-");
  const matches = FINDERS[shape.kind](text, attempt);
  const end = endOfWords(text);
  const items = matches.map(({ 0: match, index }): Item => ({
    text: spell(shape.kind === "number" ? match.replaceAll(",", "") : match),
    isLast: index + match.length >= end,
  }));
  const answers = dropKeys(items, attempt);
  return answers.length > shape.asked ? dropRestated(answers) : answers;
}

type Match = Pick<RegExpExecArray, 0 | "index">;

const FINDERS: Readonly<Record<Exclude<AnswerKind, "text">, (text: string, attempt: Attempt) => Match[]>> = {
  uuid: (text) =>
    [...text.matchAll(/(?<![0-9a-z])[0-9a-f]{2,}(?:-[0-9a-f]+)*-?(?![0-9a-z])/gi)]
      .filter(([match]) => match.length >= 8 || /\d/.test(match) && match.length >= 4),
  number(text, { shape, missing }): Match[] {
    const least = Math.min(3, ...shape.sizes);
    // The numbers of a numbered list are no items.
    const matches = blankListNumbers(text).matchAll(/(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)|\d+/g);
    return [...matches].filter(([match]) => match.length >= least || isPieceOf(match, missing));
  },
  name(text, { shape, missing }): Match[] {
    const named = [...text.matchAll(/(?<![A-Za-z0-9_])[A-Z]{2,}(?![A-Za-z0-9_])/g)].filter(([match]) =>
      match !== "VAR" && (shape.sizes.has(match.length) || isPieceOf(match, missing))
    );
    if (named.length > 0) return named;
    // A reply in lower case can name variables too, but its other words are no names.
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

/** Leaves out what the facts are about where something else is said, as in "the number for calm-river is 1234567". */
function dropKeys(items: readonly Item[], { shape }: Attempt): Item[] {
  const isAnswer = ({ text }: Item): boolean =>
    !shape.keys.has(text) || [shape.targets, shape.rivals].some((of) => of.has(text)) || shape.links.has(text);
  const answers = items.filter(isAnswer);
  return answers.length > 0 ? answers : [...items];
}

/** Leaves out a list's repetition as a whole, as in "A and B. So the answer is A and B". */
function dropRestated(items: readonly Item[]): Item[] {
  for (let size = 2; size <= items.length / 2; size++) {
    if (items.length % size !== 0 || new Set(items.slice(0, size).map(({ text }) => text)).size < 2) continue;
    if (items.every(({ text }, at) => text === items[at % size]!.text)) return items.slice(-size);
  }
  return [...items];
}
