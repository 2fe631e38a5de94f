import { FRAMING_WORDS } from "@/lib/scorers/mod.ts";
import type { Attempt } from "./_attempt.ts";
import { FREQUENT_WORDS } from "./_frequent_words.ts";
import { findListNumbers, type ListNumber } from "./_list_numbers.ts";
import { spell } from "./_spelling.ts";

type Match = Pick<RegExpExecArray, 0 | "index">;

/**
 * Finds the words that a reply lists, and not those with which it is worded.
 *
 * A numbered item is the first word after its number ("1. apple (30 times)"). In other lists a stretch between two marks is an
 * item if it is one or two words, or has no framing word in it. Of a longer stretch those words count that stand in the context,
 * that follow "are" or "be" at its end, or that begin it right after another item.
 */
export function listWords(text: string, attempt: Attempt): Match[] {
  const numbers = findListNumbers(text);
  return numbers.length >= 2 || numbers[0]?.index === 0 ? listNumbered(text, numbers) : listPlain(text, attempt);
}

function listNumbered(text: string, numbers: readonly ListNumber[]): Match[] {
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
