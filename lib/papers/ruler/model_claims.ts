import { lengthText } from "@/lib/base/mod.ts";
import { allFindings, allOf, gapText, judge, judgeAbove, meanGap, scoreText } from "./line_findings.ts";
import { firstBeyond, type ModelLine, modelLine } from "./model_lines.ts";
import { at, type ScoreLine } from "./score_lines.ts";
import {
  type Claim,
  differenceInterval,
  type Finding,
  type LengthEvidence,
  notAsked,
  type PublishedClaim,
  type RunEvidence,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";

/** An abrupt drop, and a large margin, in points. */
const LARGE = 10;
const [AT_4K, AT_8K, AT_256K] = [4096, 8192, 262_144];
const LENGTHS = "section 6, training length; Figure 4, left and middle left";

const EXTRAPOLATION: PublishedClaim<readonly ModelLine[]> = {
  id: "R23",
  source: LENGTHS,
  quote: "we observe abrupt performance drops when models need to extrapolate to unseen lengths",
  statement:
    `Scores drop abruptly at a length never trained on (our measure: ${LARGE} points or more at once, and more than at any step before).`,
  expected: "holds",
  // The figure's other architectures are not transformers.
  check: (lines) => extrapolationFinding(lines.filter(({ family }) => family !== "Architecture")),
};

/** Claims of section 6 of the RULER paper about the models of Figure 4, checked on the figure's lines. */
export const MODEL_CLAIMS: readonly PublishedClaim<readonly ModelLine[]>[] = [
  {
    id: "R22-overall",
    source: LENGTHS,
    quote: "larger context sizes overall lead to better performance",
    quantifier: { of: "on average", word: "overall" },
    statement:
      "Training on longer contexts gives better scores overall (our measure: the longest-trained LWM against the shortest-trained, on average over the lengths, beyond chance).",
    expected: "holds",
    check: longerAgainstShorter,
  },
  EXTRAPOLATION,
  {
    id: "R25",
    source: "section 6, model size; Figure 4, middle right",
    quote:
      "the 34B model is significantly better than the 6B model on Ruler for both performance at length of 4K and the relative degradation",
    quantifier: { of: "all", word: "both" },
    statement:
      "Yi-34B is significantly better than Yi-6B both at 4K and in the relative degradation (our measure: a higher score, and a smaller share of it lost from 4K to 256K, beyond chance).",
    expected: "holds",
    check: compareSizes,
  },
  {
    id: "R26",
    source: "section 6, architecture; Figure 4, right",
    quote:
      "both models demonstrate significant degradation when extending context size to 8K […] both underperform the Transformer baseline Llama2-7B by large margins up till the length of 4K",
    quantifier: { of: "all", word: "both" },
    statement:
      `RWKV and Mamba both degrade significantly at 8K and are far below Llama2-7B up to 4K (our measure: a loss beyond chance, and a margin of ${LARGE} points or more on average).`,
    expected: "holds",
    check: compareArchitectures,
  },
];

/** The claim about models that extrapolate, checked on a run: its claimed length stands for the training length. */
export const MODEL_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [EXTRAPOLATION].map(({ expected: _, ...claim }) => (
  { ...claim, check: ({ rows, claimedLength }) => claim.check([modelLine("the model", rows, claimedLength)]) }
));

function named(lines: readonly ModelLine[], start: string): ModelLine {
  return lines.find(({ series }) => series.startsWith(start))!;
}

function both(line: ScoreLine, [first, last]: readonly [number, number]): readonly [LengthEvidence, LengthEvidence] {
  return [at(line, first)!, at(line, last)!];
}

/** Checks that Yi-34B is above Yi-6B at 4K, and loses a smaller share of its score. */
function compareSizes(lines: readonly ModelLine[]): Finding {
  const [larger, smaller] = ["Yi-34B", "Yi-6B"].map((name) => both(named(lines, name), [AT_4K, AT_256K]));
  const [loss, other] = [relativeLoss(...larger!), relativeLoss(...smaller!)];
  const [first, second] = [larger![0], smaller![0]];
  return {
    verdict: allOf([judgeAbove(first, second).verdict, judge(differenceInterval(other, loss), 0)]),
    observed: `At 4K Yi-34B scores ${scoreText(first)} and Yi-6B ${scoreText(second)}; up to 256K they lose ${
      scoreText(loss)
    } and ${scoreText(other)} percent of that.`,
  };
}

/** Returns the share of its score at the shortest length that a model loses to the longest, in percent. */
function relativeLoss(first: LengthEvidence, last: LengthEvidence): ScoreWithInterval {
  const ratio = last.score / first.score;
  // The interval of a ratio, from those of its parts (MOVER; Donner and Zou 2012); the first score is above 0.
  const down = Math.hypot(last.score - last.low, ratio * (first.high - first.score)) / first.score;
  const up = Math.hypot(last.high - last.score, ratio * (first.score - first.low)) / first.score;
  return { score: 100 * (1 - ratio), low: 100 * (1 - ratio - up), high: 100 * (1 - ratio + down) };
}

/** Checks that RWKV and Mamba lose up to 8K, and are far below Llama2-7B up to 4K. */
function compareArchitectures(lines: readonly ModelLine[]): Finding {
  return allFindings(["RWKV", "Mamba"].map((name) => {
    const line = named(lines, name);
    const ends = both(line, [AT_4K, AT_8K]);
    const margin = meanGap(named(lines, "Llama2"), line, [1024, 2048, AT_4K])!;
    return {
      verdict: allOf([judgeAbove(...ends).verdict, judge(margin, LARGE)]),
      observed: `${name} loses ${scoreText(differenceInterval(...ends))} from 4K to 8K and is ${
        scoreText(margin)
      } below.`,
    };
  }));
}

/** Compares the longest-trained LWM with the shortest-trained, chat and base models separately. */
function longerAgainstShorter(lines: readonly ModelLine[]): Finding {
  return allFindings(["Training length: LWM, chat", "Training length: LWM, base"].map((family) => {
    // The lines are in the order of training lengths.
    const trained = lines.filter((line) => line.family === family);
    const [shorter, longer] = [trained[0]!, trained.at(-1)!];
    const gap = meanGap(longer, shorter)!;
    return { verdict: judge(gap, 0), observed: `${gapText(longer, shorter, gap)} on average.` };
  }));
}

/** Checks that models drop abruptly in the first step beyond their training length, and by more than in any step before. */
function extrapolationFinding(lines: readonly ModelLine[]): Finding {
  const found = lines.flatMap((line) => {
    const step = firstBeyond(line);
    if (step === null) return [];
    const { edge, beyond, before } = step;
    const within = Math.max(0, ...before.slice(1).map(({ score }, at) => before[at]!.score - score));
    const drop = differenceInterval(edge, beyond);
    const lengths = `from ${lengthText(edge.length)} to ${lengthText(beyond.length)}`;
    const observed = `${line.series} loses ${scoreText(drop)} ${lengths}, at most ${within.toFixed(1)} a step before.`;
    return [{ verdict: judge(drop, Math.max(LARGE, within)), observed }];
  });
  return found.length === 0 ? notAsked("No model was asked beyond its training length.") : allFindings(found);
}
