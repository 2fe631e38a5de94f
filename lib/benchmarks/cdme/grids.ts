/** One of OpenCompass's configurations. */
export type CdmeGridName = "8k" | "32k" | "200k";

/** A grid: each length at each depth, several times. */
export interface CdmeGrid {
  /** Context lengths in tokens. */
  readonly lengths: readonly number[];
  /** The number of depths, evenly spaced from first to last. */
  readonly depths: number;
  readonly repeats: number;
  /** Samples at each length: depths times repeats. */
  readonly samples: number;
  readonly prompts: number;
}

const LENGTHS: Readonly<Record<CdmeGridName, readonly number[]>> = {
  "8k": steps(8, 1000),
  "32k": steps(32, 1000),
  "200k": [...steps(12, 16_000), 200_000],
};

/** Depths and repeats of every configuration. */
const [DEPTHS, REPEATS] = [20, 10];

/**
 * Returns one of OpenCompass's grids, from configs/datasets/cdme at e975a96f (cdme8k.py, cdme32k.py, cdme200k.py).
 */
export function cdmeGrid(name: CdmeGridName): CdmeGrid {
  const lengths = Object.hasOwn(LENGTHS, name) ? LENGTHS[name] : undefined;
  if (lengths === undefined) {
    throw new RangeError(
      `Cannot give the grid as its name must be one of ${Object.keys(LENGTHS).join(", ")}: current value is "${name}"`,
    );
  }
  const samples = DEPTHS * REPEATS;
  return { lengths, depths: DEPTHS, repeats: REPEATS, samples, prompts: lengths.length * samples };
}

function steps(count: number, step: number): number[] {
  return Array.from({ length: count }, (_, at) => (at + 1) * step);
}

/**
 * Returns the places at which OpenCompass's CDME puts several needles, and the intended ones.
 *
 * cdme_multi.py at e975a96f computes each place from the one before, including that needle's length, and adds the length again
 * when the needle is inserted. Lengths count twice, so later needles are too deep.
 */
export function cdmePlaces(options: {
  /** Tokens of the text without the needles, from 0. */
  readonly tokens: number;
  /** The requested depth of the first needle, in percent of the text, from 0 to 100. */
  readonly depth: number;
  /** The distance of each needle from the one before, in percent of the text, from 0 to 100. */
  readonly gap: number;
  readonly needles: readonly number[];
}): {
  /** The places by OpenCompass's code. */
  readonly original: readonly number[];
  /** The intended places: the depth, then one `gap` more for each needle, up to the end. */
  readonly intended: readonly number[];
} {
  const { tokens, depth, gap, needles } = options;
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
