import type { Finding } from "../reading.ts";

/**
 * Counts words and parts the most frequent ones from the rest.
 *
 * @param words The words as they stand.
 * @param asked How many are asked for.
 * @returns Those asked for, the most frequent first, and the others; where counts are equal, the one seen first is first.
 */
export function rankWords(
  words: readonly string[],
  asked: number,
): { readonly wanted: Finding[]; readonly rivals: Finding[] } {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const ranked = Array.from(counts, ([word, count]): Finding => ({
    key: word,
    value: word,
    depth: null,
    count,
  })).sort((left, right) => right.count! - left.count!);
  return { wanted: ranked.slice(0, asked), rivals: ranked.slice(asked) };
}
