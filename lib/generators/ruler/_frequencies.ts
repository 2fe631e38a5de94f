import { zeta } from "./_zeta.ts";

/** The ranks that are asked for, rank 1 being the noise. */
export const ASKED_RANKS: readonly number[] = [2, 3, 4];

/** How often the word of each rank appears in a text of about `scale` words; rank 1 comes first. */
export type Frequencies = (scale: number) => number[];

/**
 * Gives the frequencies of words by rank: rank k appears `floor(scale * k ** -alpha / zeta(alpha))` times (RULER, section 3.3).
 *
 * Where two asked ranks, or the last of them and the next, would appear equally often, the higher one appears once more than
 * the lower. The reference leaves ties, which have no right answer, and ranks that do not appear at all.
 */
export function zipfFrequencies(
  { alpha, vocabulary }: { readonly alpha: number; readonly vocabulary: number },
): Frequencies {
  const whole = zeta(alpha);
  const shares: number[] = [];
  const shareOf = (rank: number): number => shares[rank] ??= rank ** -alpha / whole;
  return (scale) => {
    const counts: number[] = [];
    for (let rank = 1; rank <= vocabulary; rank++) {
      const count = Math.floor(scale * shareOf(rank));
      if (count < 1) break;
      counts.push(count);
    }
    for (const rank of ASKED_RANKS.toReversed()) {
      const least = (counts[rank] ?? 0) + 1;
      counts[rank - 1] = Math.max(counts[rank - 1] ?? 0, least);
    }
    counts[0] ??= 0;
    return counts;
  };
}
