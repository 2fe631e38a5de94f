import type { Tokenizer } from "./tokenizer.ts";

/** A growing buffer of ASCII text. Appending many small pieces costs a tenth of joining strings, and leaves no garbage. */
export class AsciiSheet {
  /** The text, up to `end`. Replaced by a longer array as it grows. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The length of the text. */
  end = 0;

  /** Makes an empty buffer. `size` is its first capacity in bytes. */
  constructor(size = 64) {
    this.bytes = new Uint8Array(size);
  }

  /** Adds `size` bytes at the end, which the caller fills; returns the place of the first. */
  extend(size: number): number {
    const start = this.end;
    this.end += size;
    if (this.end > this.bytes.length) {
      const longer = new Uint8Array(2 * this.end);
      longer.set(this.bytes);
      this.bytes = longer;
    }
    return start;
  }

  /** Appends a text. */
  write(text: string): void {
    const start = this.extend(text.length);
    const { bytes } = this;
    for (let place = 0; place < text.length; place++) bytes[start + place] = text.charCodeAt(place);
  }

  /** Appends the bytes from `begin` up to `end`; faster than a text. */
  copy(from: Uint8Array, begin = 0, end: number = from.length): void {
    const start = this.extend(end - begin);
    const { bytes } = this;
    for (let place = begin; place < end; place++) bytes[start + place - begin] = from[place]!;
  }

  /** Returns the text from `from` up to `to`. */
  read(from = 0, to: number = this.end): string {
    return decoder.decode(this.bytes.subarray(from, to));
  }
}

const decoder = new TextDecoder();

/** Counts the tokens of an ASCII word from byte `from` up to `to`, including the space before it. */
export type CountBytes = (bytes: Uint8Array, from: number, to: number) => number;

/** The texts before a run of digits or letters, by number: nothing, a hyphen, a space. Numbers are from 1, so no run has key 0. */
const LEADS: readonly string[] = ["", "", "-", " "];
const [ALONE, AFTER_HYPHEN, AFTER_SPACE] = [1, 2, 3];
/** Runs of up to this many hexadecimal digits are counted from a table. */
const MAX_TABLED = 5;
const HYPHEN = 0x2d;

/**
 * Makes a counter for UUIDs and numbers: lower-case hexadecimal digits, in groups with single hyphens between them.
 *
 * Such a word consists of runs of letters and of digits, of which there are few different ones, so their tokens are added up from
 * a table. Tokenizers that do not split letters from digits count the whole word.
 */
export function hexCounter(tokenizer: Tokenizer): CountBytes {
  const { ascii } = tokenizer;
  if (ascii === undefined) return (bytes, from, to) => tokenizer.countAfterCut(` ${textOf(bytes, from, to)}`);
  // The key of a run: its lead, then its digits, four bits each.
  const table = new Uint8Array((AFTER_SPACE + 1) << (4 * MAX_TABLED));
  const countRun = (run: number): number => {
    const text = run.toString(16);
    return table[run] = tokenizer.countAfterCut(LEADS[Number(text.charAt(0))]! + text.slice(1));
  };
  return (bytes, from, to) => {
    let tokens = 0;
    let lead = AFTER_SPACE;
    for (let at = from; at < to;) {
      if (bytes[at] === HYPHEN) {
        lead = AFTER_HYPHEN;
        at++;
        continue;
      }
      const kind = kindOf(bytes[at]!);
      const limit = kind === 1 ? to : Math.min(to, at + ascii.digits);
      let run = lead;
      let end = at;
      for (; end < limit && bytes[end] !== HYPHEN && kindOf(bytes[end]!) === kind; end++) {
        run = (run << 4) | ((bytes[end]! & 15) + 9 * kind);
      }
      if (end - at > MAX_TABLED) tokens += tokenizer.countAfterCut(LEADS[lead]! + textOf(bytes, at, end));
      else tokens += table[run]! || countRun(run);
      lead = ALONE;
      at = end;
    }
    return tokens;
  };
}

/** 1 for a letter, 0 for a digit. */
function kindOf(code: number): number {
  return code >> 6;
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

/**
 * Makes a counter for two words joined by a hyphen, with a space before them. Pair `n` has first word `n / seconds.length` and second
 * word `n % seconds.length`. Tokenizers that split at the hyphen count each word once.
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
