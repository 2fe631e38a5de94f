import { measure, type Measured, type Tokenizer } from "@/lib/text/mod.ts";
import type { WordGroup } from "./_word_order.ts";

/** A list of words as it stands in a prompt, its tokens counted word by word. */
export interface WordList {
  /** The text before the first space after its first character. */
  readonly head: string;
  /** The last word with the space before it. */
  readonly tail: string;
  /** The tokens between those two. */
  readonly inner: number;
  /** Writes the whole list; called when the text is wanted, and at most once. */
  readonly write: () => string;
}

/**
 * Measures a list of words from the counts of its words: a space before a word is a safe cut, so counts add up, and the
 * thousands of words of a list need neither be joined nor encoded to be counted.
 */
export function measureWords(list: WordList, tokenizer: Tokenizer): Measured {
  const { head, tail, inner, write } = list;
  // A tokenizer with tokens that reach over a space has to see the text.
  if (!tokenizer.isCut("a b", 1)) return measure(write(), tokenizer);
  let text: string | undefined;
  return {
    head,
    tail,
    inner,
    get text(): string {
      return text ??= write();
    },
  };
}

/**
 * Counts the tokens of numbered texts, such as the words of a list, each once and only when asked.
 *
 * @param textOf The text of a number; it begins with a space.
 * @param options `size`, the bound of the numbers, and `tokenizer`, whose tokens to count.
 */
export function countOnce(
  textOf: (number: number) => string,
  { size, tokenizer }: { readonly size: number; readonly tokenizer: Tokenizer },
): (number: number) => number {
  const known = new Uint16Array(size);
  return (number) => known[number] ||= tokenizer.countAfterCut(textOf(number));
}

/** Adds up the tokens of the first numbers of a list (` 1.`, ` 2.` and so on), each counted once. */
export function sumNumberTokens(tokenizer: Tokenizer): (upTo: number) => number {
  const sums = [0];
  return (upTo) => {
    for (let number = sums.length; number <= upTo; number++) {
      sums.push(sums[number - 1]! + tokenizer.countAfterCut(` ${number}.`));
    }
    return sums[upTo]!;
  };
}

/** Adds up the tokens of a list's words. */
export function sumTokens(groups: readonly WordGroup[], tokensOf: (word: number) => number): number {
  let tokens = 0;
  for (const { words, count } of groups) {
    let once = 0;
    for (const word of words) once += tokensOf(word);
    tokens += count * once;
  }
  return tokens;
}
