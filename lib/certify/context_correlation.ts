import { mean as meanOf, sum } from "@/lib/base/mod.ts";
import { pick, stream } from "@/lib/random/mod.ts";
import { need, percentiles, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

/**
 * Returns the intraclass correlation of the paired differences of questions that share a context, with its 95% interval.
 *
 * It is the estimate of a one-way analysis of variance with unequal groups (Donner and Koval 1980, "The estimation of intraclass
 * correlation in the analysis of family data"), and the interval is the middle of 1,000 seeded bootstrap samples of contexts.
 * With `k` questions a decision needs `1 + (k - 1) icc` times the questions and a `k`-th of the contexts, so its cost is least
 * at `k = √(readingCost (1 - icc) / icc)` (Kish 1965, "Survey sampling", section 8.3). Rare changes gain less: see docs/certify.md.
 *
 * @param contexts The differences, change minus base, of the questions about each context.
 * @param readingCost The cost of reading a context, in costs of one further question about it, from 0; 10 by default.
 * @returns `score` with its interval; the number of `contexts` and the mean number of `questions` of each; the `designEffect`, the
 *   times as many questions that are needed; the number of questions for each context at which a decision is `cheapest`, and its
 *   `cost` as a share of that with one question for each context. `null` if no context has two questions, or nothing differs.
 */
export function contextCorrelation(
  contexts: readonly (readonly number[])[],
  readingCost = 10,
):
  | ScoreWithInterval & Readonly<Record<"contexts" | "questions" | "designEffect" | "cheapest" | "cost", number>>
  | null {
  need(readingCost >= 0 && readingCost < Infinity, "correlate contexts", "readingCost must be at least 0", readingCost);
  const groups = contexts.filter((values) => values.length > 0).map((values) => {
    return { n: values.length, sum: sum(values), square: sum(values, (value) => value * value) };
  });
  const icc = correlationOf(groups);
  if (icc === null) return null;
  const draw = stream("context correlation");
  const replicates = Array.from({ length: 1000 }, () => correlationOf(groups.map(() => pick(draw, groups))) ?? icc);
  const questions = meanOf(groups.map(({ n }) => n));
  const shared = Math.max(0, icc);
  const most = Math.max(...groups.map(({ n }) => n));
  const costOf = (k: number): number => (readingCost / k + 1) * (1 + (k - 1) * shared) / (readingCost + 1);
  const best = shared === 0 ? most : Math.sqrt(readingCost * (1 - shared) / shared);
  const cheapest = Math.max(
    1,
    costOf(Math.floor(best)) <= costOf(Math.ceil(best)) ? Math.floor(best) : Math.ceil(best),
  );
  return {
    ...percentiles(replicates, icc),
    contexts: groups.length,
    questions,
    designEffect: 1 + (questions - 1) * shared,
    cheapest,
    cost: costOf(cheapest),
  };
}

/** Returns the intraclass correlation of groups; `null` without two questions of a context, or if all are equal. */
function correlationOf(
  groups: readonly { readonly n: number; readonly sum: number; readonly square: number }[],
): number | null {
  const total = { n: 0, sum: 0, square: 0, within: 0, sizes: 0 };
  for (const { n, sum, square } of groups) {
    total.n += n;
    total.sum += sum;
    total.square += square;
    total.within += square - sum * sum / n;
    total.sizes += n * n;
  }
  const [between, within] = [groups.length - 1, total.n - groups.length];
  if (between < 1 || within < 1) return null;
  const size = (total.n - total.sizes / total.n) / between;
  const meanWithin = total.within / within;
  const meanBetween = (total.square - total.sum * total.sum / total.n - total.within) / between;
  const spread = meanBetween + (size - 1) * meanWithin;
  return spread <= 1e-12 ? null : (meanBetween - meanWithin) / spread;
}
