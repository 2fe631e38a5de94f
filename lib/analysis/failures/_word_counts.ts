/**
 * Counts the words of a context whose words are to be counted: those of its last numbered list, or, where there is none, of
 * the whole, instructions included.
 *
 * @param context The prompt as far as its question, spelled for comparison.
 */
export function countWords(context: string): Map<string, number> {
  const list = Math.max(context.lastIndexOf("\n1. "), context.startsWith("1. ") ? 0 : -1);
  const counts = new Map<string, number>();
  for (const [word] of context.slice(Math.max(0, list)).matchAll(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}
