import type { Haystack } from "@/lib/text/mod.ts";

/**
 * Finds the sentence breaks that are nearest to evenly spaced places.
 *
 * @param shares The places, as shares of the text's tokens, rising.
 * @param text The text: where it starts in the essays and how many sentences it has.
 * @returns For each place how many sentences stand before it, rising.
 */
export function nearestBreaks(
  shares: readonly number[],
  { essays, start, size }: { readonly essays: Haystack; readonly start: number; readonly size: number },
): number[] {
  // The few tokens at the ends of a run are left out: they cost time to count and move no break.
  const tokensUpTo = (sentences: number): number => Math.max(0, essays.run(start, sentences).inner);
  const total = tokensUpTo(size);
  return shares.map((share) => {
    const place = share * total;
    let low = 0;
    let high = size;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (tokensUpTo(middle) <= place) low = middle;
      else high = middle;
    }
    return place - tokensUpTo(low) <= tokensUpTo(high) - place ? low : high;
  });
}

/**
 * Gives how many units of clean text stand before each star, as the reference's generators place them.
 *
 * A star belongs at i * floor(size / M). The first edition measures that in the text with the stars before it, so that later
 * stars come early; the third adds i - 1 times the present star's length, so that places drift by a few units where stars
 * differ in length, or where a star's counted words are more than it adds.
 *
 * @param stars For each star in order its length as the reference counts it, and as it adds to the text, in units.
 * @param options `size` of the clean text in units; `edition`.
 * @returns The places, none before the last and none beyond the end.
 */
export function referencePlaces(
  stars: readonly { readonly counted: number; readonly added: number }[],
  { size, edition }: { readonly size: number; readonly edition: "v1" | "v3" },
): number[] {
  const interval = Math.floor(size / stars.length);
  let inserted = 0;
  let last = 0;
  return stars.map(({ counted, added }, number) => {
    const shift = edition === "v1" ? 0 : counted * number;
    const place = interval * (number + 1) + shift - inserted;
    inserted += added;
    last = Math.min(size, Math.max(last, place));
    return last;
  });
}
