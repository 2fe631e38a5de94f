import type { Tokenizer } from "@/lib/text/mod.ts";
import type { Filler } from "../_fillers.ts";
import type { Part } from "../_layout.ts";
import type { PlacedPair } from "./_threads.ts";
import { pairPart, type PairPlace } from "./_uuid_pairs.ts";

/**
 * Puts pairs among those of a filler, as the inside of one JSON object.
 *
 * @param planted The pairs, depths rising: with m pairs in all, one of depth d is number `round(d (m - 1))`, or near it where
 *   others are planted too.
 * @param options `size`, how many pairs of the filler there are; the filler; the tokenizer.
 */
export function interleavePairs(
  planted: readonly PlacedPair[],
  options: { readonly size: number; readonly filler: Filler; readonly tokenizer: Tokenizer },
): Part[] {
  const { size, filler, tokenizer } = options;
  const parts: Part[] = [];
  let filled = 0;
  const fillOne = (place: PairPlace): void => {
    const { fact } = filler.run(filled, filled + 1)[0]!.parts![0]!;
    parts.push(pairPart(fact!, { ...place, role: fact!.role, tokenizer }));
    filled++;
  };
  const fillTo = (end: number): void => {
    if (end > filled) parts.push(...filler.run(filled, end));
    filled = Math.max(filled, end);
  };
  planted.forEach(({ depth, ...pair }, number) => {
    const at = Math.round(depth * size);
    if (at > 0 && parts.length === 0) fillOne({ isFirst: true });
    fillTo(at);
    const isLast = number === planted.length - 1 && at === size;
    parts.push(pairPart(pair, { role: pair.role, tokenizer, isFirst: parts.length === 0, isLast }));
  });
  if (filled < size) {
    fillTo(size - 1);
    fillOne({ isLast: true });
  }
  return parts;
}
