import type { Tokenizer } from "./tokenizer.ts";

/** Counts the tokens of a word of ASCII between two places, the space before it included. */
export type CountBytes = (bytes: Uint8Array, from: number, to: number) => number;

/**
 * A run is a number: its hexadecimal digits, after one that says what stands before them. A run of up to five digits has its
 * tokens in a table; {@linkcode LONG} is the first of six.
 */
const [ALONE, AFTER_HYPHEN, AFTER_SPACE, LONG] = [1, 2, 3, 0x1000000];
const TABLE_SIZE = 0x400000;
const LEADS: readonly string[] = ["", "", "-", " "];
const HYPHEN = 0x2d;

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
 * const bytes = new TextEncoder().encode("9b2c-1e0e");
 * equal(hexCounter(tokenizer)(bytes, 0, 9), tokenizer.countAfterCut(" 9b2c-1e0e"));
 * ```
 */
export function hexCounter(tokenizer: Tokenizer): CountBytes {
  const { ascii } = tokenizer;
  if (ascii === undefined) return (bytes, from, to) => tokenizer.countAfterCut(` ${textOf(bytes, from, to)}`);
  const digits = Math.min(ascii.digits, TABLE_SIZE);
  const table = new Uint8Array(TABLE_SIZE);
  const countRun = (run: number): number => {
    const text = run.toString(16);
    return table[run] = tokenizer.countAfterCut(LEADS[Number(text.charAt(0))]! + text.slice(1));
  };
  const groups = new Uint8Array(2 ** 16);
  const countGroup = (group: number): number =>
    groups[group] ||= tokenizer.countAfterCut(`-${group.toString(16).padStart(4, "0")}`);
  return (bytes, from, to) => {
    let tokens = 0;
    let run = AFTER_SPACE;
    let length = 0;
    let before = kindOf(bytes[from]!);
    for (let at = from; at < to; at++) {
      const code = bytes[at]!;
      if (code === HYPHEN) {
        tokens += table[run]! || countRun(run);
        for (let group = groupOfFour(bytes, at, to); group >= 0; group = groupOfFour(bytes, at, to)) {
          tokens += countGroup(group);
          at += 5;
        }
        run = AFTER_HYPHEN;
        length = 0;
        before = kindOf(bytes[at + 1]!);
        continue;
      }
      const kind = kindOf(code);
      // Subtle: all bits or none in place of true and false; which it is cannot be foretold, so that a branch would be slow.
      const goesOn = ((kind ^ before) - 1) & (-kind | ((length - digits) >> 31));
      const known = table[run]!;
      tokens += (known | goesOn) === 0 ? countRun(run) : known & ~goesOn;
      run = (((run & goesOn) | (ALONE & ~goesOn)) << 4) | digitOf(code);
      length = (length & goesOn) + 1;
      before = kind;
      if (run < LONG) continue;
      const end = runEnd(bytes, at + 1, kind, kind === 1 ? to : Math.min(to, at + 1 + digits - length));
      tokens += tokenizer.countAfterCut(LEADS[run >> 24]! + textOf(bytes, at - 5, end));
      at = end - 1;
      run = ALONE;
      length = 0;
      before = kindOf(bytes[end]!);
    }
    return tokens + (table[run]! || countRun(run));
  };
}

/** The digits between a hyphen and another one, where there are four, as UUIDs have three times; -1 where there are not. */
function groupOfFour(bytes: Uint8Array, at: number, to: number): number {
  if (at + 5 >= to || bytes[at + 5] !== HYPHEN) return -1;
  let group = 0;
  for (let place = at + 1; place < at + 5; place++) {
    const code = bytes[place]!;
    if (code === HYPHEN) return -1;
    group = (group << 4) | digitOf(code);
  }
  return group;
}

/** The value of a hexadecimal digit. */
function digitOf(code: number): number {
  return (code & 15) + 9 * kindOf(code);
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}

/** The end of a run of a kind that goes on at a place, up to another. */
function runEnd(bytes: Uint8Array, at: number, kind: number, to: number): number {
  let end = at;
  while (end < to && bytes[end] !== HYPHEN && kindOf(bytes[end]!) === kind) end++;
  return end;
}

/** 1 for a letter, 0 for a digit. */
function kindOf(code: number): number {
  return code >> 6;
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
