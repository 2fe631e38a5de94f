import { anytimeTest, type ErrorChances, meanOfRounds, type Rounds } from "./anytime_mean.ts";
import { type EffectiveLengthRule, effectiveLengthText } from "./effective_length.ts";
import { need } from "./intervals.ts";
import { joinCells, type ScoredRecord } from "./units.ts";
import { mean as meanOf } from "simple-statistics";

/** A sample of a search. */
export interface SearchSample extends Pick<ScoredRecord, "task" | "length"> {
  readonly index: number;
}

/** The state of one length in a search. */
export interface LengthVerdict extends Rounds, Pick<SearchSample, "length"> {
  readonly scores: number;
  /** The threshold in percent; `null` if it is a share of a score that is not known yet. */
  readonly threshold: number | null;
  /** Whether the length passes; `null` while that is open, or if nothing was asked or scored. */
  readonly passes: boolean | null;
  /** Whether the sequential test decided; otherwise the verdict is that of the mean of all samples of the design. */
  readonly isSettled: boolean;
}

/** The state of a search. */
export interface SearchStep {
  /** The samples to ask next, in any order; empty when the search has ended. */
  readonly next: readonly SearchSample[];
  /** The effective length; `null` until the search ends. */
  readonly answer: { readonly length: number | null; readonly text: string } | null;
  /** Whether every verdict behind the answer is settled. */
  readonly isSettled: boolean;
  /** The state of each length, lengths rising. */
  readonly lengths: readonly LengthVerdict[];
}

/**
 * Searches for the effective length adaptively: returns the samples to ask next, or the answer.
 *
 * It asks in rounds of one sample for each task, and after each step {@linkcode anytimeTest} decides on which side of the
 * threshold a length is. A length far from the threshold is settled after a few rounds; one at the threshold takes all samples of
 * the design, and their mean decides. The error rate is divided among the lengths ({@linkcode errorChances}). If the threshold is a
 * share of the model's own score, the rounds of the two lengths are compared pair by pair, so that its uncertainty counts. Nothing is
 * assumed about the curve between lengths.
 *
 * Samples that share a cluster count once: tasks of a round that share a cluster are averaged, and so are consecutive rounds.
 *
 * It is a pure function of the scores, so an interrupted search can resume. As the scores determine the number of samples, the
 * valid interval of a length is {@linkcode anytimeInterval}.
 *
 * @param scores The samples asked so far. One with a value of `null` is replaced by the next of its task.
 * @throws {RangeError} If an option of the design is outside its range.
 */
export function adaptiveSearch(
  scores: readonly (SearchSample & Pick<ScoredRecord, "cluster" | "value">)[],
  design: SearchDesign,
): SearchStep {
  const isContiguous = design.rule === "contiguous";
  const lengths = checkDesign(design);
  const decide = decider(scores, { design, lengths });
  const decisions = new Map<number, LengthDecision>();
  for (const length of isContiguous ? lengths : lengths.toReversed()) {
    const decision = decide(length);
    decisions.set(length, decision);
    if (decision.next.length > 0 || decision.verdict.passes === !isContiguous) break;
  }
  const verdicts = lengths.map((length) => decisions.get(length)?.verdict ?? { ...decide(length).verdict, ...UNASKED });
  const next = [...decisions.values()].flatMap((decision) => decision.next);
  if (next.length > 0) return { next, answer: null, isSettled: false, lengths: verdicts };
  const tried = verdicts.filter(({ length, passes }) => !decisions.has(length) || passes !== null);
  const miss = tried.findIndex(({ passes }) => passes === false);
  const place = isContiguous
    ? (miss < 0 ? tried.length : miss) - 1
    : tried.findLastIndex(({ passes }) => passes === true);
  const text = effectiveLengthText(tried.map(({ length }) => length), place);
  const isSettled = [...decisions.values()].every(({ verdict }) => verdict.isSettled);
  return { next, answer: { length: tried[place]?.length ?? null, text }, isSettled, lengths: verdicts };
}

type SearchScore = Parameters<typeof adaptiveSearch>[0][number];

// A length that does not affect the answer.
const UNASKED = { passes: null, isSettled: false } as const;

function decider(
  scores: readonly SearchScore[],
  { design, lengths }: { readonly design: SearchDesign; readonly lengths: readonly number[] },
): (length: number) => LengthDecision {
  const byLength = Map.groupBy(scores, ({ length }) => length);
  const roundsOf = (length: number): SearchRounds => searchRounds(byLength.get(length) ?? [], { design, length });
  const isOwn = typeof design.threshold === "object";
  const base = isOwn ? roundsOf(lengths[0]!) : null;
  const tested = isOwn ? lengths.slice(1) : lengths;
  // The shortest length always reaches a share of its own score, if it can have one.
  const hasScore = base !== null && (base.rounds.length > 0 || base.leadTo(1).length > 0);
  // A share of 0 is no threshold.
  const isZero = base !== null && base.rounds.length > 0 && base.leadTo(base.rounds.length + 1).length === 0 &&
    base.rounds.flat().every((score) => score === 0);
  return (length) => {
    if (isZero) {
      const { rounds, weights, scores } = roundsOf(length);
      return { verdict: { length, rounds, weights, scores, threshold: null, ...UNASKED }, next: [] };
    }
    const decision = decideLength(roundsOf(length), {
      length,
      base,
      errorChance: errorChances(length, tested, design),
      design,
    });
    if (!isOwn || length !== lengths[0]) return decision;
    return { verdict: { ...decision.verdict, passes: hasScore || null, isSettled: hasScore }, next: [] };
  };
}

// A step asks at least 16 samples, so that many calls can run at once, and 20% more rounds.
const STEP = { samples: 16, rounds: 2, growth: 0.2 };

/**
 * Returns the chances of error of both verdicts on a length. The verdict that ends the search can be wrong at every length, so each has
 * its part of the error rate (Bonferroni). The other one makes the answer wrong at one length alone, the true one, and only the lengths
 * before it can have used up a part by then: it has the rest, which at the first length is all of the error rate.
 */
function errorChances(
  length: number,
  tested: readonly number[],
  { rule, errorChance = 0.05 }: SearchDesign,
): ErrorChances {
  const isContiguous = rule === "contiguous";
  const at = Math.max(0, tested.indexOf(length));
  const before = isContiguous ? at : tested.length - 1 - at;
  const ends = errorChance / tested.length;
  const goesOn = errorChance - before * ends;
  return isContiguous ? { above: goesOn, below: ends } : { above: ends, below: goesOn };
}

interface LengthDecision {
  readonly verdict: LengthVerdict;
  readonly next: readonly SearchSample[];
}

/** Decides whether a length passes, or returns the samples to ask next. */
function decideLength(
  rounds: SearchRounds,
  { length, base, errorChance, design }: {
    readonly length: number;
    /** The rounds of the shortest length, if the threshold is a share of its mean. */
    readonly base: SearchRounds | null;
    readonly errorChance: ErrorChances;
    readonly design: SearchDesign;
  },
): LengthDecision {
  const { compared, threshold } = comparedRounds(rounds, base, design);
  const { weights, scores } = rounds;
  const common = { length, rounds: rounds.rounds, weights, scores, threshold: thresholdOf(design, base) };
  const { side } = anytimeTest({ rounds: compared, weights }, { threshold, errorChance });
  if (side !== null) return { verdict: { ...common, passes: side === "above", isSettled: true }, next: [] };
  const step = Math.ceil(Math.max(STEP.rounds, STEP.samples / design.tasks.length, STEP.growth * compared.length));
  const more = [rounds, ...(base === null ? [] : [base])].map((side) => ({
    isEnough: side.rounds.length > compared.length,
    next: side.leadTo(compared.length + step),
  }));
  const isAtEnd = more.some(({ isEnough, next }) => !isEnough && next.length === 0);
  if (!isAtEnd) {
    return { verdict: { ...common, passes: null, isSettled: false }, next: more.flatMap(({ next }) => next) };
  }
  const mean = compared.length === 0 ? null : meanOfRounds({ rounds: compared, weights });
  const isAbove = (score: number): boolean => design.rule === "strict" ? score > threshold : score >= threshold;
  const passes = mean === null ? null : isAbove(mean);
  return { verdict: { ...common, passes, isSettled: false }, next: [] };
}

/** Returns the rounds whose mean is compared with a threshold, both in [0, 1]. */
function comparedRounds(
  { rounds }: SearchRounds,
  base: SearchRounds | null,
  design: SearchDesign,
): { readonly compared: Rounds["rounds"]; readonly threshold: number } {
  if (typeof design.threshold === "number") return { compared: rounds, threshold: design.threshold / 100 };
  const { share } = design.threshold;
  // The score minus a share of the base's is in [-share, 1]; it is mapped to [0, 1], and the threshold 0 with it.
  const compared = rounds.slice(0, base!.rounds.length).map((round, place) =>
    round.map((score, task) => (score - share * base!.rounds[place]![task]! + share) / (1 + share))
  );
  return { compared, threshold: share / (1 + share) };
}

function thresholdOf({ threshold }: SearchDesign, base: SearchRounds | null): number | null {
  if (typeof threshold === "number") return threshold;
  return base === null || base.rounds.length === 0 ? null : 100 * threshold.share * meanOfRounds(base);
}

/** The aim and the limits of an adaptive search. */
export interface SearchDesign {
  /** The tasks whose mean decides, with equal weight; at least one. */
  readonly tasks: readonly string[];
  /** The context lengths to search, in tokens; at least one. */
  readonly lengths: readonly number[];
  /** The maximum number of samples of each task at each length, from 1. */
  readonly samples: number;
  /** The index of the first sample of each task and length; 0 by default. */
  readonly first?: number;
  /** The threshold: percent in (0, 100), or a share of the mean at the shortest length, in (0, 1). */
  readonly threshold: number | { readonly share: number };
  /**
   * The rule for an effective length, "published" by default. By `published` and `strict` the search starts at the longest length
   * and ends at the first that passes; by `contiguous` it starts at the shortest and ends at the first that fails.
   */
  readonly rule?: EffectiveLengthRule;
  /** The largest acceptable chance that a settled answer is wrong, in (0, 1); 0.05 by default. */
  readonly errorChance?: number;
}

/** Checks a design and returns its distinct lengths, rising. */
function checkDesign(design: SearchDesign): readonly number[] {
  const { tasks, samples, first = 0, threshold, errorChance = 0.05 } = design;
  const lengths = [...new Set(design.lengths)].sort((left, right) => left - right);
  const isOwn = typeof threshold === "object";
  const inside = (value: number, high: number): boolean => value > 0 && value < high;
  const checks: readonly (readonly [name: string, holds: boolean, wanted: string, value: unknown])[] = [
    ["tasks", tasks.length > 0, "at least one", tasks.length],
    ["lengths", lengths.length > (isOwn ? 1 : 0), isOwn ? "at least two" : "at least one", lengths.length],
    ["samples", Number.isInteger(samples) && samples >= 1, "a whole number from 1", samples],
    ["first", Number.isInteger(first) && first >= 0, "a whole number from 0", first],
    isOwn
      ? ["share", inside(threshold.share, 1), "in (0, 1)", threshold.share]
      : ["threshold", inside(threshold, 100), "in (0, 100)", threshold],
    ["errorChance", inside(errorChance, 1), "in (0, 1)", errorChance],
  ];
  for (const [name, holds, wanted, value] of checks) {
    need(holds, "search for the effective length", `${name} must be ${wanted}`, value);
  }
  return lengths;
}

interface SearchRounds {
  readonly rounds: Rounds["rounds"];
  readonly weights: readonly number[];
  readonly scores: number;
  /** Returns the samples needed for this number of rounds; none if a task has no more in the design. */
  readonly leadTo: (rounds: number) => readonly SearchSample[];
}

interface TaskScores {
  readonly task: string;
  readonly values: readonly { readonly value: number; readonly cluster: string | undefined }[];
  readonly asked: ReadonlySet<number>;
}

/** Groups the scores of one length into rounds: the first score of each task, the second of each, and so on by index. */
function searchRounds(
  scores: readonly SearchScore[],
  { design, length }: { readonly design: SearchDesign; readonly length: number },
): SearchRounds {
  const { samples, first = 0 } = design;
  const inDesign = scores.filter(({ index }) => index >= first && index < first + samples);
  const byTask = Map.groupBy(inDesign, ({ task }) => task);
  const tasks = design.tasks.map((task): TaskScores => {
    const ofTask = byTask.get(task)?.toSorted((left, right) => left.index - right.index) ?? [];
    const values = ofTask.flatMap(({ value, cluster }) => value === null ? [] : [{ value, cluster }]);
    return { task, values, asked: new Set(ofTask.map(({ index }) => index)) };
  });
  const count = Math.min(...tasks.map(({ values }) => values.length));
  const complete = Array.from({ length: count }, (_, round) => tasks.map(({ values }) => values[round]!));
  const isAtEnd = tasks.some(({ values, asked }) => values.length === count && asked.size === samples);
  const lead = ({ task, values, asked }: TaskScores, rounds: number): SearchSample[] =>
    Array.from({ length: samples }, (_, at) => ({ task, length, index: first + at }))
      .filter(({ index }) => !asked.has(index)).slice(0, Math.max(0, rounds - values.length));
  const joined = joinRounds(complete, isAtEnd);
  return {
    ...joined,
    scores: count * tasks.length,
    leadTo: (rounds) => isAtEnd ? [] : tasks.flatMap((task) => lead(task, count + rounds - joined.rounds.length)),
  };
}

/**
 * Averages the tasks that share clusters, and consecutive rounds that do. The last rounds count only once their clusters are
 * complete: a mean that is used while it grows would be several bets.
 */
function joinRounds(
  complete: readonly TaskScores["values"][],
  isAtEnd: boolean,
): Pick<SearchRounds, "rounds" | "weights"> {
  const samples = complete.flatMap((round) => round.map(({ cluster }, task) => ({ cell: String(task), cluster })));
  const groups = complete.length === 0 ? [] : joinCells(samples).map((tasks) => [...tasks].map(Number));
  const joined: { readonly clusters: Set<string>; readonly rounds: TaskScores["values"][] }[] = [];
  for (const round of complete) {
    const clusters = new Set(round.flatMap(({ cluster }) => cluster ?? []));
    const last = joined.at(-1);
    if (last === undefined || last.clusters.isDisjointFrom(clusters)) joined.push({ clusters, rounds: [round] });
    else joined.splice(-1, 1, { clusters: last.clusters.union(clusters), rounds: [...last.rounds, round] });
  }
  // Without clusters every round is complete.
  if (!isAtEnd && (joined.at(-1)?.clusters.size ?? 0) > 0) joined.pop();
  return {
    weights: groups.map((tasks) => tasks.length),
    rounds: joined.map(({ rounds }) =>
      groups.map((tasks) => meanOf(rounds.flatMap((round) => tasks.map((task) => round[task]!.value))))
    ),
  };
}

/**
 * Runs an adaptive search to its end on known scores, such as those of a recorded or simulated run.
 *
 * @param score Returns a sample's score in [0, 1], or `null` if it has none; called once for each sample asked.
 * @returns The last step, and all samples asked in the order of the steps.
 * @throws {RangeError} If an option of the design is outside its range.
 */
export function searchWith(
  score: (sample: SearchSample) => number | null,
  design: SearchDesign,
  clusterOf: (sample: SearchSample) => string | undefined = () => undefined,
): SearchStep & { readonly scores: Parameters<typeof adaptiveSearch>[0] } {
  const scores: SearchScore[] = [];
  for (;;) {
    const step = adaptiveSearch(scores, design);
    if (step.next.length === 0) return { ...step, scores };
    for (const sample of step.next) scores.push({ ...sample, value: score(sample), cluster: clusterOf(sample) });
  }
}

/** The part of a design that is not in the plan of a study. */
export type SearchAim = Pick<SearchDesign, "threshold" | "rule" | "errorChance">;
