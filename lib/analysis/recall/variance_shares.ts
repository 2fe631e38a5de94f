import { stream } from "@/lib/random/mod.ts";
import { percentiles } from "../intervals/_percentiles.ts";
import type { ScoreWithInterval } from "../intervals/difference_interval.ts";
import { type FactorRow, readDesign } from "./_crossed_design.ts";
import { redrawValues } from "./_redraw_values.ts";
import { estimateShares } from "./_variance_estimates.ts";

export type { FactorRow } from "./_crossed_design.ts";

/** How much of all that values differ by goes with one thing. */
export interface VarianceShare {
  /** A factor, several factors together, `interactions` (what factors do together and not one by one) or `noise`. */
  readonly source: string;
  /** The share in percent; `null` where no value differs from another, or it cannot be told from noise. */
  readonly share: number | null;
  /** The low end of the 95% interval, in percent; `null` where there is no share. */
  readonly low: number | null;
  /** The high end, in percent. */
  readonly high: number | null;
}

/** Options for {@linkcode varianceShares}. */
export interface VarianceSharesOptions {
  /** The factors, by the names that the rows' levels have; at least one. */
  readonly factors: readonly string[];
  /** Factors that are taken together, by what they are called together. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Any text; the same seed gives the same intervals. */
  readonly seed: string;
  /**
   * How often noise is drawn again for the intervals. Range: 20 to 100,000.
   *
   * @default {500}
   */
  readonly replicates?: number;
}

/** Where differences come from. */
export interface VarianceShares {
  /** Each factor in the order given, then `interactions` and `noise`; their shares add up to 100. */
  readonly shares: readonly VarianceShare[];
  /** The groups of factors. */
  readonly groups: readonly VarianceShare[];
  /** By how much the share of the first group is above that of the second, in points; `null` without two groups and a share. */
  readonly lead: ScoreWithInterval | null;
  /** Rows of each combination of levels. */
  readonly repeats: number;
  /** Values that were missing and filled in. */
  readonly missing: number;
}

/**
 * Shares out what values differ by: to each factor, to what factors do only together, and to noise.
 *
 * An analysis of variance of a design in which every combination of levels stands equally often. The levels are taken as they are
 * and not as drawn from others: a share is that of the variance over these levels. From each sum of squares is taken what noise adds
 * to it (Kelley's epsilon squared, 1935), so that a factor without effect has a share of 0 on average. Where each combination stands
 * once, interactions cannot be told from noise and are in it. Intervals are the middle 95% of values drawn again around the effects
 * found, with noise from what is left over (a residual bootstrap); they take rows as independent.
 *
 * @param rows At least one of each combination of levels.
 * @param options The factors, and the seed of the intervals.
 * @returns The shares, in percent.
 * @throws {RangeError} If a factor has less than two levels, combinations stand not equally often, or over a fifth of values are missing.
 *
 * @example Two wordings, and texts that make no difference
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const rows = ["short", "long"].flatMap((wording) =>
 *   [0, 1].map((text) => ({ levels: { wording, text }, value: wording === "long" ? 1 : 0.2 }))
 * );
 * const { shares } = varianceShares(rows, { factors: ["wording", "text"], seed: "1" });
 * deepEqual(shares.map(({ source, share }) => [source, share]), [
 *   ["wording", 100],
 *   ["text", 0],
 *   ["interactions", null],
 *   ["noise", 0],
 * ]);
 * ```
 */
export function varianceShares(rows: readonly FactorRow[], options: VarianceSharesOptions): VarianceShares {
  const { factors, groups = {}, seed, replicates = 500 } = options;
  checkReplicates(replicates);
  const design = readDesign(rows, factors);
  const found = estimateShares(design, design.values);
  const redraw = redrawValues(design, stream(seed, "variance shares"));
  const drawn = found.every((share) => share === 0)
    ? []
    : Array.from({ length: replicates }, () => estimateShares(design, redraw()));
  const interval = (of: (shares: readonly number[]) => number): ScoreWithInterval | null =>
    drawn.length === 0 ? null : percentiles(drawn.map((shares) => 100 * of(shares)), 100 * of(found));
  const describe = (source: string, places: readonly number[]): VarianceShare => {
    const { score: share = null, low = null, high = null } = interval((shares) => sumAt(shares, places)) ?? {};
    return { source, share, low, high };
  };
  const grouped = Object.entries(groups).map(([name, of]) => [name, of.map((one) => placeOf(one, factors))] as const);
  const [first, second] = grouped.map(([, places]) => places);
  const untold = { source: "interactions", share: null, low: null, high: null };
  return {
    shares: [
      ...factors.map((factor, at) => describe(factor, [at])),
      design.repeats > 1 ? describe("interactions", [factors.length]) : untold,
      describe("noise", [factors.length + 1]),
    ],
    groups: grouped.map(([name, places]) => describe(name, places)),
    lead: first && second ? interval((shares) => sumAt(shares, first) - sumAt(shares, second)) : null,
    repeats: design.repeats,
    missing: design.missing,
  };
}

function sumAt(shares: readonly number[], places: readonly number[]): number {
  return places.reduce((sum, at) => sum + shares[at]!, 0);
}

function placeOf(name: string, factors: readonly string[]): number {
  const at = factors.indexOf(name);
  if (at >= 0) return at;
  throw new RangeError(
    `Cannot share out the variance as a group must be of ${factors.join(", ")}: current value is "${name}"`,
  );
}

function checkReplicates(replicates: number): void {
  if (Number.isInteger(replicates) && replicates >= 20 && replicates <= 100_000) return;
  throw new RangeError(
    `Cannot share out the variance as replicates must be a whole number from 20 to 100,000: current value is ${replicates}`,
  );
}
