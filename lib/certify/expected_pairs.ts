import { type CertificateRule, type CertificateState, checkRule, openerOf, verdictOf } from "./decision.ts";
import { type CertificateDesign, ruleOf } from "./design.ts";
import type { Evidence } from "./fixed_interval.ts";
import { mean as meanOf, plural, timeText } from "@/lib/base/mod.ts";
import { type Draw, pick, stream } from "@/lib/random/mod.ts";
import { need, normalPoint, simpleStatistics } from "@/lib/statistics/mod.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import { busySeconds } from "@/lib/studies/mod.ts";
import { readRun } from "@/lib/records/mod.ts";

/** What a certificate is expected to meet. */
export interface PairForecast {
  readonly difference?: number;
  readonly discordance: number;
  /** Recorded differences, change minus base in [-1, 1], that are drawn again instead. */
  readonly recorded?: readonly number[];
}

// The mean of 400 certificates is known to about 4%. Long ones are fewer, so that a plan takes less than a second.
const MOST_RUNS = 400;
const LEAST_RUNS = 40;
const MOST_PAIRS = 800_000;

/**
 * Returns the number of pairs until a certificate by bets is final, by seeded simulation of yes/no scores, or of recorded pairs.
 *
 * All cells have the same true difference, and each context one question. A discordance below the difference is raised to it.
 *
 * @param forecast `difference`: the true one, change minus base, in points; 0 by default. `discordance`: the share of questions
 *   whose score changes, in percent, in (0, 100]; of graded scores, the mean square of their change.
 * @returns The mean number of pairs with its 10th and 90th percentile, and the shares of certificates with each verdict; `first` is the
 *   mean number until the interval first excludes a loss of the margin, or 0, so that a loss is found.
 *   `fixed` is the size of a fixed design with a power of 90% for "no worse" if nothing changed: `(z(1 - errorChance) s0 + z(0.9) s)² /
 *   margin²` for a discordance of `s²`, and `s0² = s² - margin²` or the least that a loss of the margin allows (Connor 1987).
 * @throws {RangeError} If a number is outside its range.
 */
export function expectedPairs(
  rule: CertificateRule,
  forecast: PairForecast,
): Readonly<Record<"mean" | "low" | "high" | "first" | "noWorse" | "loss" | "worse" | "fixed", number>> {
  checkRule(rule);
  const { difference = 0, discordance } = forecast;
  need(discordance > 0 && discordance <= 100, "plan a certificate", "discordance must be in (0, 100]", discordance);
  need(Math.abs(difference) <= 100, "plan a certificate", "difference must be in [-100, 100]", difference);
  const open = openerOf(rule, [-rule.margin / 100, 0]);
  const draw = stream("certificate plan");
  const found: ReturnType<typeof simulate>[] = [];
  let drawn = 0;
  while (found.length < MOST_RUNS && (found.length < LEAST_RUNS || drawn < MOST_PAIRS)) {
    found.push(simulate(rule, { ...forecast, draw, evidence: open() }));
    drawn += found.at(-1)!.pairs;
  }
  const sizes = found.map(({ pairs }) => pairs);
  const sorted = sizes.toSorted((left, right) => left - right);
  const share = (wanted: string): number => found.filter(({ verdict }) => verdict === wanted).length / found.length;
  return {
    mean: meanOf(sizes),
    low: simpleStatistics.quantileSorted(sorted, 0.1),
    high: simpleStatistics.quantileSorted(sorted, 0.9),
    first: meanOf(found, (each) => each.first),
    noWorse: share("no worse"),
    loss: share("loss"),
    worse: share("worse"),
    fixed: fixedPairs(rule, forecast),
  };
}

/** Runs one certificate to its end. */
function simulate(
  rule: CertificateRule,
  { difference = 0, discordance, recorded, draw, evidence }: PairForecast & {
    readonly draw: Draw;
    readonly evidence: Evidence;
  },
): Pick<CertificateState, "pairs" | "verdict"> & { readonly first: number } {
  const changed = Math.max(discordance, Math.abs(difference)) / 100;
  const better = (changed + difference / 100) / 2;
  const flip = (): number => {
    if (recorded !== undefined) return pick(draw, recorded);
    const place = draw();
    if (place >= changed) return 0;
    return place < better ? 1 : -1;
  };
  const weights = rule.cells.map(({ weight }) => weight);
  const size = weights.length;
  let first: number | undefined;
  for (let pairs = size;; pairs += size) {
    evidence.add({ values: weights.map(flip), weights });
    const interval = evidence.interval();
    const verdict = verdictOf(interval, rule);
    const isLoss = interval.high <= 0;
    const isOver = verdict !== null || pairs + size > rule.samples;
    if (isOver || isLoss) first ??= pairs;
    if (isOver) return { pairs, verdict: verdict ?? (isLoss ? "loss" : "not enough data"), first: first! };
  }
}

/** Returns the pairs of a fixed design for a power of 90% if nothing is lost. */
function fixedPairs({ margin: points, errorChance = 0.025 }: CertificateRule, { discordance }: PairForecast): number {
  const [margin, changed] = [points / 100, discordance / 100];
  const least = normalPoint(1 - errorChance) * Math.sqrt(Math.max(changed, margin) - margin * margin);
  return Math.ceil(((least + normalPoint(0.9) * Math.sqrt(changed)) / margin) ** 2);
}

/** Describes the mix, the base against itself, and the pairs and the time that a verdict is expected to take. */
export async function expectations(
  design: CertificateDesign,
  { path, benchmarks }: { readonly path: string; readonly benchmarks: readonly Benchmark[] },
): Promise<readonly string[]> {
  const { mix, dropped, itself, samples } = design;
  const { records } = await readRun(`${path}/calibration`, { benchmarks });
  const secondsEach = records.length === 0 ? 0 : busySeconds(records) / records.length;
  const timeOf = (pairs: number): string => timeText(1000 * secondsEach * pairs * (1 + design.again));
  const score = meanOf(mix, (cell) => cell.score).toFixed(0);
  const kept = `Mix: ${mix.length} ${plural(mix.length, "cell")}, base ${score}%; ${dropped.length} dropped`;
  if (itself === null) return [kept, `At most ${samples} pairs, ${timeOf(samples)}`];
  const { pairs, identical, better, worse } = itself;
  // One more of each, as a few samples without a flip do not prove that none flips.
  const discordance = design.flips ?? 100 * (better + worse + 1) / (pairs + 2);
  // A context with several questions counts at least as much as one with one.
  const mean = design.method === "fixed" ? samples : expectedPairs(ruleOf(design), { discordance }).mean;
  return [
    kept,
    `Base against itself: ${identical} of ${pairs} replies identical, ${better} better and ${worse} worse`,
    `Expected: about ${Math.round(mean)} pairs, ${timeOf(mean)}, if nothing is lost`,
    `At most ${samples} pairs, ${timeOf(samples)}`,
  ];
}
