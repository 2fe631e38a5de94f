import { cannotTell } from "./ablation_findings.ts";
import { impliedTotal } from "./category_identity.ts";
import { riemannZeta } from "./frequencies.ts";
import { RULER_OVERALL } from "./ruler.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import {
  type Claim,
  differenceInterval,
  effectiveLength,
  effectiveLengthChances,
  type Finding,
  type ScoreRow,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** What claims about a run of one model look at. */
export interface RunEvidence {
  /** The rows of single tasks and of RULER's groups, from `summarise` and `lengthMeans`. */
  readonly rows: readonly ScoreRow[];
  /** What a length must score to be effective, in percent. */
  readonly threshold: number;
  /** The context that the model's makers claim, in tokens; `null` where unknown. */
  readonly claimedLength: number | null;
}

type ScoredRow = ScoreRow & ScoreWithInterval;

// A verdict needs this chance on its side.
const SURE = 0.975;
const LARGE_FALL = 10;
const NEARLY_PERFECT = 95;

/** RULER's claims, as they can be asked of a run; a verdict is given only where the 95% intervals leave no doubt. */
export const RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  {
    id: "M1",
    source: "section 4; as R30",
    kind: "check",
    statement: "The mean over 13 tasks is (8 NIAH + VT + 2 AG + 2 QA) / 13 of the categories, at every length.",
    check: ({ rows }) => {
      const misses = scoredRows(rows, RULER_OVERALL).flatMap((total) => {
        const at = (group: string): number | null =>
          scoredRows(rows, group).find((row) => row.length === total.length)?.score ?? null;
        const [retrieval, multiHop] = [at("retrieval"), at("multi-hop tracing")];
        const [aggregation, questions] = [at("aggregation"), at("question answering")];
        if (retrieval === null || multiHop === null || aggregation === null || questions === null) return [];
        return [Math.abs(total.score - impliedTotal({ retrieval, multiHop, aggregation, questions }))];
      });
      if (misses.length === 0) return undecided("No length has a score on all 13 tasks.");
      const most = Math.max(...misses);
      return {
        verdict: most < 1e-9 ? "holds" : "fails",
        observed: `At ${misses.length} lengths the largest difference is ${most.toFixed(3)} points.`,
      };
    },
  },
  {
    id: "M2",
    source: "abstract, section 4; as R11",
    kind: "paper",
    quote: "all models exhibit large performance drops as the context length increases",
    statement:
      `The model shows a large drop as the context grows (our measure: ${LARGE_FALL} points or more of the mean over 13 tasks, from the shortest to the longest length).`,
    check: ({ rows }) => {
      const totals = scoredRows(rows, RULER_OVERALL);
      if (totals.length < 2) return undecided("Fewer than two lengths have a score on all 13 tasks.");
      const [first, last] = [totals[0]!, totals.at(-1)!];
      const { score, low, high } = differenceInterval(first, last);
      return {
        verdict: low >= LARGE_FALL ? "holds" : high < LARGE_FALL ? "fails" : "cannot tell",
        observed:
          `From ${lengthText(first.length)} to ${lengthText(last.length)} it falls by ${score.toFixed(1)} points ` +
          `(95% interval ${low.toFixed(1)} to ${high.toFixed(1)}).`,
      };
    },
  },
  {
    id: "M3",
    source: "sections 1 and 4; as R2",
    kind: "paper",
    quote: "almost all models fall below the threshold before reaching the claimed context lengths",
    statement: "The model falls below the threshold before its claimed length: its effective length is shorter.",
    check: checkEffectiveLength,
  },
  {
    id: "M4",
    source: "section 4 and appendix E; as R10",
    kind: "paper",
    quote: "Despite achieving nearly perfect performance on the passkey retrieval and the vanilla NIAH task",
    statement:
      `Passkey and vanilla needles are found nearly perfectly (our measure: ${NEARLY_PERFECT} or more at each length up to the claimed one).`,
    check: ({ rows, claimedLength }) => {
      const needles = ["niah_single_1", "niah_single_2"].flatMap((task) => scoredRows(rows, task))
        .filter((row) => claimedLength === null || row.length <= claimedLength);
      if (needles.length === 0) return undecided("Neither task has a score at such a length.");
      const worst = needles.reduce((least, row) => row.score < least.score ? row : least);
      const misses = needles.some((row) => row.high < NEARLY_PERFECT);
      const sure = needles.every((row) => row.low >= NEARLY_PERFECT);
      return {
        verdict: misses ? "fails" : sure ? "holds" : "cannot tell",
        observed: `The lowest of ${needles.length} scores is ${worst.task} at ${lengthText(worst.length)}: ${
          withInterval(worst)
        }.`,
      };
    },
  },
];

function checkEffectiveLength({ rows, threshold, claimedLength }: RunEvidence): Finding {
  const totals = scoredRows(rows, RULER_OVERALL);
  if (claimedLength === null) return undecided("The claimed length is not known.");
  if (totals.length === 0) return undecided("No length has a score on all 13 tasks.");
  const chances = effectiveLengthChances(totals, threshold);
  const longest = totals.at(-1)!.length;
  // Subtle: passing at the longest tested length says nothing of a claim beyond it.
  const isShorter = (length: number | null): boolean =>
    length === null || (length < claimedLength && (length < longest || longest >= claimedLength));
  const shorter = chances.reduce((sum, { length, chance }) => isShorter(length) ? sum + chance : sum, 0);
  const reaches = chances.reduce((sum, { length, chance }) => (length ?? 0) >= claimedLength ? sum + chance : sum, 0);
  const found = effectiveLength(totals, threshold).text;
  return {
    verdict: shorter >= SURE ? "holds" : reaches >= SURE ? "fails" : "cannot tell",
    observed:
      `At a threshold of ${threshold} the effective length is ${found}, of ${lengthText(claimedLength)} claimed and ` +
      `${lengthText(longest)} tested; the chance that it is shorter than claimed is ${percent(shorter)}.`,
  };
}

/** The rows of a task or group that have a score, lengths rising. */
function scoredRows(rows: readonly ScoreRow[], task: string): readonly ScoredRow[] {
  return rows.filter((row): row is ScoredRow =>
    row.task === task && row.score !== null && row.low !== null && row.high !== null
  )
    .toSorted((left, right) => left.length - right.length);
}

function undecided(observed: string): Finding {
  return { verdict: "cannot tell", observed };
}

function withInterval({ score, low, high }: ScoreWithInterval): string {
  return `${score.toFixed(1)} (95% interval ${low.toFixed(1)} to ${high.toFixed(1)})`;
}

function percent(chance: number): string {
  return chance > 0.99 && chance < 1
    ? "over 99%"
    : chance < 0.01 && chance > 0
    ? "under 1%"
    : `${Math.round(100 * chance)}%`;
}

/** What claims about samples look at: samples of RULER's tasks. */
export interface GeneratorEvidence {
  /** Samples of any tasks and lengths. */
  readonly samples: readonly Pick<Sample, "task" | "prompt" | "length" | "promptTokens" | "answerRoom">[];
  /** The exponent of the samples of `fwe`. */
  readonly alpha: number;
}

/** What the RULER paper says about its samples, checked on samples made here. */
export const GENERATOR_CLAIMS: readonly Claim<GeneratorEvidence>[] = [
  {
    id: "R29",
    source: "section 3.3",
    kind: "paper",
    quote: "the frequency of the k-th ranked word […] is k^−α N / ζ(α)",
    statement:
      "In frequent words the coded word of rank k stands k^−α N / ζ(α) times (our measure: rounded down, for all ranks but " +
      "the noise's).",
    check: ({ samples, alpha }) => {
      const texts = samples.filter(({ task }) => task === "fwe").map(({ prompt }) => prompt.user);
      if (texts.length === 0) return cannotTell("There is no sample of frequent words.");
      const found = texts.map((text) => sizesThatFit(countWords(text), alpha));
      const fitting = found.filter(({ low, high }) => low < high);
      const extra = Math.max(...found.map((one) => one.extra));
      return {
        verdict: fitting.length === texts.length ? "holds" : "fails",
        observed:
          `The counts of all coded words (ranks 2 and up) of ${fitting.length} of ${texts.length} texts follow from one N ` +
          `each. Rank 1, the noise, also fills up what would be left of the length, here by ${extra} words at most.`,
      };
    },
  },
  {
    id: "R31",
    source: "section 1; Table 1",
    kind: "paper",
    quote:
      "Ruler consists solely of synthetic tasks, which offer the flexibility to control sequence length and task complexity.",
    statement:
      "The sequence length can be controlled (our measure: a sample fills 95% or more of the length asked for, and is never " +
      "over it).",
    check: ({ samples }) => {
      if (samples.length === 0) return cannotTell("There is no sample.");
      const fills = samples.map(({ length, promptTokens, answerRoom }) => (promptTokens + answerRoom) / length);
      const [least, most] = [Math.min(...fills), Math.max(...fills)];
      const lengths = samples.map(({ length }) => length);
      const tasks = new Set(samples.map(({ task }) => task)).size;
      return {
        verdict: most <= 1 && least >= 0.95 ? "holds" : "fails",
        observed: `${samples.length} samples of ${tasks} tasks at ${lengthText(Math.min(...lengths))} to ${
          lengthText(Math.max(...lengths))
        } fill ${(100 * least).toFixed(1)} to ${
          (100 * most).toFixed(1)
        }% of their length. What Table 1 says of other benchmarks is not checked here.`,
      };
    },
  },
];

/** How often each word of a coded text stands in it, from the most frequent. */
function countWords(text: string): readonly number[] {
  const start = text.indexOf("coded words. ") + "coded words. ".length;
  const words = text.slice(start, text.lastIndexOf("\nQuestion:")).split(" ").filter((word) => word !== "");
  return [...Map.groupBy(words, (word) => word).values()].map(({ length }) => length).toSorted((a, b) => b - a);
}

/** The values of N from which all counts but the first would follow, and how far the first is above what they give it. */
function sizesThatFit(
  counts: readonly number[],
  alpha: number,
): { readonly low: number; readonly high: number; readonly extra: number } {
  const zeta = riemannZeta(alpha);
  const sizeFor = (count: number, rank: number): number => count * zeta * rank ** alpha;
  const coded = counts.slice(1);
  const low = Math.max(0, ...coded.map((count, at) => sizeFor(count, at + 2)));
  const high = Math.min(Infinity, ...coded.map((count, at) => sizeFor(count + 1, at + 2)));
  // The greatest N is itself not one of them.
  const most = Math.ceil(high / zeta) - 1;
  return { low, high, extra: Math.max(0, (counts[0] ?? 0) - most) };
}
