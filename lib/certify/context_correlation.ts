import { mean as meanOf, sum } from "@/lib/base/mod.ts";
import { pick, stream } from "@/lib/random/mod.ts";
import { percentiles, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

/**
 * Returns the intraclass correlation of the paired differences of questions that share a context, with its 95% interval.
 *
 * It is the estimate of a one-way analysis of variance with unequal groups (Donner and Koval 1980, "The estimation of intraclass
 * correlation in the analysis of family data"), and the interval is the middle of 1,000 seeded bootstrap samples of contexts.
 *
 * @param contexts The differences, change minus base, of the questions about each context.
 * @returns `score` with its interval; the number of `contexts` and the mean number of `questions` of each; and the `designEffect`, the
 *   times as many questions that a decision takes (Kish 1965). `null` if no context has two questions, or nothing differs.
 */
export function contextCorrelation(
  contexts: readonly (readonly number[])[],
): ScoreWithInterval & Readonly<Record<"contexts" | "questions" | "designEffect", number>> | null {
  const groups = contexts.filter(({ length }) => length > 0)
    .map((values) => ({ n: values.length, sum: sum(values), square: sum(values, (value) => value * value) }));
  const icc = correlationOf(groups);
  if (icc === null) return null;
  const draw = stream("context correlation");
  const replicates = Array.from({ length: 1000 }, () => correlationOf(groups.map(() => pick(draw, groups))) ?? icc);
  const questions = meanOf(groups.map(({ n }) => n));
  return {
    ...percentiles(replicates, icc),
    contexts: groups.length,
    questions,
    designEffect: 1 + (questions - 1) * Math.max(0, icc),
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
