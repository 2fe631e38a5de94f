import { isCutBeforeMark, isCutBeforeWord } from "./tokenizer.ts";

/**
 * Reads off a vocabulary where its tokens can reach: a place in a text is a safe cut if it is one by its characters, and no
 * token holds those same characters on both sides of it.
 *
 * @param tokens The tokens as a `tokenizer.json` writes them: with `▁` for a space, or a letter for each byte.
 * @returns Whether a place in a text is a safe cut.
 */
export function safeCuts(tokens: readonly string[]): (text: string, at: number) => boolean {
  const isByteLevel = tokens.some((token) => token.startsWith("Ġ"));
  const decode = isByteLevel ? byteDecoder() : (token: string): string => token.replaceAll("▁", " ");
  const reached = new Set<string>();
  for (const token of tokens) {
    if (token.length < 2) continue;
    const text = decode(token);
    for (let at = 1; at < text.length; at++) {
      if (isCutBeforeWord(text, at)) reached.add(around(text, at, 1));
      if (isCutBeforeMark(text, at)) reached.add(around(text, at, 0));
    }
  }
  return (text, at) =>
    (isCutBeforeWord(text, at) && !reached.has(around(text, at, 1))) ||
    (isCutBeforeMark(text, at) && !reached.has(around(text, at, 0)));
}

/** The character before a place, the one at it, and as many more as are asked for. */
function around(text: string, at: number, more: number): string {
  // A token can end in the middle of a character that is not ASCII, so that beside a space all of those are one.
  const shown = text.slice(at - 1, at + 1 + more);
  // deno-lint-ignore no-control-regex -- all of ASCII is meant
  return more === 0 ? shown : shown.replace(/[^\u0000-\u007f]/g, "\ufffd");
}

/** Gives a function that reads GPT-2's printable stand-ins for bytes; bytes that are no whole character become U+FFFD. */
function byteDecoder(): (token: string) => string {
  const bytes = new Map<string, number>();
  let spare = 256;
  for (let byte = 0; byte < 256; byte++) {
    const isPrintable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
    bytes.set(String.fromCharCode(isPrintable ? byte : spare++), byte);
  }
  const utf8 = new TextDecoder();
  return (token) => utf8.decode(Uint8Array.from(token, (letter) => bytes.get(letter) ?? 0x3f));
}
