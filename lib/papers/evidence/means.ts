import type { EvidencePair } from "./pairs.ts";
import {
  decidedByCases,
  decidedByDifference,
  differenceInterval,
  type Evidence,
  type Finding,
  mean,
  meanOfRows,
  notAsked,
  pairedComparison,
  pointsText,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";

/** The mean of some first scores less that of the second ones, in points. */
export interface MeanDifference extends ScoreWithInterval {
  /** Independent units behind the mean with fewer of them; absent if unknown. */
  readonly units?: number;
  /** Both means, in percent. */
  readonly scores: readonly [ScoreWithInterval, ScoreWithInterval];
  /** The difference with its interval, if that is known. */
  readonly text: string;
}

/**
 * Compares the mean first score of some pairs with the mean second one; `null` if there is no pair. Published scores of one reply each
 * are compared pair by pair ({@linkcode pairedComparison}). Means without an interval are taken as they are.
 */
export function meanDifference(pairs: readonly EvidencePair[]): MeanDifference | null {
  const [firsts, seconds] = [pairs.map(({ first }) => first), pairs.map(({ second }) => second)];
  const rows = [...firsts, ...seconds];
  if (rows.length === 0) return null;
  if (rows.every(({ n, origin }) => n === 1 && origin === "published")) return singlesCompared(pairs);
  const scores = [meanOf(firsts), meanOf(seconds)] as const;
  const difference = differenceInterval(...scores);
  if (rows.some(({ low }) => low === null)) {
    return { ...difference, scores, text: `${difference.score.toFixed(1)} points` };
  }
  const units = Math.min(scores[0].units!, scores[1].units!);
  return { ...difference, units, scores, text: pointsText({ ...difference, units }) };
}

/** Compares single replies pair by pair; those of each table or figure weigh the same. */
function singlesCompared(pairs: readonly EvidencePair[]): MeanDifference {
  const tables = [...Map.groupBy(pairs, ({ first }) => first.source).values()];
  const { first, second, difference: score, low, high, units } = pairedComparison(
    tables.map((table) => table.map((pair) => ({ first: pair.first.score / 100, second: pair.second.score / 100 }))),
  );
  const [one, other] = [first, second].map((each) => ({ score: each, low: each, high: each }));
  return { score, low, high, units, scores: [one!, other!], text: pointsText({ score, low, high, units }) };
}

function meanOf(rows: readonly Evidence[]): ScoreWithInterval & { readonly units?: number } {
  const known = rows.flatMap((row) => {
    const { low, high, units = row.n ?? 1, n } = row;
    return low === null || high === null ? [] : [{ ...row, low, high, units, n: n ?? units }];
  });
  if (known.length === rows.length) return meanOfRows(known, rows.map(() => 1));
  const score = mean(rows.map((row) => row.score));
  return { score, low: score, high: score };
}

/** Judges a claim that the first scores of pairs are higher on average, or higher by a bar in points or more. */
export function decidedByMean(words: string, pairs: readonly EvidencePair[], bar = 0): Finding {
  const found = meanDifference(pairs);
  if (found === null) return notAsked("There are no two scores to compare.");
  return decidedByDifference(found, `${words}: ${found.text}.`, { scores: found.scores, bar });
}

/** Judges a claim for each model by itself ({@linkcode decidedByCases}). */
export function decidedByModels(rows: readonly Evidence[], judge: (rows: readonly Evidence[]) => Finding): Finding {
  const found = Array.from(Map.groupBy(rows, ({ model }) => model), ([model, own]) => ({ model, ...judge(own) }));
  const asked = found.filter(({ isAsked }) => isAsked !== false);
  if (asked.length < 2) return asked[0] ?? notAsked("There are no two scores to compare.");
  const agrees = asked.map(({ verdict }) => verdict === "cannot tell" ? null : verdict === "holds");
  return decidedByCases(agrees, asked.map(({ model, observed }) => `${model}: ${observed}`).join(" "));
}
