const KIBI = 1024;

/**
 * Writes a context length the way tables do: 4096 as `4K`, 1048576 as `1M`, and a length that is no multiple of 1,024
 * in full.
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
