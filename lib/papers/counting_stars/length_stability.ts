import { mean } from "@/lib/base/mod.ts";
import type { StarFigureOptions, StarPanel } from "./published.ts";
import { barChart, type Figure } from "@/lib/figures/mod.ts";
import { pick, shuffle, stream } from "@/lib/random/mod.ts";
import { type Interval, simpleStatistics } from "@/lib/statistics/mod.ts";

/** How often a longer context beats a shorter one. */
export interface LengthStability extends Interval {
  readonly model: string;
  /** Pairs of a shorter and a longer length. */
  readonly pairs: number;
  /** The share of all pairs in which the longer is significantly better, in [0, 1], with its 95% interval over stars. */
  readonly share: number;
  /** The expected share if length did not matter and stars failed independently. */
  readonly expected: number;
  /** The p-value of `share`: how often matrices in which length does not matter reach it, in (0, 1]. */
  readonly p: number;
}

/** The significance level of the test of each pair, and of a whole matrix. */
const LEVEL = 0.05;

/**
 * Measures the length-stability dilemma: how often does a longer context beat a shorter one beyond chance?
 *
 * Every pair of lengths is compared star by star with a one-sided sign test at 5% (McNemar 1947 for cells of 0 and 1). Since some
 * pairs pass by chance, `p` compares with matrices in which each star's cells are shuffled over the lengths: each star stays as
 * hard as it is, and length means nothing. A small `p` does not show whether whole replies failed by chance; that needs repeats. The
 * interval resamples stars (percentiles).
 *
 * @param options `rounds` is the number of shuffled matrices, and of resampled ones.
 * @throws {RangeError} If there are fewer than two lengths.
 */
export function lengthStability(
  panel: StarPanel,
  { seed, rounds = 499 }: { readonly seed: string; readonly rounds?: number },
): LengthStability {
  const { model, columns } = panel;
  if (columns.length < 2) {
    throw new RangeError(
      `Cannot judge length stability as lengths must be at least 2: current value is ${columns.length}`,
    );
  }
  const rows = columns[0]!.cells.map((_, star) => columns.map(({ cells }) => cells[star]!));
  const needed = neededWins(rows.length);
  const pairs = columns.length * (columns.length - 1) / 2;
  const share = sureWins(rows, needed) / pairs;
  const draw = stream(seed, "length stability");
  const repeat = (change: () => typeof rows): number[] =>
    Array.from({ length: rounds }, () => sureWins(change(), needed) / pairs);
  const shuffled = repeat(() => rows.map((row) => shuffle(draw, row)));
  const resampled = repeat(() => rows.map(() => pick(draw, rows)));
  const { quantile } = simpleStatistics;
  return {
    model,
    pairs,
    share,
    low: quantile(resampled, 0.025),
    high: quantile(resampled, 0.975),
    expected: mean(shuffled),
    p: (1 + shuffled.filter((other) => other >= share - 1e-12).length) / (1 + rounds),
  };
}

/**
 * Returns, for each number of stars that differ, how many must be better for the one-sided sign test to be significant; more than
 * all of them if no number suffices.
 */
export function neededWins(stars: number): number[] {
  return Array.from({ length: stars + 1 }, (_, differing) => {
    let chance = 0;
    let term = 0.5 ** differing;
    for (let better = differing; better >= 0; better--) {
      chance += term;
      if (chance > LEVEL) return better + 1;
      term *= better / (differing - better + 1);
    }
    return 0;
  });
}

/** Counts the pairs of lengths in which the longer is significantly better; a row has a star's score at each length. */
function sureWins(rows: readonly (readonly number[])[], needed: readonly number[]): number {
  const lengths = rows[0]!.length;
  let sure = 0;
  for (let early = 0; early < lengths; early++) {
    for (let late = early + 1; late < lengths; late++) {
      let [up, down] = [0, 0];
      for (const row of rows) {
        // A sum instead of an `if`: the branch would be mispredicted.
        up += Number(row[late]! > row[early]!);
        down += Number(row[late]! < row[early]!);
      }
      if (up >= needed[up + down]!) sure++;
    }
  }
  return sure;
}

/** Draws how often a longer context beats a shorter one in each matrix, beside the share expected by chance. */
export function lengthStabilityChart(
  rows: readonly LengthStability[],
  drawn: Pick<StarFigureOptions, "origin" | "warning">,
): Figure {
  const bars = rows.flatMap(({ model, share, low, high, expected }) => [
    // The percentiles of resampled stars can lie on one side of the share itself.
    { model, kind: "observed", share: 100 * share, low: 100 * Math.min(low, share), high: 100 * Math.max(high, share) },
    { model, kind: "by chance", share: 100 * expected, low: null, high: null },
  ]);
  const beyond = rows.filter(({ p }) => p < LEVEL).length;
  const counts = [...new Set(rows.map(({ pairs }) => pairs))].sort((left, right) => left - right);
  return barChart(bars, {
    ...drawn,
    title: `A longer context wins more often than by chance in ${beyond} of ${rows.length} matrices`,
    caption:
      "Pairs of lengths in which the longer context finds more stars, beyond chance by a sign test at 5%. By chance: the same " +
      `with each star's scores shuffled over the lengths; the title counts matrices with p < ${LEVEL} against it.`,
    n: `${counts.join(" or ")} pairs of lengths`,
    category: "model",
    value: "share",
    series: "kind",
    low: "low",
    high: "high",
    interval: "95% interval over stars",
    horizontal: true,
    categoryTitle: "Matrix",
    valueTitle: "Pairs won by the longer context (%)",
    seriesTitle: "Share",
  });
}
