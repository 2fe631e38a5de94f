/// <reference lib="dom" />
import { html, type TemplateResult } from "lit-html";

/** Control characters and direction marks, which could change what a page shows. */
const HIDDEN = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Returns a text as it is shown: hidden characters are written out, such as `\u{202e}`. */
export function visible(text: string): string {
  return text.toWellFormed().replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Returns a score in percent without decimals; a dash if there is none. */
export function percentText(value: number | null | undefined): string {
  return typeof value === "number" ? String(Math.round(100 * value)) : "–";
}

/** A stretch of a text, in UTF-16 code units, with the kind of its mark. */
export type Mark = readonly [from: number, to: number, kind: string];

/** Returns the parts of a text with its marks, which are in order. */
export function markText(text: string, marks: readonly Mark[]): readonly (string | TemplateResult)[] {
  let end = 0;
  const parts = marks.flatMap(([from, to, kind]) => {
    const before = visible(text.slice(end, from));
    end = to;
    return [before, html`<mark class=${kind} title=${kind}>${visible(text.slice(from, to))}</mark>`];
  });
  return [...parts, visible(text.slice(end))];
}

/** Finds values in a text, in any case; the longest at a place wins, and of equal ones that of the last kind. */
export function findValues(
  text: string,
  kinds: readonly (readonly [kind: string, values: readonly string[]])[],
): Mark[] {
  const known = new Map(kinds.flatMap(([kind, values]) => values.map((value) => [value.trim().toLowerCase(), kind])));
  known.delete("");
  if (known.size === 0) return [];
  const values = [...known.keys()].sort((left, right) => right.length - left.length);
  const pattern = new RegExp(values.map((value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|"), "giu");
  return [...text.matchAll(pattern)].map((
    { 0: found, index },
  ) => [index, index + found.length, known.get(found.toLowerCase()) ?? kinds[0]![0]]);
}
