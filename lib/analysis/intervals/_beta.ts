import { gammaln } from "simple-statistics";
import { risingRoot } from "./_rising_root.ts";

/** The shape of a beta distribution: its density goes as `p^(a - 1) (1 - p)^(b - 1)`. Both are above 0. */
export interface BetaShape {
  readonly a: number;
  readonly b: number;
}

/** The share of a beta distribution below `p`: the regularised incomplete beta function (DLMF 8.17). */
export function betaBelow(p: number, { a, b }: BetaShape): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  const power = gammaln(a + b) + a * Math.log(p) + b * Math.log1p(-p);
  // Subtle: the fraction converges fast on the near side of the mean only, so the far side is taken from the other end.
  return p < (a + 1) / (a + b + 2)
    ? Math.exp(power - gammaln(a + 1) - gammaln(b)) * betaFraction(p, { a, b })
    : 1 - Math.exp(power - gammaln(a) - gammaln(b + 1)) * betaFraction(1 - p, { a: b, b: a });
}

/** The point below which a share of the beta distribution lies; the share is inside (0, 1). */
export function betaPoint(share: number, shape: BetaShape): number {
  return risingRoot((p) => betaBelow(p, shape) - share, { low: 0, high: 1 });
}

/** The continued fraction of DLMF 8.17.22, by Lentz's method. */
function betaFraction(p: number, { a, b }: BetaShape): number {
  const tiny = 1e-300;
  const awayFromZero = (value: number): number => Math.abs(value) < tiny ? tiny : value;
  let above = 1;
  let below = 1 / awayFromZero(1 - ((a + b) * p) / (a + 1));
  let fraction = below;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * p) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * p) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const step of [even, odd]) {
      below = 1 / awayFromZero(1 + step * below);
      above = awayFromZero(1 + step / above);
      change = above * below;
      fraction *= change;
    }
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return fraction;
}
