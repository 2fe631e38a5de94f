import type { Tokenizer } from "./tokenizer.ts";

/** Counts the tokens of a word after a safe cut, its space included. */
export type CountWord = (word: string) => number;

/** Runs of up to this many hexadecimal digits have their tokens in a table. */
const LONGEST_RUN = 4;
/** A run with a one before its digits, so that zeros at its beginning count, and what stands before it. */
const RUN_BITS = 4 * LONGEST_RUN + 1;
const [ZERO, SMALL_A, HYPHEN] = [0x30, 0x61, 0x2d];

/**
 * Makes a counter for UUIDs and numbers: lower-case hexadecimal digits, in groups with single hyphens between them.
 *
 * They consist of few different runs of letters and of digits, each with the hyphen or space before it, so their tokens are added
 * up from a table that fills as runs are met. Tokenizers that do not tell these apart count the word as a whole.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openEncoding } from "@/lib/text/mod.ts";
 *
 * const tokenizer = await openEncoding("cl100k_base");
 * equal(hexCounter(tokenizer)("9b2c-1e0e"), tokenizer.countAfterCut(" 9b2c-1e0e"));
 * ```
 */
export function hexCounter(tokenizer: Tokenizer): CountWord {
  const { ascii } = tokenizer;
  if (ascii === undefined) return (word) => tokenizer.countAfterCut(` ${word}`);
  const { digits } = ascii;
  const table = new Uint8Array(3 << RUN_BITS);
  const countRun = (word: string, start: number, end: number): number =>
    tokenizer.countAfterCut(start < 0 ? ` ${word.slice(0, end)}` : word.slice(start, end));
  return (word) => {
    let tokens = 0;
    // A run begins with the space before the word, whose place is -1, with a hyphen, or with its first digit.
    let start = -1;
    let lead = 2;
    let run = 1;
    let length = 0;
    let isLetters = false;
    const close = (end: number): number => {
      if (length > LONGEST_RUN) return countRun(word, start, end);
      return table[(lead << RUN_BITS) | run] ||= countRun(word, start, end);
    };
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at);
      const isHyphen = code === HYPHEN;
      const isLetter = code >= SMALL_A;
      if (length > 0 && (isHyphen || isLetter !== isLetters || (!isLetter && length === digits))) {
        tokens += close(at);
        [start, lead, run, length] = [at, isHyphen ? 1 : 0, 1, 0];
      }
      if (isHyphen) continue;
      run = (run << 4) | (isLetter ? code - SMALL_A + 10 : code - ZERO);
      isLetters = isLetter;
      length++;
    }
    return tokens + close(word.length);
  };
}

/**
 * Makes a counter for pairs of words with a hyphen between them and a space before them; pair `n` is of first word
 * `n / seconds.length` and of second word `n % seconds.length`. Each word is counted once, where the tokenizer tells them apart.
 */
export function pairCounter(
  firsts: readonly string[],
  seconds: readonly string[],
  tokenizer: Tokenizer,
): (pair: number) => number {
  if (tokenizer.ascii === undefined) {
    return (pair) =>
      tokenizer.countAfterCut(` ${firsts[Math.floor(pair / seconds.length)]}-${seconds[pair % seconds.length]}`);
  }
  const [firstTokens, secondTokens] = [new Uint8Array(firsts.length), new Uint8Array(seconds.length)];
  return (pair) => {
    const second = pair % seconds.length;
    const first = (pair - second) / seconds.length;
    return (firstTokens[first] ||= tokenizer.countAfterCut(` ${firsts[first]}`)) +
      (secondTokens[second] ||= tokenizer.countAfterCut(`-${seconds[second]}`));
  };
}
