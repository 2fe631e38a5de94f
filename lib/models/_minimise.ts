/**
 * Finds where a function of a few numbers is least, by the simplex method of Nelder and Mead (1965) begun again twice
 * from where it ended.
 *
 * @param start Where to begin.
 * @param cost What is to be least.
 */
export function minimise(
  start: readonly number[],
  cost: (point: readonly number[]) => number,
): number[] {
  let best = start.slice();
  for (const step of [1, 0.5, 0.25]) best = descend(best, cost, step);
  return best;
}

interface Corner {
  readonly point: readonly number[];
  readonly cost: number;
}

function descend(
  start: readonly number[],
  cost: (point: readonly number[]) => number,
  step: number,
): number[] {
  const at = (point: readonly number[]): Corner => ({
    point,
    cost: cost(point),
  });
  let corners = [
    at(start),
    ...start.map((_, axis) => at(start.map((value, other) => other === axis ? value + step : value))),
  ];
  for (let round = 0; round < 200 * start.length; round++) {
    corners = corners.toSorted((left, right) => left.cost - right.cost);
    const best = corners[0]!;
    const worst = corners.at(-1)!;
    if (worst.cost - best.cost < 1e-9) break;
    const others = corners.slice(0, -1);
    const centre = start.map((_, axis) => others.reduce((sum, { point }) => sum + point[axis]!, 0) / others.length);
    const along = (factor: number): Corner =>
      at(centre.map((value, axis) => value + factor * (worst.point[axis]! - value)));
    const mirrored = along(-1);
    const better = mirrored.cost < best.cost
      ? least(mirrored, along(-2))
      : mirrored.cost < others.at(-1)!.cost
      ? mirrored
      : least(along(0.5), along(-0.5));
    corners = better.cost < worst.cost
      ? [...others, better]
      : corners.map(({ point }) => at(point.map((value, axis) => (value + best.point[axis]!) / 2)));
  }
  return corners.reduce(least).point.slice();
}

function least(left: Corner, right: Corner): Corner {
  return right.cost < left.cost ? right : left;
}
