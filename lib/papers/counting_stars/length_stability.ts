import { mean, sum } from "@/lib/base/mod.ts";
import type { StarFigureOptions, StarPanel } from "./published.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import { pick, shuffle, stream } from "@/lib/random/mod.ts";
import { simpleStatistics } from "@/lib/statistics/mod.ts";

/** How often a longer context beats a shorter one. */
export interface LengthStability {
  readonly model: string;
  /** Pairs of a shorter and a longer length. */
  readonly pairs: number;
  /** Pairs in which the longer has the higher mean. */
  readonly longer: number;
  /** The share of all pairs in which the longer is significantly better, in [0, 1]. */
  readonly share: number;
  /** The low end of that share's 95% interval, over stars. */
  readonly low: number;
  /** The high end. */
  readonly high: number;
  /** The expected share if length did not matter and stars failed independently. */
  readonly expected: number;
  /** The p-value of `share`: how often matrices in which length does not matter reach it, in (0, 1]. */
  readonly p: number;
}

/** The significance level of the test of each pair. */
const LEVEL = 0.05;

/**
 * Measures the length-stability dilemma: how often does a longer context beat a shorter one beyond chance?
 *
 * Every pair of lengths is compared star by star with a one-sided sign test at 5% (McNemar 1947 for cells of 0 and 1). Since some
 * pairs pass by chance, `p` compares with matrices in which each star's cells are shuffled over the lengths: each star stays as
 * hard as it is, and length means nothing. Among models that do not improve with length, that one wins the most pairs, so a small
 * `p` means that accuracy varies with length by more than single stars do by chance. It does not show whether whole replies
 * failed by chance; that needs repeats. The interval resamples stars (percentiles).
 *
 * @param options `rounds` is the number of shuffled matrices, and of resampled ones, from 99.
 * @throws {RangeError} If there are fewer than two lengths, or `rounds` is outside its range.
 */
export function lengthStability(
  panel: StarPanel,
  { seed, rounds = 499 }: { readonly seed: string; readonly rounds?: number },
): LengthStability {
  const { model, columns } = panel;
  need(columns.length >= 2, "lengths must be at least 2", columns.length);
  need(Number.isInteger(rounds) && rounds >= 99, "rounds must be a whole number from 99", rounds);
  const rows = columns[0]!.cells.map((_, star) => columns.map(({ cells }) => cells[star]!));
  const needed = neededWins(rows.length);
  const pairs = columns.length * (columns.length - 1) / 2;
  const share = sureWins(rows, needed) / pairs;
  const draw = stream(seed, "length stability");
  const repeat = (change: () => Cells): number[] =>
    Array.from({ length: rounds }, () => sureWins(change(), needed) / pairs);
  const shuffled = repeat(() => rows.map((row) => shuffle(draw, row)));
  const resampled = repeat(() => rows.map(() => pick(draw, rows)));
  const means = columns.map(({ cells }) => mean(cells));
  const { quantile } = simpleStatistics;
  return {
    model,
    pairs,
    share,
    low: quantile(resampled, 0.025),
    high: quantile(resampled, 0.975),
    longer: sum(means, (mean, at) => means.slice(0, at).filter((early) => mean > early + 1e-9).length),
    expected: mean(shuffled),
    p: (1 + shuffled.filter((other) => other >= share - 1e-12).length) / (1 + rounds),
  };
}

function need(holds: boolean, wanted: string, value: number): void {
  if (!holds) throw new RangeError(`Cannot judge length stability as ${wanted}: current value is ${value}`);
}

/** A matrix: for each star its score at each length. */
type Cells = readonly (readonly number[])[];

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

/** Counts the pairs of lengths in which the longer is significantly better. */
function sureWins(rows: Cells, needed: readonly number[]): number {
  const lengths = rows[0]?.length ?? 0;
  const columns = Array.from({ length: lengths }, (_, length) => rows.map((row) => row[length]!));
  let sure = 0;
  for (let early = 0; early < lengths; early++) {
    for (let late = early + 1; late < lengths; late++) {
      const [before, after] = [columns[early]!, columns[late]!];
      let [up, down] = [0, 0];
      for (let star = 0; star < before.length; star++) {
        // A sum instead of an `if`: the branch would be mispredicted.
        up += Number(after[star]! > before[star]!);
        down += Number(after[star]! < before[star]!);
      }
      if (up >= needed[up + down]!) sure++;
    }
  }
  return sure;
}

/** Returns how often a longer context beats a shorter one, with the shares expected by chance. */
export function lengthStabilityTable(
  rows: readonly LengthStability[],
  options: Omit<StarFigureOptions, "n">,
): Table {
  const inPercent = rows.map((row) => ({ ...row, share: 100 * row.share, expected: 100 * row.expected }));
  return table(inPercent, {
    ...options,
    caption:
      "Won: pairs in which the longer context is better beyond chance. By chance: the same with each star's scores shuffled " +
      "over the lengths; p: the share of shuffles with at least this share.",
    n: pairsText(rows),
    columns: [
      { field: "model", label: "Matrix" },
      { field: "share", label: "Won (%)", digits: 1 },
      { field: "expected", label: "By chance (%)", digits: 1 },
      { field: "p", label: "p", digits: 3 },
    ],
  });
}

function pairsText(rows: readonly LengthStability[]): string {
  const counts = [...new Set(rows.map(({ pairs }) => pairs))].sort((left, right) => left - right);
  return `${counts.join(" or ")} pairs of lengths`;
}
