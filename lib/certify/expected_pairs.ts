import { type CertificateRule, type CertificateState, checkRule, openerOf, verdictOf } from "./decision.ts";
import { type CertificateDesign, ruleOf } from "./design.ts";
import type { Evidence } from "./exact_pairs.ts";
import { mean as meanOf, plural, sum, timeText } from "@/lib/base/mod.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";
import { need, normalBelow, normalPoint, type SamplePlanOptions, simpleStatistics } from "@/lib/statistics/mod.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import { busySeconds } from "@/lib/studies/mod.ts";
import { readRun } from "@/lib/records/mod.ts";

/** What a certificate is expected to meet. */
export interface PairForecast extends Pick<SamplePlanOptions, "clusterSize" | "icc"> {
  readonly difference?: number;
  readonly discordance: number;
}

// The mean of 400 certificates is known to about 4%. Long ones are fewer, so that a plan takes less than a second.
const MOST_RUNS = 400;
const LEAST_RUNS = 40;
const MOST_PAIRS = 800_000;

/**
 * Returns the number of pairs until a certificate is final, by seeded simulation of yes/no scores.
 *
 * All cells of the mix have the same true difference. Each question about a context takes the context's own draw with a chance of
 * `√icc`, so that two of them correlate by `icc`. A discordance below the difference is raised to it.
 *
 * @param forecast `difference`: the true one, change minus base, in points; 0 by default. `discordance`: the share of questions
 *   whose score changes, in percent, in (0, 100]. `clusterSize`: questions about each context, a whole number from 1; 1 by default.
 *   `icc`: the correlation of the differences of two questions about a context, in [0, 1]; 0 by default.
 * @returns The mean number of pairs with its 10th and 90th percentile, and the shares of certificates with each verdict.
 *   `fixed` is the size of a fixed design with a power of 90% for "no worse" if nothing changed: `(z(1 - errorChance) s0 + z(0.9) s)² /
 *   margin²` for a discordance of `s²`, and `s0² = s² - margin²` or the least that a loss of the margin allows (Connor 1987).
 * @throws {RangeError} If a number is outside its range.
 */
export function expectedPairs(
  rule: CertificateRule,
  forecast: PairForecast,
): Readonly<Record<"mean" | "low" | "high" | "noWorse" | "loss" | "worse" | "fixed", number>> {
  checkRule(rule);
  checkForecast(forecast);
  const fixed = fixedDesign(rule, forecast);
  if (rule.method === "fixed") return { mean: rule.samples, low: rule.samples, high: rule.samples, ...fixed };
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
    noWorse: share("no worse"),
    loss: share("loss"),
    worse: share("worse"),
    fixed: fixed.fixed,
  };
}

function checkForecast({ difference = 0, discordance, clusterSize = 1, icc = 0 }: PairForecast): void {
  const check = (holds: boolean, wanted: string, value: number): void =>
    need(holds, "plan a certificate", wanted, value);
  check(discordance > 0 && discordance <= 100, "discordance must be in (0, 100]", discordance);
  check(Math.abs(difference) <= 100, "difference must be in [-100, 100]", difference);
  check(Number.isInteger(clusterSize) && clusterSize >= 1, "clusterSize must be a whole number from 1", clusterSize);
  check(icc >= 0 && icc <= 1, "icc must be in [0, 1]", icc);
}

/** Runs one certificate to its end. */
function simulate(
  rule: CertificateRule,
  { difference = 0, discordance, clusterSize = 1, icc = 0, draw, evidence }: PairForecast & {
    readonly draw: Draw;
    readonly evidence: Evidence;
  },
): Pick<CertificateState, "pairs" | "verdict"> {
  const changed = Math.max(discordance, Math.abs(difference)) / 100;
  const better = (changed + difference / 100) / 2;
  const flip = (): number => {
    const place = draw();
    if (place >= changed) return 0;
    return place < better ? 1 : -1;
  };
  const context = (): number => {
    if (clusterSize === 1) return flip();
    const shared = flip();
    return sum(Array.from({ length: clusterSize }, () => draw() < Math.sqrt(icc) ? shared : flip())) / clusterSize;
  };
  const weights = rule.cells.map(({ weight }) => weight);
  const size = weights.length * clusterSize;
  for (let pairs = size;; pairs += size) {
    evidence.add({ values: weights.map(context), weights });
    const interval = evidence.interval();
    const verdict = verdictOf(interval, rule);
    if (verdict !== null) return { pairs, verdict };
    if (pairs + size > rule.samples) return { pairs, verdict: interval.high <= 0 ? "loss" : "not enough data" };
  }
}

/** Returns the numbers of a fixed design: its pairs for a power of 90%, and the shares of verdicts of the rule's number. */
function fixedDesign(
  { margin: points, errorChance = 0.025, samples }: CertificateRule,
  { difference = 0, discordance, clusterSize = 1, icc = 0 }: PairForecast,
): Readonly<Record<"fixed" | "noWorse" | "loss" | "worse", number>> {
  const [margin, mean] = [points / 100, difference / 100];
  const changed = Math.max(discordance, Math.abs(difference)) / 100;
  const effect = 1 + (clusterSize - 1) * icc;
  const reach = normalPoint(1 - errorChance);
  const least = reach * Math.sqrt(Math.max(changed, margin) - margin * margin);
  const root = Math.sqrt(samples / effect);
  const spread = Math.sqrt(Math.max(1e-12, changed - mean * mean));
  const chanceBelow = (estimate: number): number => normalBelow(root * (estimate - mean) / spread);
  const [noWorse, worse] = [least / root - margin, -least / root - margin];
  const lost = Math.min(noWorse, -reach * Math.sqrt(changed) / root);
  return {
    fixed: Math.ceil(((least + normalPoint(0.9) * Math.sqrt(changed)) / margin) ** 2 * effect),
    noWorse: 1 - chanceBelow(noWorse),
    loss: Math.max(0, chanceBelow(lost) - chanceBelow(worse)),
    worse: chanceBelow(worse),
  };
}

/** Describes the mix, the base against itself, and the pairs and the time that a verdict is expected to take. */
export async function expectations(
  design: CertificateDesign,
  { path, benchmarks }: { readonly path: string; readonly benchmarks: readonly Benchmark[] },
): Promise<readonly string[]> {
  const { mix, dropped, itself, samples, questions } = design;
  const { records } = await readRun(`${path}/calibration`, { benchmarks });
  const secondsEach = records.length === 0 ? 0 : busySeconds(records) / records.length;
  const timeOf = (pairs: number): string => timeText(1000 * secondsEach * pairs * (1 + design.again));
  const score = meanOf(mix, (cell) => cell.score).toFixed(0);
  const kept = `Mix: ${mix.length} ${plural(mix.length, "cell")}, base ${score}%; ${dropped.length} dropped`;
  if (itself === null) return [kept, `At most ${samples} pairs, ${timeOf(samples)}`];
  const { pairs, identical, better, worse } = itself;
  // One more of each, as a few samples without a flip do not prove that none flips.
  const discordance = design.flips ?? 100 * (better + worse + 1) / (pairs + 2);
  const { mean } = expectedPairs(ruleOf(design), { discordance, clusterSize: questions });
  return [
    kept,
    `Base against itself: ${identical} of ${pairs} replies identical, ${better} better and ${worse} worse`,
    `Expected: about ${Math.round(mean)} pairs, ${timeOf(mean)}, if nothing is lost`,
    `At most ${samples} pairs, ${timeOf(samples)}`,
  ];
}
