import type { ScoreWithInterval } from "./intervals.ts";
import { statedInterval, unitsText } from "./stated_interval.ts";

/**
 * The verdict on a claim: the numbers confirm it, confirm it but for few cases ({@linkcode decidedByCases}), contradict it, or do
 * not decide it.
 */
export type Verdict = "holds" | "mostly holds" | "fails" | "cannot tell";

/** A verdict and the numbers behind it. */
export interface Finding {
  readonly verdict: Verdict;
  /** The observation: one or two sentences with numbers. */
  readonly observed: string;
  /** Set if the claim is open because what it takes was not asked. */
  readonly isAsked?: false;
}

/** Formats a difference: `3.2 points (95% interval -1.0 to 7.4)`; of few units, `3.2 points (about these 3 texts only)`. */
export function pointsText(difference: ScoreWithInterval & { readonly units?: number }): string {
  const { score, low, high } = difference;
  const interval = `95% interval ${low.toFixed(1)} to ${high.toFixed(1)}`;
  return `${score.toFixed(1)} points (${unitsText([difference], interval)})`;
}

/** Returns the verdict on a claim that numbers support, contradict or leave open. */
export function verdictOf(holds: boolean, fails: boolean): Verdict {
  if (holds) return "holds";
  return fails ? "fails" : "cannot tell";
}

/** Returns a finding for numbers without an interval. */
export function decided(holds: boolean, observed: string): Finding {
  return { verdict: holds ? "holds" : "fails", observed };
}

/** The least share and number of cases for "mostly holds": of fewer, three quarters agree by chance too often. */
const [MOSTLY, LEAST_CASES] = [3 / 4, 8];

/**
 * Returns a finding for a claim about each of several cases, such as models or rows: it holds if all agree, mostly holds if three
 * quarters do, and fails otherwise. Fewer than eight cases have no "mostly".
 *
 * @param agrees `null` for a case that is open: the claim is open if the verdict depends on such cases.
 */
export function decidedByCases(agrees: readonly (boolean | null)[], observed: string): Finding {
  const sure = agrees.filter((each) => each === true).length;
  const open = agrees.filter((each) => each === null).length;
  const enough = agrees.length >= LEAST_CASES ? MOSTLY * agrees.length : agrees.length;
  if (sure === agrees.length) return { verdict: "holds", observed };
  if (sure >= enough) return { verdict: "mostly holds", observed };
  return { verdict: sure + open < enough ? "fails" : "cannot tell", observed };
}

/** Returns a finding that leaves the claim open. */
export function cannotTell(observed: string): Finding {
  return { verdict: "cannot tell", observed };
}

/** Returns a finding that leaves the claim open as its tasks or lengths were not asked. */
export function notAsked(observed: string): Finding {
  return { ...cannotTell(observed), isAsked: false };
}

/**
 * A difference that is surely smaller counts as none, in points. The difference of two scores of 80% with 500 samples each, the most
 * that a cell of the papers has, is known to 5 points (95%), so their numbers could not show a smaller one.
 */
export const NO_DIFFERENCE = 5;

/**
 * Judges whether one score is above another by their difference in points: the claim holds if it is surely above 0, fails if it is
 * surely below {@linkcode NO_DIFFERENCE}, and is open otherwise.
 *
 * @param options `scores`: both, in percent, of tasks that can be too hard or too easy to show a difference, and `floor`, their lowest
 *   ({@linkcode unlessAtEdge}). `bar`: a least difference, in points, on both sides of which it is decided; none by default.
 */
export function decidedByDifference(
  difference: Pick<ScoreWithInterval, "low" | "high"> & { readonly units?: number },
  observed: string,
  options: { readonly scores?: readonly ScoreWithInterval[]; readonly bar?: number; readonly floor?: number } = {},
): Finding {
  const { low, high } = statedInterval(difference);
  if (low === null || high === null) return cannotTell(observed);
  const { scores, bar = 0, floor = 0 } = options;
  const [holds, least] = bar === 0 ? [low > 0, NO_DIFFERENCE] : [low >= bar, bar];
  const finding: Finding = { verdict: verdictOf(holds, high < least), observed };
  const isSmall = finding.verdict === "fails" && high > 0;
  return isSmall && scores !== undefined ? unlessAtEdge(finding, scores, { bar: least, floor }) : finding;
}

/** A score whose interval reaches this value, in percent, is at the ceiling. */
const CEILING = 99;

/**
 * Returns a finding that depends on two scores being equal, or "cannot tell" if both are at the floor or both at the ceiling within
 * their intervals: the task is then too hard, or too easy, to show a difference.
 *
 * @param finding The finding if the scores are not at an edge.
 * @param scores Both, in percent.
 * @param options `bar`: the difference that the claim is about, in points; a score less than that above the floor could not show
 *   it. `floor`: the lowest possible score, in percent, 0 by default.
 */
export function unlessAtEdge(
  finding: Finding,
  scores: readonly ScoreWithInterval[],
  { bar, floor = 0 }: { readonly bar: number; readonly floor?: number },
): Finding {
  const isLow = scores.every(({ low }) => low < floor + bar);
  const isHigh = scores.every(({ high }) => high > CEILING);
  if (!isLow && !isHigh) return finding;
  const [first, second] = scores.map(({ score }) => score.toFixed(1));
  const [edge, fault] = isLow ? ["floor", "hard"] : ["ceiling", "easy"];
  const why =
    `Both scores (${first} and ${second}) are at the ${edge}, so the task is too ${fault} to show a difference.`;
  return cannotTell(`${finding.observed} ${why}`);
}

/** Formats names with numbers: `GPT-4 96.6, Yi (34B) 93.3`. */
export function listed(items: readonly (readonly [string, number])[]): string {
  return items.length === 0 ? "none" : items.map(([name, value]) => `${name} ${value.toFixed(1)}`).join(", ");
}

/** Numbers of claims that hold, mostly hold, fail and cannot be decided. */
export type VerdictCounts = Readonly<Record<"holds" | "mostly" | "fails" | "open", number>>;

/** Formats counts of verdicts, such as `1 holds, 1 mostly holds, 2 fail, 0 cannot tell`; without `mostly` if there is none. */
export function verdictCounts({ holds, mostly, fails, open }: VerdictCounts): string {
  const hold = (count: number): string => count === 1 ? "holds" : "hold";
  return [
    `${holds} ${hold(holds)}`,
    ...(mostly === 0 ? [] : [`${mostly} mostly ${hold(mostly)}`]),
    `${fails} ${fails === 1 ? "fails" : "fail"}`,
    `${open} cannot tell`,
  ].join(", ");
}
