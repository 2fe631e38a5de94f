const KIBI = 1024;

/** Formats a context length: 4096 as `4K`, 1048576 as `1M`, and lengths that are no multiple of 1,024 in full. */
export function lengthText(tokens: number): string {
  if (!Number.isInteger(tokens) || tokens < 1) {
    throw new RangeError(`Cannot write a length as tokens must be a whole number from 1: current value is ${tokens}`);
  }
  if (tokens % (KIBI * KIBI) === 0) return `${tokens / (KIBI * KIBI)}M`;
  if (tokens % KIBI === 0) return `${tokens / KIBI}K`;
  return tokens.toLocaleString("en-US");
}

/** Reads a context length such as `128k`, `1M` or `4096`; K is 1,024 tokens and M 1,048,576. */
export function readLengthText(text: string): number {
  const match = /^(\d+)([KkMm]?)$/.exec(text);
  if (match === null || Number(match[1]) === 0) {
    throw new SyntaxError(`Cannot read a length as it must be like "4K", "1M" or "4096": current value is "${text}"`);
  }
  const unit = { "": 1, K: KIBI, M: KIBI * KIBI }[match[2]!.toUpperCase()]!;
  return Number(match[1]) * unit;
}

/** The noun for a count, such as `sample` for 1 and `samples` for any other; `reply` becomes `replies`. */
export function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun.replace(/(?<=[^aeiou])y$/, "ie")}s`;
}

/** How many of some claims hold, fail, or stay open, such as `1 holds, 2 fail, 0 cannot tell`. */
export function verdictCounts(holds: number, fails: number, open: number): string {
  return `${holds} ${holds === 1 ? "holds" : "hold"}, ${fails} ${fails === 1 ? "fails" : "fail"}, ${open} cannot tell`;
}

/**
 * Makes an untrusted text safe to show on one line: line breaks, control characters and direction marks are escaped, and a
 * text of more than `characters` loses its middle. It is not escaped for HTML, which tables and figures do themselves.
 */
export function quoteText(text: string, characters: number): string {
  const whole = [...text.toWellFormed()];
  const half = Math.floor(characters / 2);
  const cut = whole.length - 2 * half;
  if (cut <= characters % 2) return escapeControls(whole.join(""));
  const [start, end] = [whole.slice(0, half), whole.slice(-half)].map((part) => escapeControls(part.join("")));
  return `${start}… (${cut} characters) …${end}`;
}

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeControls(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => NAMED[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (character) => names[character]!);
}

/** Escapes a text for Markdown: nothing in it is markup, HTML included. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~$&!]/g, (character) => `\\${character}`);
}

/**
 * A few names, and how many more there are.
 *
 * @param most How many to name.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(someOf(["a", "b", "c"], 2), "a, b and 1 more");
 * ```
 */
export function someOf(names: readonly string[], most = 5): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
