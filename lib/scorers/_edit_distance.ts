import { distance } from "fastest-levenshtein";

/** Counts the characters of a text: code points, as Python's `len` does. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * Counts the edits from one text to another: characters put in, taken out or replaced (Levenshtein 1966).
 *
 * A character is a code point, so that a rare Chinese character or an emoji is one edit and not two.
 */
export function editDistance(left: string, right: string): number {
  if (!/[\ud800-\udfff]/.test(left + right)) return distance(left, right);
  // The package compares UTF-16 units, so each different code point becomes a unit of its own.
  const units = new Map<string, string>();
  const toUnits = (text: string): string =>
    Array.from(text, (character) => {
      const unit = units.get(character) ?? String.fromCharCode(units.size);
      units.set(character, unit);
      return unit;
    }).join("");
  return distance(toUnits(left), toUnits(right));
}
