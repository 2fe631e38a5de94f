import { type Evidence, openFixed, openSigns } from "./fixed_interval.ts";
import { sum } from "@/lib/base/mod.ts";
import {
  type Interval,
  joinCells,
  need,
  openMeanSequence,
  type RoundUnits,
  stakeShares,
} from "@/lib/statistics/mod.ts";

/** The rule of a certificate, fixed before the first pair is asked. */
export interface CertificateRule {
  /** The loss that is allowed, in points, in (0, 100). */
  readonly margin: number;
  /** The largest acceptable chance of a false "no worse", and of a false "worse", in (0, 0.5); 0.025 by default. */
  readonly errorChance?: number;
  /**
   * `betting` (the default) may stop after any round; `fixed` decides once, after all pairs. Both have exact error chances. `signs`
   * only looks for a loss: it is exact if a change without effect would give each difference either sign with the same chance.
   */
  readonly method?: "betting" | "fixed" | "signs";
  /** The forecast share of pairs that differ if nothing is lost, in percent, for {@linkcode stakeShares}; by default all are alike. */
  readonly flips?: number;
  /** The largest number of pairs to ask, at least one for each cell; with `fixed`, the number itself. */
  readonly samples: number;
  /** The mix, such as a task at a length with its share of the traffic: distinct names, weights above 0 with any sum. */
  readonly cells: readonly { readonly name: string; readonly weight: number }[];
}

/** One context of a cell, asked before and after the change. */
export interface CertificatePair {
  readonly cell: string;
  /** The number of its round: rounds have one context for each cell, and rising numbers in the order asked. */
  readonly round: number;
  /** The mean score over the questions before the change, in [0, 1]; `null` if it is missing. */
  readonly base: number | null;
  readonly change: number | null;
  /** Questions about the context; 1 by default. */
  readonly questions?: number | undefined;
  /** The question or text that the pair shares with others. */
  readonly cluster?: string | undefined;
  /** How many questions scored higher after the change, and lower; by default those of a single question. */
  readonly flips?: { readonly better: number; readonly worse: number } | undefined;
}

/**
 * The state of a certificate: the questions of complete rounds, which the interval is about. Differences are change minus base in
 * points: below 0 is a loss.
 */
export interface CertificateState
  extends Interval, Readonly<Record<"pairs" | "contexts" | "rounds" | "missing" | "better" | "worse", number>> {
  /** Change minus base, in points: the mean of the rounds, or the nearest end of the interval if that excludes the mean. */
  readonly difference: number;
  /**
   * `no worse` or `worse`, final once the interval excludes a loss of the margin or more, or of the margin or less; before, `loss`
   * while it excludes 0 and all gains.
   */
  readonly verdict: "no worse" | "loss" | "worse" | "not enough data";
  /** Whether nothing more needs to be asked: it is decided, or no further round fits into `samples`. */
  readonly isFinal: boolean;
  /** Pairs at which `no worse` or `worse` was reached; `null` before. */
  readonly decidedAt: number | null;
  /** Contexts left out as they share a cluster with an earlier round. */
  readonly repeated: number;
  /** The interval as it narrowed, about 100 looks at most; the last one is the present. */
  readonly path: readonly Pick<CertificateState, "pairs" | "difference" | "low" | "high">[];
}

type CertificateLook = CertificateState["path"][number];

/**
 * Returns the state of a certificate after all pairs: did a change to a model or its server cost more than a margin of the score?
 *
 * The estimand is the difference of the mean scores, change minus base, weighted over the cells of the mix. With `betting` the
 * interval is a confidence sequence ({@linkcode openMeanSequence}): asking may stop after any round. Nothing is assumed about the
 * scores except that rounds are independent. Contexts with a missing score are left out, and a round of bets has the next context of
 * each cell that has scores, so that a failed call costs one context. Cells of a round that share a cluster are averaged, and a
 * context that shares one with an earlier round is left out, so that no luck counts twice. Several questions about one context count
 * as their mean.
 *
 * @param pairs In any order; it ends before the first round that is still waiting for a pair.
 * @param ends The means in (-1, 1) that an end of the interval can be, rising; by default so many that steps are fine. The verdict
 *   needs only minus the margin and 0.
 * @throws {RangeError} If the rule is outside its range, or a pair is not in the mix, occurs twice, or has a score outside [0, 1].
 */
export function certifyPairs(
  pairs: readonly CertificatePair[],
  rule: CertificateRule,
  ends?: readonly number[],
): CertificateState {
  checkRule(rule);
  const weights = new Map(rule.cells.map(({ name, weight }) => [name, weight]));
  const rounds = roundsOf(pairs, rule);
  for (const round of rounds) checkRound(round, weights);
  const evidence = rounds.length === 0 ? undefined : openerOf(rule, ends ?? gridOf(rule.margin / 100))();
  const count = { pairs: 0, contexts: 0, rounds: 0, missing: 0, repeated: 0, better: 0, worse: 0 };
  const path: CertificateLook[] = [];
  let [total, nextLook] = [0, 1];

  function betOn(round: readonly ScoredPair[]): void {
    count.rounds++;
    count.contexts += round.length;
    for (const { base, change, questions = 1, flips } of round) {
      count.pairs += questions;
      count.better += flips?.better ?? Number(change > base);
      count.worse += flips?.worse ?? Number(change < base);
    }
    const units = unitsOfRound(round, weights);
    total += sum(units.values, (value, at) => units.weights[at]! * value) / sum(units.weights);
    evidence!.add(units);
    if (count.rounds < nextLook) return;
    nextLook = Math.max(count.rounds + 1, Math.ceil(count.rounds * LOOK_GROWTH));
    path.push(look());
  }

  function look(): CertificateLook {
    const interval = evidence?.interval() ?? { low: -1, high: 1 };
    const mean = count.rounds === 0 ? 0 : total / count.rounds;
    // Bets leave out each mean that they ever refuted: if rounds drift, their mean can be left out too, and the ends can cross.
    const [low, high] = [Math.min(interval.low, interval.high), Math.max(interval.low, interval.high)];
    const difference = Math.max(low, Math.min(high, mean));
    return { pairs: count.pairs, difference: inPoints(difference), low: inPoints(low), high: inPoints(high) };
  }

  let [asked, isFull] = [0, false];
  let decided: { readonly verdict: "no worse" | "worse"; readonly pairs: number } | undefined;
  const complete = openQueues(rule, count);
  for (const round of rounds) {
    const size = sum(round, ({ questions = 1 }) => questions);
    if (asked + size <= rule.samples) {
      asked += size;
      for (const next of complete(round)) betOn(next);
    }
    isFull = asked + size > rule.samples;
    if (isFull) evidence!.finish?.();
    const verdict = verdictOf(evidence!.interval(), rule);
    if (verdict !== null) decided ??= { verdict, pairs: count.pairs };
    if (isFull) break;
  }
  const now = look();
  const earlier = path.at(-1)?.pairs === count.pairs ? path.slice(0, -1) : path;
  return {
    ...count,
    ...now,
    verdict: decided?.verdict ?? (now.high <= 0 ? "loss" : "not enough data"),
    isFinal: isFull || decided !== undefined,
    decidedAt: decided?.pairs ?? null,
    path: count.rounds === 0 ? [] : [...earlier, now],
  };
}

/** Returns a function that takes a round and returns those that are complete now: the next scored context of each cell. */
function openQueues(
  { cells }: CertificateRule,
  count: { missing: number; repeated: number },
): (round: readonly CertificatePair[]) => Iterable<readonly ScoredPair[]> {
  const clusters = new Set<string | undefined>();
  const waiting = new Map<string, ScoredPair[]>(cells.map(({ name }) => [name, []]));
  const queues = [...waiting.values()];
  return function* (round): Generator<readonly ScoredPair[]> {
    for (const pair of round) {
      if (isScored(pair)) waiting.get(pair.cell)!.push(pair);
      else count.missing++;
    }
    for (;;) {
      for (const queue of queues) {
        while (clusters.has(queue[0]?.cluster)) {
          queue.shift();
          count.repeated++;
        }
      }
      if (queues.some((queue) => queue.length === 0)) return;
      const next = queues.map((queue) => queue.shift()!);
      for (const { cluster } of next) if (cluster !== undefined) clusters.add(cluster);
      yield next;
    }
  };
}

// From one look to the next, rounds grow by this factor: about 100 looks at 40,000 rounds.
const LOOK_GROWTH = 1.08;

/** Returns an opener of the evidence of a rule; bets are about the means of a grid. */
export function openerOf(
  { method = "betting", margin, errorChance = 0.025, flips }: CertificateRule,
  grid: readonly number[],
): () => Evidence {
  if (method === "fixed") return () => openFixed(errorChance);
  if (method === "signs") return () => openSigns(errorChance);
  const shares = flips === undefined ? undefined : stakeShares(flips / 100, { margin: margin / 100, errorChance });
  return () => openMeanSequence(grid, errorChance, shares);
}

/** Returns the verdict of an interval in [-1, 1] at which asking may stop; `null` if it has none. */
export function verdictOf({ low, high }: Interval, { margin, method }: CertificateRule): "no worse" | "worse" | null {
  if (low >= -margin / 100 && method !== "signs") return "no worse";
  return high <= -margin / 100 ? "worse" : null;
}

/** Groups pairs by round, up to the first that is still waiting for a pair: later ones that were faster might differ. */
function roundsOf(
  pairs: readonly CertificatePair[],
  { cells }: CertificateRule,
): readonly (readonly CertificatePair[])[] {
  const ordered = pairs.toSorted((left, right) => left.round - right.round);
  const rounds = [...Map.groupBy(ordered, ({ round }) => round).values()];
  const open = rounds.findIndex((round) => round.length < cells.length);
  return open < 0 ? rounds : rounds.slice(0, open);
}

type ScoredPair = CertificatePair & Readonly<Record<"base" | "change", number>>;

function isScored(pair: CertificatePair): pair is ScoredPair {
  return pair.base !== null && pair.change !== null;
}

/** Averages the cells of a round that share a cluster. */
function unitsOfRound(round: readonly ScoredPair[], weights: ReadonlyMap<string, number>): RoundUnits {
  const byCell = new Map(round.map((pair) => [pair.cell, pair]));
  const units = joinCells(round).map((cells) => {
    const parts = [...cells].map((cell) => ({ ...byCell.get(cell)!, weight: weights.get(cell)! }));
    const weight = sum(parts, (part) => part.weight);
    return { weight, value: sum(parts, (part) => part.weight * (part.change - part.base)) / weight };
  });
  return { values: units.map(({ value }) => value), weights: units.map(({ weight }) => weight) };
}

/** Returns rising means in (-1, 1): steps of a 40th of the margin up to four margins from 0, and of 5% beyond. */
function gridOf(margin: number): readonly number[] {
  const above = Array.from({ length: 161 }, (_, at) => margin * (at / 40));
  while (above.at(-1)! < 1) above.push(above.at(-1)! * 1.05);
  const inside = above.filter((mean) => mean < 1);
  return [...inside.slice(1).map((mean) => -mean).reverse(), ...inside];
}

/** Returns a share in points, without the rounding error that would take an end past the margin. */
function inPoints(share: number): number {
  // Subtle: adding 0 turns -0 into 0.
  return Math.round(share * 1e11) / 1e9 + 0;
}

export function checkRule(rule: CertificateRule): void {
  const { margin, errorChance = 0.025, method = "betting", flips = 0, samples, cells } = rule;
  const names = cells.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  const light = cells.find(({ weight }) => !(weight > 0 && weight < Infinity));
  const check = (holds: boolean, wanted: string, value: unknown): void => need(holds, ACTION, wanted, value);
  check(margin > 0 && margin < 100, "margin must be in (0, 100) points", margin);
  check(errorChance > 0 && errorChance < 0.5, "errorChance must be in (0, 0.5)", errorChance);
  check(["betting", "fixed", "signs"].includes(method), "method must be betting, fixed or signs", method);
  check(flips >= 0 && flips <= 100, "flips must be in [0, 100] percent", flips);
  check(cells.length > 0, "cells must hold at least one", 0);
  check(twice === undefined, "each cell must occur once", twice);
  check(light === undefined, `the weight of ${light?.name} must be above 0`, light?.weight);
  const isEnough = Number.isInteger(samples) && samples >= cells.length;
  check(isEnough, `samples must be a whole number from ${cells.length}, one for each cell`, samples);
}

const ACTION = "certify a change";

function checkRound(round: readonly CertificatePair[], cells: ReadonlyMap<string, number>): void {
  const seen = new Set<string>();
  for (const { cell, base, change, questions = 1 } of round) {
    need(cells.has(cell), ACTION, "each pair must be of a cell of the mix", cell);
    need(!seen.has(cell), ACTION, "a round must have one pair for each cell", `${cell} twice`);
    seen.add(cell);
    const wrong = [base, change].find((score) => score !== null && !(score >= 0 && score <= 1));
    need(wrong === undefined, ACTION, `each score of ${cell} must be in [0, 1]`, wrong);
    need(questions >= 1, ACTION, `questions of ${cell} must be at least 1`, questions);
  }
}
