import { samplesOf, type ScoredRecord, scoreOf } from "./units.ts";
import { mean as meanOf, sum } from "@/lib/base/mod.ts";

/**
 * Separates the noise between repeats from the noise between samples, by the one-way analysis of variance for unequal groups
 * (Searle, Casella and McCulloch 1992, "Variance components", section 3.6) within each task and length.
 *
 * @returns A row for each task and length that has repeats, then one for all, whose `task` is `all` and whose length is `null`:
 *   the samples with a score, the mean number of scores of a sample, the share of pairs of repeats with different scores in
 *   percent, the standard deviation between the repeats of a sample and that between samples without the noise of repeats, both
 *   in points (`null` for one sample), and the share of the variance of the mean that comes from repeats, in percent (`null` where
 *   nothing varies). Also advice for the next run, as a sentence without its full stop. `null` if no sample has two scores.
 */
export function repeatNoise(
  records: readonly ScoredRecord[],
): {
  readonly rows: readonly (
    & { readonly task: string }
    & Readonly<Record<"samples" | "repeats" | "changed" | "within", number>>
    & Readonly<Record<"length" | "between" | "share", number | null>>
  )[];
  readonly finding: string;
} | null {
  const cells = [...Map.groupBy(records, ({ task, length }) => JSON.stringify([task, length])).values()]
    .flatMap((ofCell) => {
      const squares = squaresOf(ofCell);
      return squares === null ? [] : [{ task: ofCell[0]!.task, length: ofCell[0]!.length, squares }];
    });
  if (cells.length === 0) return null;
  const all = { task: "all", length: null, ...noiseOf(cells.map(({ squares }) => squares)) };
  const rows = cells.map(({ task, length, squares }) => ({ task, length, ...noiseOf([squares]) }));
  return { rows: [...rows, all], finding: findingOf(all) };
}

type RepeatNoise = NonNullable<ReturnType<typeof repeatNoise>>["rows"][number];

/** Returns the sums of squares of the scores of a task and length; `null` if no sample has two scores. */
function squaresOf(records: readonly ScoredRecord[]): Squares | null {
  const samples = samplesOf(records).map((ofSample) => ofSample.map(scoreOf).filter((score) => score !== null))
    .filter((scores) => scores.length > 0);
  const all = samples.flat();
  if (all.length === samples.length) return null;
  const mean = meanOf(all);
  const add = (part: (scores: number[]) => number): number => sum(samples, part);
  return {
    samples: samples.length,
    scores: all.length,
    within: add((scores) => sum(scores, (score) => (score - meanOf(scores)) ** 2)),
    withinFreedom: all.length - samples.length,
    between: add((scores) => scores.length * (meanOf(scores) - mean) ** 2),
    betweenFreedom: samples.length - 1,
    // The effective number of repeats of a sample, times `betweenFreedom`.
    weight: all.length - add((scores) => scores.length ** 2) / all.length,
    pairs: add((scores) => scores.length * (scores.length - 1) / 2),
    changedPairs: add(countChanged),
  };
}

/** Sums over samples; each pair is two scores of one sample. */
interface Squares {
  readonly samples: number;
  readonly scores: number;
  readonly within: number;
  readonly withinFreedom: number;
  readonly between: number;
  readonly betweenFreedom: number;
  readonly weight: number;
  readonly pairs: number;
  readonly changedPairs: number;
}

function countChanged(scores: readonly number[]): number {
  return sum(scores, (score, at) => scores.slice(at + 1).filter((other) => other !== score).length);
}

function noiseOf(cells: readonly Squares[]): Omit<RepeatNoise, "task" | "length"> {
  const add = (part: keyof Squares): number => sum(cells, (squares) => squares[part]);
  const [samples, freedom] = [add("samples"), add("betweenFreedom")];
  const repeats = add("scores") / samples;
  const within = add("within") / add("withinFreedom");
  // By chance the estimate can be below 0; a variance cannot.
  const between = freedom === 0 ? null : Math.max(0, (add("between") / freedom - within) * freedom / add("weight"));
  const whole = (between ?? 0) + within / repeats;
  return {
    samples,
    repeats,
    changed: 100 * add("changedPairs") / add("pairs"),
    within: 100 * Math.sqrt(within),
    between: between === null ? null : 100 * Math.sqrt(between),
    share: between === null || whole === 0 ? null : 100 * within / repeats / whole,
  };
}

/** By how much twice the samples narrow an interval, in percent. */
const TWICE = 100 * (1 - Math.SQRT1_2);

/** What to do where repeats would narrow the intervals by less than a third as much as samples, by less than two thirds, or more. */
const ADVICE = [
  "more samples, not more repeats, would narrow the intervals",
  "more samples narrow the intervals more than repeats do",
  "more repeats would narrow the intervals almost as much as more samples",
];

function findingOf({ changed, share }: RepeatNoise): string {
  const again = `Asking again changes the score of ${changed.toFixed(0)}% of answers`;
  if (share === null) return `${again}, and samples do not differ`;
  // Twice the repeats halve their part of the variance.
  const gain = 100 * (1 - Math.sqrt(1 - share / 200));
  const advice = ADVICE[Math.min(2, Math.floor(3 * gain / TWICE))]!;
  return `${again}: ${advice} (twice as many samples by ${TWICE.toFixed(0)}%, twice as many repeats by ${
    gain.toFixed(0)
  }%)`;
}
