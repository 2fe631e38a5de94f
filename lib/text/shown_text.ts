const KIBI = 1024;

/**
 * Formats a context length: 4096 as `4K`, 1048576 as `1M`, and other lengths in full.
 *
 * @param tokens The length in tokens, a whole number from 1.
 * @returns The text.
 * @throws {RangeError} If the length is not a whole number from 1.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(lengthText(131_072), "128K");
 * equal(lengthText(1_000_000), "1,000,000");
 * ```
 */
export function lengthText(tokens: number): string {
  if (!Number.isInteger(tokens) || tokens < 1) {
    throw new RangeError(`Cannot write a length as tokens must be a whole number from 1: current value is ${tokens}`);
  }
  if (tokens % (KIBI * KIBI) === 0) return `${tokens / (KIBI * KIBI)}M`;
  if (tokens % KIBI === 0) return `${tokens / KIBI}K`;
  return tokens.toLocaleString("en-US");
}

/**
 * Reads a context length as tables print it: `128k`, `200K`, `1M` or a plain number of tokens.
 *
 * @param text The printed length; K stands for 1,024 tokens and M for 1,048,576.
 * @returns The length in tokens.
 * @throws {SyntaxError} If the text is not a length.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(readLengthText("128k"), 131_072);
 * ```
 */
export function readLengthText(text: string): number {
  const match = /^(\d+)([KkMm]?)$/.exec(text);
  if (match === null || Number(match[1]) === 0) {
    throw new SyntaxError(`Cannot read a length as it must be like "4K", "1M" or "4096": current value is "${text}"`);
  }
  const unit = { "": 1, K: KIBI, M: KIBI * KIBI }[match[2]!.toUpperCase()]!;
  return Number(match[1]) * unit;
}

/**
 * Makes an untrusted text safe to show on one line: line breaks, control characters and direction marks are escaped,
 * and a long text loses its middle.
 *
 * @param text Any text, such as a model's reply.
 * @param characters The most characters of it that are shown. Range: 20 up.
 * @returns The text on one line. It is not escaped for HTML, which tables and figures do themselves.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(quoteText("one\ntwo", 40), "one\\ntwo");
 * equal(quoteText("0123456789".repeat(5), 20), "0123456789… (30 characters) …0123456789");
 * ```
 */
export function quoteText(text: string, characters: number): string {
  const whole = [...text.toWellFormed()];
  const half = Math.floor(characters / 2);
  const cut = whole.length - 2 * half;
  if (cut <= characters % 2) return writeOut(whole.join(""));
  return `${writeOut(whole.slice(0, half).join(""))}… (${cut} characters) …${writeOut(whole.slice(-half).join(""))}`;
}

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function writeOut(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => NAMED[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
