import { type Draw, stream } from "@/lib/random/mod.ts";
import { openerOf, verdictOf } from "@/lib/certify/decision.ts";
import type { CertificateRule } from "@/lib/certify/mod.ts";

/** A mix of cells with equal weights, or with those given. */
export function mixOf(weights: number | readonly number[]): CertificateRule["cells"] {
  const all = typeof weights === "number" ? Array.from({ length: weights }, () => 1) : weights;
  return all.map((weight, at) => ({ name: `cell ${at}`, weight }));
}

/** A kind of pair to simulate: draws both mean scores of a context of a cell. */
export type PairSource = (draw: Draw, cell: number) => readonly [base: number, change: number];

/** Yes/no pairs that differ with a chance, and by a difference on average; both in points. */
export function flipping(discordance: number, difference: number): PairSource {
  const [better, worse] = [(discordance + difference) / 200, (discordance - difference) / 200];
  return (draw) => {
    const place = draw();
    if (place < better) return [0, 1];
    return place < better + worse ? [1, 0] : [1, 1];
  };
}

/** Questions about one context, of which each takes the context's own draw with a chance: two correlate by its square. */
export function sharing(source: PairSource, questions: number, icc: number): PairSource {
  return (draw, cell) => {
    const shared = source(draw, cell);
    let [base, change] = [0, 0];
    for (let question = 0; question < questions; question++) {
      const [one, other] = draw() < Math.sqrt(icc) ? shared : source(draw, cell);
      base += one / questions;
      change += other / questions;
    }
    return [base, change];
  };
}

/** Losses of some cells and gains of others, with a weighted mean. */
function uneven(weights: readonly number[], losses: readonly number[]): (difference: number) => PairSource {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = losses.reduce((sum, loss, at) => sum + weights[at]! * loss, 0) / whole;
  return (difference) => {
    const cells = losses.map((loss) =>
      flipping(Math.max(6, Math.abs(loss - mean + difference)), loss - mean + difference)
    );
    return (draw, cell) => cells[cell]!(draw, cell);
  };
}

/** Shares of eight facts, of which a change loses or gains one or two. */
function graded(difference: number): PairSource {
  const inFlips = difference * 16 / 3;
  const flips = flipping(Math.max(20, Math.abs(inFlips)), inFlips);
  return (draw, cell) => {
    const [base, change] = flips(draw, cell);
    const facts = draw() < 0.5 ? 1 : 2;
    const kept = 2 + Math.floor(5 * draw());
    return [(kept + base * facts) / 8, (kept + change * facts) / 8];
  };
}

/** Small gains nearly everywhere, and a total loss now and then. */
function rare(difference: number): PairSource {
  const gain = 0.01;
  const chance = (gain - difference / 100) / (1 + gain);
  return (draw) => draw() < chance ? [1, 0] : [0.5, 0.5 + gain];
}

const TASKS = 13;
const ALIKE: readonly number[] = Array(TASKS).fill(1);
const ONE_HEAVY: readonly number[] = [12, ...ALIKE.slice(1)];

/** A law of pairs with a true difference, in points. */
export interface PairLaw {
  readonly name: string;
  readonly source: (difference: number) => PairSource;
  readonly weights?: readonly number[];
  readonly questions?: number;
}

function flippingLaw(discordance: number): PairLaw["source"] {
  return (difference) => flipping(Math.max(discordance, Math.abs(difference)), difference);
}

/** Laws under which a certificate is tested. */
export const LAWS: readonly PairLaw[] = [
  { name: "1% differ", source: flippingLaw(1) },
  { name: "5% differ", source: flippingLaw(5) },
  { name: "10% differ", source: flippingLaw(10) },
  { name: "20% differ", source: flippingLaw(20) },
  { name: "base at the ceiling", source: flippingLaw(0) },
  { name: "graded scores", source: graded },
  { name: "small gains and rare total losses", source: rare },
  {
    name: "4 questions a context, ICC 0.5",
    questions: 4,
    source: (difference) => sharing(flippingLaw(5)(difference), 4, 0.5),
  },
  {
    name: "8 questions a context, ICC 0.9",
    questions: 8,
    source: (difference) => sharing(flippingLaw(5)(difference), 8, 0.9),
  },
  { name: "one task loses 26 points more", source: uneven(ALIKE, [-26, ...Array(TASKS - 1).fill(0)]) },
  {
    name: "one task of half the weight, opposite to the others",
    weights: ONE_HEAVY,
    source: uneven(ONE_HEAVY, [-8, ...Array(TASKS - 1).fill(8)]),
  },
];

export const VERDICTS = ["no worse", "loss", "worse", "not enough data"] as const;

/**
 * The shares of certificates with each verdict, of those that are `accepted` as a loss that is estimated within the margin, and of
 * those whose interval missed the true difference; their mean pairs.
 */
export type VerdictChances = Readonly<Record<typeof VERDICTS[number] | "accepted" | "missed" | "pairs", number>>;

/** Simulates certificates at a true difference, by default with a margin of 2, 4,000 pairs and a forecast of 5% flips. */
export function chancesOfVerdicts(
  { name, source, weights = ALIKE, questions = 1 }: PairLaw,
  difference: number,
  { runs, seed, flips = 5, ...changes }:
    & { readonly runs: number; readonly seed: string; readonly flips?: number | null }
    & Partial<Omit<CertificateRule, "flips">>,
): VerdictChances {
  const rule = { margin: 2, samples: 4000, cells: mixOf(weights), ...(flips === null ? {} : { flips }), ...changes };
  const grid = [...new Set([-rule.margin / 100, difference / 100, 0])].sort((left, right) => left - right);
  const [open, draw, draws] = [openerOf(rule, grid), stream(seed, name, difference), source(difference)];
  const found = { "no worse": 0, "loss": 0, "worse": 0, "not enough data": 0, accepted: 0, missed: 0, pairs: 0 };
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const size = weights.length * questions;
  for (let run = 0; run < runs; run++) {
    const evidence = open();
    let sum = 0;
    for (let pairs = size;; pairs += size) {
      const values = weights.map((_, cell) => {
        const [base, change] = draws(draw, cell);
        return change - base;
      });
      evidence.add({ values, weights });
      sum += values.reduce((total, value, at) => total + value * weights[at]!, 0) / whole;
      const { low, high } = evidence.interval();
      const verdict = verdictOf({ low, high }, rule);
      if (verdict === null && pairs + size <= rule.samples) continue;
      found[verdict ?? (high <= 0 ? "loss" : "not enough data")]++;
      if (verdict === null && high <= 0 && sum * size / pairs >= -rule.margin / 100) found.accepted++;
      // The end at the truth itself refutes it.
      if (low >= difference / 100 || high <= difference / 100) found.missed++;
      found.pairs += pairs;
      break;
    }
  }
  const shares = Object.entries(found).map(([what, count]) => [what, count / runs]);
  return Object.fromEntries(shares) as VerdictChances;
}

/** The chance of a verdict that is wrong at a true difference. */
export function errorOf(chances: VerdictChances, difference: number, margin = 2): number {
  return Math.max(
    difference <= -margin ? chances["no worse"] : 0,
    difference >= -margin ? chances.worse : 0,
    difference >= 0 ? chances.loss + chances.worse : 0,
  );
}
