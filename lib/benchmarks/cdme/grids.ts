const LENGTHS = {
  "8k": steps(8, 1000),
  "32k": steps(32, 1000),
  "200k": [...steps(12, 16_000), 200_000],
} as const;

/** One of OpenCompass's configurations. */
export type CdmeGridName = keyof typeof LENGTHS;

const [DEPTHS, REPEATS] = [20, 10];

/**
 * Returns one of OpenCompass's grids, from configs/datasets/cdme at e975a96f (cdme8k.py, cdme32k.py, cdme200k.py): lengths in tokens,
 * depths, evenly spaced from first to last, repeats of each, and the samples of a length.
 */
export function cdmeGrid(
  name: CdmeGridName,
): Readonly<Record<"depths" | "repeats" | "samples" | "prompts", number>> & { readonly lengths: readonly number[] } {
  if (!Object.hasOwn(LENGTHS, name)) {
    throw new RangeError(
      `Cannot give the grid as its name must be one of ${Object.keys(LENGTHS).join(", ")}: current value is "${name}"`,
    );
  }
  const lengths = LENGTHS[name];
  const samples = DEPTHS * REPEATS;
  return { lengths, depths: DEPTHS, repeats: REPEATS, samples, prompts: lengths.length * samples };
}

function steps(count: number, step: number): number[] {
  return Array.from({ length: count }, (_, at) => (at + 1) * step);
}

/**
 * Returns the places at which OpenCompass's CDME puts several needles, and the intended ones: each a gap further, up to the end.
 *
 * cdme_multi.py at e975a96f computes each place from the one before, including that needle's length, and adds the length again
 * when the needle is inserted. Lengths count twice, so later needles are too deep.
 *
 * @param text `tokens`: its length without the needles, which have the lengths `needles`. `depth` of the first one and `gap` to the next
 *   are in percent of the text, from 0 to 100.
 */
export function cdmePlaces(
  { tokens, depth, gap, needles }: Readonly<Record<"tokens" | "depth" | "gap", number>> & {
    readonly needles: readonly number[];
  },
): Readonly<Record<"original" | "intended", readonly number[]>> {
  const original: number[] = [];
  let place = Math.floor(tokens * depth / 100);
  let before = 0;
  for (const [at, needle] of needles.entries()) {
    if (at > 0) place = Math.min(Math.floor(place + needles[at - 1]! + tokens * gap / 100), tokens + before);
    // The tokens of the needles inserted before a place move it.
    original.push(Math.min(tokens, place));
    before += needle;
  }
  const intended = needles.map((_, at) => Math.min(tokens, Math.floor(tokens * (depth + at * gap) / 100)));
  return { original, intended };
}
