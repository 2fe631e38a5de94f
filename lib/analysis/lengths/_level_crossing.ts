/** Accuracy at one size. */
export interface SizePoint {
  readonly size: number;
  readonly accuracy: number;
}

/** Where accuracy falls through a level. */
export interface Crossing {
  /** The size; 0 where accuracy never reaches the level, the greatest size where it never falls through it. */
  readonly size: number;
  /** Whether it never falls through the level, so that the limit lies at the greatest size or beyond. */
  readonly isBeyond: boolean;
}

/**
 * Finds the first size at which accuracy falls through a level, between sizes by a straight line over their logarithm.
 *
 * Sizes before accuracy first reaches the level are passed over, as the paper's Table 2 does for a model that fails on
 * small contexts and reads larger ones.
 *
 * @param points Sizes rising, all above 0.
 */
export function levelCrossing(points: readonly SizePoint[], level: number): Crossing {
  const reached = points.findIndex(({ accuracy }) => accuracy >= level);
  if (reached < 0) return { size: 0, isBeyond: false };
  const fallen = points.findIndex(({ accuracy }, at) => at > reached && accuracy < level);
  if (fallen < 0) return { size: points.at(-1)!.size, isBeyond: true };
  const [above, below] = [points[fallen - 1]!, points[fallen]!];
  const share = (above.accuracy - level) / (above.accuracy - below.accuracy);
  return { size: above.size * (below.size / above.size) ** share, isBeyond: false };
}
