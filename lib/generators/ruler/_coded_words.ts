import { type Draw, pick } from "@/lib/random/mod.ts";

const LETTERS: readonly string[] = [..."abcdefghijklmnopqrstuvwxyz"];

/**
 * Makes words of lower-case letters, all different and none of them part of the prompt's own words.
 *
 * @param options `letters`, how many a word has, at least 4; `noise`, which stands for word 0; `prompt`, the prompt's own words.
 * @returns A function that gives the word of a number; words are drawn in the order of their numbers.
 */
export function codedWords(
  draw: Draw,
  { letters, noise, prompt }: { readonly letters: number; readonly noise: string; readonly prompt: string },
): (word: number) => string {
  const taken = prompt.toLowerCase();
  const words = [noise];
  const used = new Set<string>();
  return (word) => {
    while (words.length <= word) {
      const coded = Array.from({ length: letters }, () => pick(draw, LETTERS)).join("");
      if (used.has(coded) || taken.includes(coded)) continue;
      used.add(coded);
      words.push(coded);
    }
    return words[word]!;
  };
}
