import { countTokens, join, type Tokenizer } from "@/lib/text/mod.ts";
import type { Filler } from "./_fillers.ts";

/**
 * Finds the break between two units of filler that lies at a share of its tokens.
 *
 * @param share In [0, 1]: 0 is before the first unit, 1 after the last.
 * @param options `filler` and `size`, the number of its units; `toward`, whether the nearest break is taken or the last one
 *   that is not beyond the share, as the Needle In A Haystack test does.
 * @returns How many units stand before the break.
 */
export function breakAt(
  share: number,
  options: {
    readonly filler: Filler;
    readonly size: number;
    readonly tokenizer: Tokenizer;
    readonly toward?: "nearest" | "back";
  },
): number {
  const { filler, size, tokenizer, toward = "nearest" } = options;
  const tokensOf = (units: number): number =>
    countTokens(join(filler.run(0, units).map(({ measured }) => measured), tokenizer), tokenizer);
  const wanted = share * tokensOf(size);
  let [low, high] = [0, size];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tokensOf(middle) <= wanted) low = middle;
    else high = middle - 1;
  }
  if (toward === "back" || low === size) return low;
  return tokensOf(low + 1) - wanted < wanted - tokensOf(low) ? low + 1 : low;
}
