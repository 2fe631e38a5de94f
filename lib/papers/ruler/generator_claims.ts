import { zeta } from "@/lib/benchmarks/ruler/mod.ts";
import { type Sample, userText } from "@/lib/generators/mod.ts";
import { cannotTell, type Claim } from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** The evidence for claims about samples. */
export interface GeneratorEvidence {
  /** Samples of any of RULER's tasks. */
  readonly samples: readonly Pick<Sample, "task" | "prompt" | "length" | "promptTokens" | "answerRoom">[];
  /** The exponent of the samples of `fwe`. */
  readonly alpha: number;
}

/** Claims of the RULER paper about its samples, checked on samples made here. */
export const GENERATOR_CLAIMS: readonly Claim<GeneratorEvidence>[] = [
  {
    id: "R29",
    source: "section 3.3",
    quote: "the frequency of the k-th ranked word […] is k^−α N / ζ(α)",
    statement:
      "In frequent words the coded word of rank k appears k^−α N / ζ(α) times (our measure: rounded down, for all ranks but the noise).",
    check: ({ samples, alpha }) => {
      const texts = samples.filter(({ task }) => task === "fwe").map(({ prompt }) => userText(prompt));
      if (texts.length === 0) return cannotTell("There is no sample of frequent words.");
      const found = texts.map((text) => sizesThatFit(countWords(text), alpha));
      const fitting = found.filter(({ low, high }) => low < high);
      const extra = Math.max(...found.map((one) => one.extra));
      return {
        verdict: fitting.length === texts.length ? "holds" : "fails",
        observed:
          `The counts of all coded words (ranks 2 and up) of ${fitting.length} of ${texts.length} texts follow from one N ` +
          `each. Rank 1, the noise, also fills the rest of the length, here with ${extra} words at most.`,
      };
    },
  },
  {
    id: "R31",
    source: "section 1; Table 1",
    quote:
      "Ruler consists solely of synthetic tasks, which offer the flexibility to control sequence length and task complexity.",
    statement:
      "The sequence length can be controlled (our measure: a sample fills 95% or more of the length asked for, and is never over it).",
    check: ({ samples }) => {
      if (samples.length === 0) return cannotTell("There is no sample.");
      const fills = samples.map(({ length, promptTokens, answerRoom }) => (promptTokens + answerRoom) / length);
      const [least, most] = [Math.min(...fills), Math.max(...fills)];
      const lengths = samples.map(({ length }) => length);
      const tasks = new Set(samples.map(({ task }) => task)).size;
      return {
        verdict: most <= 1 && least >= 0.95 ? "holds" : "fails",
        observed: `${samples.length} samples of ${tasks} tasks at ${lengthText(Math.min(...lengths))} to ` +
          `${lengthText(Math.max(...lengths))} fill ${(100 * least).toFixed(1)} to ${
            (100 * most).toFixed(1)
          }% of their ` +
          "length. Table 1's rows for other benchmarks are not checked here.",
      };
    },
  },
];

/** Counts the words of a coded text, falling. */
function countWords(text: string): readonly number[] {
  const start = text.indexOf("coded words. ") + "coded words. ".length;
  const words = text.slice(start, text.lastIndexOf("\nQuestion:")).split(" ").filter((word) => word !== "");
  return [...Map.groupBy(words, (word) => word).values()].map(({ length }) => length).toSorted((a, b) => b - a);
}

/** Returns the range of N that gives all counts but the first, and the excess of the first count over the largest such N. */
function sizesThatFit(
  counts: readonly number[],
  alpha: number,
): { readonly low: number; readonly high: number; readonly extra: number } {
  const whole = zeta(alpha);
  const sizeFor = (count: number, rank: number): number => count * whole * rank ** alpha;
  const coded = counts.slice(1);
  const low = Math.max(0, ...coded.map((count, at) => sizeFor(count, at + 2)));
  const high = Math.min(Infinity, ...coded.map((count, at) => sizeFor(count + 1, at + 2)));
  // `high` itself is not in the range.
  const most = Math.ceil(high / whole) - 1;
  return { low, high, extra: Math.max(0, (counts[0] ?? 0) - most) };
}
