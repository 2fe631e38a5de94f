import { meanOf, type StarPanel } from "./published.ts";
import { type Draw, pick, shuffle, stream } from "@/lib/random/mod.ts";
import { percentiles } from "@/lib/statistics/mod.ts";

/** How often a longer context beats a shorter one. */
export interface LengthStability {
  readonly model: string;
  /** Pairs of a shorter and a longer length. */
  readonly pairs: number;
  /** Pairs in which the longer has the higher mean. */
  readonly longer: number;
  /** Pairs in which it has the lower mean. */
  readonly shorter: number;
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
  /** The share of the differing pairs in which the longer is better, in [0, 1]; `null` if none differ. */
  readonly trend: number | null;
  /** The p-value of falling accuracy: how often columns in random order have at most `trend`, in (0, 1]. */
  readonly fallP: number;
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
 * failed by chance; that needs repeats.
 *
 * The interval resamples stars (percentiles). `trend` compares means, and its test shuffles whole columns.
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
  const needed = neededWins(rows.length, LEVEL);
  const lengths = columns.map((_, length) => length);
  const pairs = lengths.length * (lengths.length - 1) / 2;
  const shareOf = (cells: Cells): number => sureWins(cells, needed).length / pairs;
  const share = shareOf(rows);
  const draw = stream(seed, "length stability");
  const repeat = (change: (draw: Draw) => Cells): number[] =>
    Array.from({ length: rounds }, () => shareOf(change(draw)));
  const shuffled = repeat((next) => rows.map((row) => shuffle(next, row)));
  const resampled = repeat((next) => rows.map(() => pick(next, rows)));
  const sums = columns.map(({ cells }) => cells.reduce((sum, value) => sum + value, 0));
  const { longer, shorter } = countTrend(lengths, sums);
  const trend = longer + shorter === 0 ? null : longer / (longer + shorter);
  const falls = trend === null ? rounds : Array.from({ length: rounds }, () => {
    const other = countTrend(shuffle(draw, lengths), sums);
    return other.longer / (other.longer + other.shorter);
  }).filter((other) => other <= trend + 1e-12).length;
  const { low, high } = percentiles(resampled, share);
  return {
    ...{ model, pairs, longer, shorter, share, low, high, trend },
    expected: meanOf(shuffled),
    p: (1 + shuffled.filter((other) => other >= share - 1e-12).length) / (1 + rounds),
    fallP: (1 + falls) / (1 + rounds),
  };
}

function need(holds: boolean, wanted: string, value: number): void {
  if (!holds) throw new RangeError(`Cannot judge length stability as ${wanted}: current value is ${value}`);
}

/** A matrix: for each star its score at each length. */
type Cells = readonly (readonly number[])[];

/**
 * Returns, for each number of stars that differ, how many must be better for the one-sided sign test to give at most `level`;
 * more than all of them if no number suffices.
 */
function neededWins(stars: number, level: number): number[] {
  return Array.from({ length: stars + 1 }, (_, differing) => {
    let chance = 0;
    let term = 0.5 ** differing;
    for (let better = differing; better >= 0; better--) {
      chance += term;
      if (chance > level) return better + 1;
      term *= better / (differing - better + 1);
    }
    return 0;
  });
}

/** Finds the pairs of lengths in which the longer is significantly better, each as `early * lengths + late`. */
function sureWins(rows: Cells, needed: readonly number[]): number[] {
  const lengths = rows[0]?.length ?? 0;
  const columns = Array.from({ length: lengths }, (_, length) => rows.map((row) => row[length]!));
  const sure: number[] = [];
  for (let early = 0; early < lengths; early++) {
    for (let late = early + 1; late < lengths; late++) {
      const [before, after] = [columns[early]!, columns[late]!];
      let [up, down] = [0, 0];
      for (let star = 0; star < before.length; star++) {
        // A sum instead of an `if`: the branch would be mispredicted.
        up += Number(after[star]! > before[star]!);
        down += Number(after[star]! < before[star]!);
      }
      if (up >= needed[up + down]!) sure.push(early * lengths + late);
    }
  }
  return sure;
}

/** Counts the pairs of lengths in which the later has the greater sum, and the smaller. */
function countTrend(order: readonly number[], sums: readonly number[]): { longer: number; shorter: number } {
  const count = { longer: 0, shorter: 0 };
  for (let early = 0; early < order.length; early++) {
    for (let late = early + 1; late < order.length; late++) {
      const change = sums[order[late]!]! - sums[order[early]!]!;
      if (change > 1e-9) count.longer++;
      else if (change < -1e-9) count.shorter++;
    }
  }
  return count;
}

/**
 * Counts the pairs of lengths in which the longer context is significantly better in `any` and in `all` of several matrices.
 *
 * @param panels Repeats of one matrix, with the same lengths and stars.
 * @param level The significance level of each pair's test, in (0, 1).
 * @throws {RangeError} If the lengths differ.
 */
export function repeatedWins(
  panels: readonly StarPanel[],
  level = LEVEL,
): { readonly any: number; readonly all: number } {
  const lengthsOf = ({ columns }: StarPanel): string => columns.map(({ length }) => length).join(", ");
  const wanted = panels[0] ? lengthsOf(panels[0]) : "";
  const other = panels.find((panel) => lengthsOf(panel) !== wanted);
  if (other) {
    throw new RangeError(
      `Cannot compare repeats as all must have the lengths ${wanted}: current value is ${lengthsOf(other)}`,
    );
  }
  const wins = panels.map(({ columns }) => {
    const rows = (columns[0]?.cells ?? []).map((_, star) => columns.map(({ cells }) => cells[star]!));
    return new Set(sureWins(rows, neededWins(rows.length, level)));
  });
  const any = wins.reduce((union, next) => union.union(next), new Set<number>());
  const all = [...any].filter((pair) => wins.every((win) => win.has(pair)));
  return { any: any.size, all: all.length };
}
