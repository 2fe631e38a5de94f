/**
 * Makes a text of unknown origin fit to be shown on one line: line breaks and control characters are written out, those that
 * turn the direction of writing included, and what is too long loses its middle.
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
