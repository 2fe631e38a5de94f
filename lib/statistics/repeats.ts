import { need } from "./intervals.ts";
import { mean as meanOf, sampleCorrelation } from "simple-statistics";
import { sum } from "@/lib/base/mod.ts";

/** The parts of a scored reply that statistics use. */
export interface ScoredRecord {
  readonly task: string;
  /** Context length in tokens, answer room included. */
  readonly length: number;
  /** The question, text or context that the sample shares with others, at any task and length; without it the sample is independent. */
  readonly cluster?: string | undefined;
  /** The score in [0, 1]; `null` if there was nothing to score. */
  readonly value: number | null;
  /** Whether the call failed; a failed call is not a wrong answer. */
  readonly failed: boolean;
  /** Whether it failed because the prompt was too long for the model. */
  readonly refused?: boolean;
  readonly noAnswer: boolean;
  /** The lowest possible score; 0 by default. */
  readonly least?: number | undefined;
  /** The sample and the repeat; a reply without them is the only one of its sample. */
  readonly record?: Partial<RunReply["record"]>;
  /** The score, with one for each target in the order of the text, if the benchmark's scorer has them. */
  readonly score?: { readonly value: number | null; readonly cells?: readonly number[] } | null;
}

/** A scored reply that identifies its sample: replies of the same task, length, index and seed are of one sample. */
export interface RunReply extends ScoredRecord {
  /** Includes the depth of the sample's target, if it has one. */
  readonly record: {
    readonly index: number;
    readonly seed: string;
    readonly depth?: number;
    /** From 0; 0 if left out. */
    readonly repeat?: number;
  };
}

/**
 * Returns the score of a reply in [0, 1], or `null` if the call failed or there was nothing to score. An empty reply has the score
 * of its benchmark, such as the lowest grade (1 of 5) in prompt dependence, or 0 if the scorer has none.
 */
export function scoreOf({ value, failed, noAnswer }: ScoredRecord): number | null {
  return failed ? null : value ?? (noAnswer ? 0 : null);
}

/**
 * Averages the repeats of each sample, so that a sample counts once. Repeats are not independent, and intervals over them would be
 * too narrow.
 *
 * @returns The first record of each sample, with the mean scores of all. A sample has failed only if every call has.
 */
export function meanOfRepeats<Scored extends ScoredRecord>(records: readonly Scored[]): readonly Scored[] {
  if (!records.some(({ record }) => (record?.repeat ?? 0) > 0)) return records;
  return samplesOf(records).map((ofSample) => {
    const [first] = ofSample;
    if (ofSample.length === 1) return first!;
    const scores = ofSample.map(scoreOf).filter((score) => score !== null);
    const replies = ofSample.filter(({ failed }) => !failed);
    return {
      ...first!,
      value: scores.length === 0 ? null : meanOf(scores),
      failed: replies.length === 0,
      noAnswer: replies.length > 0 && replies.every(({ noAnswer }) => noAnswer),
      ...meanCells(replies),
    };
  });
}

/** Averages the scores of single targets over repeats; empty if the scorer has none. */
function meanCells(replies: readonly ScoredRecord[]): Pick<ScoredRecord, "score"> {
  const [score] = replies.flatMap((reply) => reply.score?.cells === undefined ? [] : [reply.score]);
  if (score === undefined) return {};
  const cells = score.cells!.map((_, at) => meanOf(replies.map((reply) => reply.score?.cells?.[at] ?? 0)));
  return { score: { ...score, cells } };
}

function samplesOf<Scored extends ScoredRecord>(records: readonly Scored[]): readonly (readonly Scored[])[] {
  const nameOf = ({ task, length, record }: Scored): string =>
    JSON.stringify([task, length, record?.seed, record?.index]);
  return [...Map.groupBy(records, nameOf).values()];
}

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

/**
 * Compares the grades of two raters.
 *
 * Spearman's rank correlation uses midranks, and is `null` if a rater gives one grade only. Cohen's kappa is 1 for full agreement
 * and 0 for chance, and is `null` if both give one grade only.
 *
 * @param pairs For each item the first rater's grade and the second's, whole numbers from 1 to `grades`.
 * @param weights The cost of a disagreement in kappa: the squared difference for ordered grades (Cohen 1968), or the same for
 *   all if the grades are names (Cohen 1960).
 * @returns `n`: the items; `same`: the share with the same grade, in [0, 1]; `table`: counts by the first rater's grade (row) and
 *   the second's (column), the lowest grade first.
 * @throws {RangeError} If there is no pair, or a grade is outside its range.
 */
export function raterAgreement(
  pairs: readonly (readonly [number, number])[],
  { grades, weights = "squared" }: { readonly grades: number; readonly weights?: "squared" | "same" },
): {
  readonly n: number;
  readonly same: number;
  readonly spearman: number | null;
  readonly kappa: number | null;
  readonly table: readonly (readonly number[])[];
} {
  const n = pairs.length;
  need(n > 0, "compare raters", "there must be at least one pair", 0);
  const wrong = pairs.flat().find((grade) => !Number.isInteger(grade) || grade < 1 || grade > grades);
  need(wrong === undefined, "compare raters", `each grade must be a whole number from 1 to ${grades}`, wrong);
  const table = Array.from({ length: grades }, () => Array<number>(grades).fill(0));
  for (const [first, second] of pairs) table[first - 1]![second - 1]! += 1;
  const same = pairs.filter(([first, second]) => first === second).length / n;
  return { n, same, spearman: correlateRanks(pairs), kappa: weightedKappa(table, n, weights), table };
}

function correlateRanks(pairs: readonly (readonly [number, number])[]): number | null {
  const [first, second] = [pairs.map(([grade]) => grade), pairs.map(([, grade]) => grade)];
  if (new Set(first).size < 2 || new Set(second).size < 2) return null;
  return sampleCorrelation([...midranks(first)], [...midranks(second)]);
}

/** Ranks numbers from the lowest, starting at 1; ties share the mean of their ranks. */
function midranks(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((left, right) => left - right);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2 + 1);
}

function weightedKappa(table: readonly (readonly number[])[], n: number, weights: "squared" | "same"): number | null {
  const rows = table.map((counts) => sum(counts));
  const columns = table.map((_, column) => sum(table, (row) => row[column]!));
  let [seen, expected] = [0, 0];
  for (const [row, counts] of table.entries()) {
    for (const [column, count] of counts.entries()) {
      const weight = weights === "squared" ? (row - column) ** 2 : Number(row !== column);
      seen += weight * count;
      expected += weight * rows[row]! * columns[column]! / n;
    }
  }
  return expected === 0 ? null : 1 - seen / expected;
}
