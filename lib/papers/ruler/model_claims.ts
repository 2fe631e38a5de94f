import { lengthText, readLengthText } from "@/lib/base/mod.ts";
import type { ModelLine } from "./model_lines.ts";
import { allOf, gapText, judge, judgeAbove, meanGap, meanOver, scoreText } from "./line_findings.ts";
import { at, type LinePoint, panelOf, type ScoreLine, sharedLengths } from "./score_lines.ts";
import {
  cannotTell,
  type Claim,
  decidedByCases,
  differenceInterval,
  type Finding,
  type PublishedClaim,
  type ScoreWithInterval,
  simpleStatistics,
} from "@/lib/statistics/mod.ts";

/** An abrupt drop, and a large margin, in points. */
const LARGE = 10;
/** The least R² of scores that are "almost linear". */
const NEARLY_STRAIGHT = 0.9;
const [AT_4K, AT_8K, AT_256K] = [4096, 8192, 262_144];
/** The base frequency of RoPE (theta) of the LWMs trained on 256K or more, in millions: README of LargeWorldModel/LWM at f45d2b7. */
const LWM_BASES = [["256K", 10], ["512K", 25], ["1M", 50]] as const;
const LEFT = "section 6, training length; Figure 4, left";
const BOTH_LEFT = `${LEFT} and middle left`;
const SIZE = "section 6, model size; Figure 4, middle right";
const ARCHITECTURE = "section 6, architecture; Figure 4, right";
const OTHERS = ["RWKV", "Mamba"];
// Claims that are checked both on the paper's models and on any family.
const EXTRAPOLATION = {
  quote: "we observe abrupt performance drops when models need to extrapolate to unseen lengths",
  statement:
    `Scores drop abruptly at a length never trained on (our measure: ${LARGE} points or more at once, and more than at any step before).`,
} as const;
const LINEARITY = {
  quote: "almost linear degradation with input length on log scale within the max training context size",
  statement:
    `Within the training length scores fall almost linearly in the logarithm of the length (our measure: a line explains ${
      100 * NEARLY_STRAIGHT
    }% of the variance of each model's scores).`,
} as const;
const SIZE_QUOTE =
  "the 34B model is significantly better than the 6B model on Ruler for both performance at length of 4K and the relative degradation";

/** Claims of section 6 of the RULER paper about the models of Figure 4, checked on the figure's lines. */
export const MODEL_CLAIMS: readonly PublishedClaim<readonly ModelLine[]>[] = [
  {
    id: "R22",
    source: LEFT,
    quote: "the model trained with 1M context size (LWM-1M) is worse than the one with 512K at length of 256K",
    statement: "LWM-1M is worse than LWM-512K at 256K.",
    expected: "holds",
    check: (lines) => above(lines, ["LWM-512K", "LWM-1M"], [AT_256K]),
  },
  {
    id: "R22-rope",
    source: LEFT,
    quote: "likely due to insufficient training for adjusting to the new base frequency in RoPE",
    statement: "LWM-1M is worse there as it was trained too little for its larger base frequency.",
    expected: "cannot tell",
    check: (lines) =>
      cannotTell(
        "The bases are 25 and 50 million (LWM's own README). " +
          `${above(lines, ["LWM-512K", "LWM-1M"], [AT_256K]).observed} ` +
          "No model was published that differs in one of base, length and amount of training alone.",
      ),
  },
  {
    id: "R22-base",
    source: BOTH_LEFT,
    statement:
      "Among the LWMs trained on 256K or more a larger base frequency gives a better score at 256K, for both chat and base models (beyond chance).",
    expected: "fails",
    check: (lines) => {
      const families = ["LWM", "LWM-base"].map((name) =>
        LWM_BASES.map(([trained, base]) => {
          const line = named(lines, `${name}-${trained}`);
          return { series: line.series, base, score: at(line, AT_256K)! };
        })
      );
      const steps = families.flatMap((family) =>
        family.slice(1).map(({ score }, before) => judgeAbove(score, family[before]!.score).verdict)
      );
      const texts = families.map((family) =>
        family.map(({ series, base, score }) => `${series} (${base} million) ${score.score.toFixed(1)}`).join(", ")
      );
      return { verdict: allOf(steps), observed: `At 256K: ${texts.join("; ")}.` };
    },
  },
  {
    id: "R22-overall",
    source: BOTH_LEFT,
    quote: "larger context sizes overall lead to better performance",
    statement:
      "Training on longer contexts gives better scores overall (our measure: the longest-trained LWM against the shortest-trained, on average over the lengths, beyond chance).",
    expected: "holds",
    check: (lines) => longerAgainstShorter(lines, () => true),
  },
  {
    id: "R22-within",
    source: BOTH_LEFT,
    statement: "The longest-trained LWM is better than the shortest-trained at the lengths that both were trained on.",
    expected: "fails",
    check: (lines) => longerAgainstShorter(lines, ({ length, shorter }) => length <= trainedOn(shorter)),
  },
  {
    id: "R23",
    source: BOTH_LEFT,
    ...EXTRAPOLATION,
    expected: "holds",
    check: (lines) => extrapolationFinding(lines.filter(isLwm)),
  },
  {
    id: "R24",
    source: BOTH_LEFT,
    ...LINEARITY,
    expected: "mostly holds",
    check: (lines) => straightFinding(lines.filter(isLwm)),
  },
  {
    id: "R25",
    source: SIZE,
    quote: SIZE_QUOTE,
    statement: "Yi-34B is significantly better than Yi-6B at 4K (our measure: beyond chance).",
    expected: "holds",
    check: (lines) => compareSizes(yiSizes(lines), isBetterAtShortest),
  },
  {
    id: "R25-loss",
    source: SIZE,
    quote: SIZE_QUOTE,
    statement:
      "Yi-34B's relative degradation is significantly less than Yi-6B's (our measure: it loses a smaller share of its score from 4K to 256K, beyond chance).",
    expected: "holds",
    check: (lines) => compareSizes(yiSizes(lines), losesLess),
  },
  {
    id: "R26",
    source: ARCHITECTURE,
    quote: "both models demonstrate significant degradation when extending context size to 8K",
    statement: "RWKV and Mamba degrade significantly at 8K (our measure: against 4K, beyond chance).",
    expected: "holds",
    check: (lines) => {
      const ends = OTHERS.map((name) => both(named(lines, name), [AT_4K, AT_8K]));
      const texts = ends.map((points, which) => `${OTHERS[which]} ${scoreText(differenceInterval(...points))}`);
      return {
        verdict: allOf(ends.map((points) => judgeAbove(...points).verdict)),
        observed: `Points lost: ${texts.join(", ")}.`,
      };
    },
  },
  {
    id: "R26-below",
    source: ARCHITECTURE,
    quote: "both underperform the Transformer baseline Llama2-7B by large margins up till the length of 4K",
    statement:
      `Up to 4K both are below Llama2-7B by large margins (our measure: at each length beyond chance, and by ${LARGE} points or more on average).`,
    expected: "holds",
    check: (lines) => {
      const lengths = [1024, 2048, AT_4K];
      const findings = OTHERS.map((name) => above(lines, ["Llama2", name], lengths));
      const margins = OTHERS.map((name) => judge(meanGap(named(lines, "Llama2"), named(lines, name), lengths)!, LARGE));
      return {
        verdict: allOf([...findings.map(({ verdict }) => verdict), ...margins]),
        observed: findings.map(({ observed }) => observed).join(" "),
      };
    },
  },
  {
    id: "R26-llama",
    source: ARCHITECTURE,
    quote: "up till the length of 4K, beyond which Llama2 shows poor length extrapolation performance",
    statement: "Beyond 4K Llama2-7B extrapolates poorly (our measure: at 8K it is below RWKV, beyond chance).",
    expected: "holds",
    check: (lines) => above(lines, ["RWKV", "Llama2"], [AT_8K]),
  },
];

/** The claims of section 6 for any family of models, listed from the largest to the smallest. */
export const FAMILY_CLAIMS: readonly Claim<readonly ModelLine[]>[] = [
  {
    id: "F1",
    source: "section 6, model size; as R25",
    quote: SIZE_QUOTE,
    statement:
      "The first model is significantly better than the last at the shortest length (our measure: beyond chance).",
    check: (lines) => compareSizes(familyEnds(lines), isBetterAtShortest),
  },
  {
    id: "F2",
    source: "section 6, model size; as R25-loss",
    quote: SIZE_QUOTE,
    statement:
      "The first model's relative degradation is significantly less than the last one's (our measure: it loses a smaller share of its score from the shortest to the longest length, beyond chance).",
    check: (lines) => compareSizes(familyEnds(lines), losesLess),
  },
  {
    id: "F3",
    source: "section 6, training length; as R23",
    ...EXTRAPOLATION,
    check: extrapolationFinding,
  },
  {
    id: "F4",
    source: "section 6, training length; as R24",
    ...LINEARITY,
    check: straightFinding,
  },
];

function named(lines: readonly ModelLine[], start: string): ModelLine {
  return lines.find(({ series }) => series.startsWith(start))!;
}

function isLwm({ series }: ModelLine): boolean {
  return series.startsWith("LWM");
}

function yiSizes(lines: readonly ModelLine[]): readonly ModelLine[] {
  return ["Yi-34B", "Yi-6B"].map((name) => named(lines, name));
}

function familyEnds(lines: readonly ModelLine[]): readonly ModelLine[] {
  const scored = lines.filter(({ points }) => points.length > 0);
  return scored.length < 2 ? [] : [scored[0]!, scored.at(-1)!];
}

/** A model at two lengths. */
interface Ends {
  readonly series: string;
  readonly first: LinePoint;
  readonly last: LinePoint;
}

/** Compares two models at the shortest and the longest length that they share. */
function compareSizes(
  [larger, smaller]: readonly ModelLine[],
  compare: (larger: Ends, smaller: Ends) => Finding,
): Finding {
  if (larger === undefined || smaller === undefined) return cannotTell("Fewer than two models have scores.");
  const lengths = sharedLengths([larger, smaller]);
  if (lengths.length < 2) return cannotTell(`${larger.series} and ${smaller.series} do not share two lengths.`);
  const [one, other] = [larger, smaller].map((line): Ends => {
    const [first, last] = both(line, [lengths[0]!, lengths.at(-1)!]);
    return { series: line.series, first, last };
  });
  return compare(one!, other!);
}

/** Returns the points of a line at two lengths. */
function both(line: ScoreLine, [first, last]: readonly [number, number]): readonly [LinePoint, LinePoint] {
  return [at(line, first)!, at(line, last)!];
}

/** Checks that the larger model is above the smaller at the shortest length. */
function isBetterAtShortest({ series, first }: Ends, smaller: Ends): Finding {
  const gap = differenceInterval(first, smaller.first);
  const scores = `${series} scores ${first.score.toFixed(1)} and ${smaller.series} ${smaller.first.score.toFixed(1)}`;
  const observed = `At ${lengthText(first.length)} ${scores}: a difference of ${scoreText(gap)}.`;
  return judgeAbove(first, smaller.first, observed);
}

/** Checks that the larger model loses a smaller share of its score than the smaller one. */
function losesLess({ series, first, last }: Ends, smaller: Ends): Finding {
  if (first.score === 0 || smaller.first.score === 0) {
    return cannotTell("A model that scores 0 at the shortest length has nothing to lose.");
  }
  const [loss, other] = [relativeLoss(first, last), relativeLoss(smaller.first, smaller.last)];
  const losses = `${series} loses ${scoreText(loss)} percent of its score, ${smaller.series} ${scoreText(other)}`;
  return {
    verdict: judge(differenceInterval(other, loss), 0),
    observed: `From ${lengthText(first.length)} to ${lengthText(last.length)} ${losses}.`,
  };
}

/** Returns the share of its score at the shortest length that a model loses to the longest, in percent. */
function relativeLoss(first: LinePoint, last: LinePoint): ScoreWithInterval {
  const ratio = last.score / first.score;
  // The interval of a ratio, from those of its parts (MOVER; Donner and Zou 2012); the first score is above 0.
  const down = Math.hypot(last.score - last.low, ratio * (first.high - first.score)) / first.score;
  const up = Math.hypot(last.high - last.score, ratio * (first.score - first.low)) / first.score;
  return { score: 100 * (1 - ratio), low: 100 * (1 - ratio - up), high: 100 * (1 - ratio + down) };
}

/** Checks that the first of two models is above the second at every given length. */
function above(
  lines: readonly ModelLine[],
  [first, second]: readonly [string, string],
  lengths: readonly number[],
): Finding {
  const [upper, lower] = [named(lines, first), named(lines, second)];
  const gaps = lengths.map((length) => {
    const [one, other] = [at(upper, length)!, at(lower, length)!];
    const text = `${gapText(upper, lower, differenceInterval(one, other))} at ${lengthText(length)}`;
    return { verdict: judgeAbove(one, other).verdict, text };
  });
  return joined(gaps);
}

/** Joins the verdicts and texts of parts that must all hold. */
function joined(parts: readonly { readonly verdict: Finding["verdict"]; readonly text: string }[]): Finding {
  return {
    verdict: allOf(parts.map(({ verdict }) => verdict)),
    observed: `${parts.map(({ text }) => text).join("; ")}.`,
  };
}

/** Compares the longest-trained LWM with the shortest-trained at the wanted lengths, chat and base models separately. */
function longerAgainstShorter(
  lines: readonly ModelLine[],
  isWanted: (at: { readonly length: number; readonly shorter: ScoreLine }) => boolean,
): Finding {
  const findings = ["LWM chat", "LWM base"].map((panel) => {
    const family = panelOf(lines, panel).toSorted((left, right) => trainedOn(left) - trainedOn(right));
    const [shorter, longer] = [family[0]!, family.at(-1)!];
    const lengths = sharedLengths([shorter, longer]).filter((length) => isWanted({ length, shorter }));
    const text = `${gapText(longer, shorter, meanGap(longer, shorter, lengths)!)} on average`;
    return { verdict: judgeAbove(meanOver(longer, lengths), meanOver(shorter, lengths)).verdict, text };
  });
  return joined(findings);
}

/** The training length of an LWM, from its name. */
function trainedOn({ series }: ScoreLine): number {
  return readLengthText(series.split("-").at(-1)!);
}

/** Checks that models drop abruptly in the first step beyond their training length, and by more than in any step before. */
function extrapolationFinding(lines: readonly ModelLine[]): Finding {
  const found = lines.flatMap(({ series, points, trained }) => {
    const last = points.findLastIndex(({ length }) => trained !== null && length <= trained);
    const [edge, beyond] = [points[last], points[last + 1]];
    if (edge === undefined || beyond === undefined) return [];
    const steps = points.slice(1, last + 1).map((point, before) => points[before]!.score - point.score);
    return [{ series, edge, beyond, drop: differenceInterval(edge, beyond), within: Math.max(0, ...steps) }];
  });
  if (found.length === 0) return cannotTell("No model was asked beyond its stated training length.");
  const texts = found.map(({ series, edge, beyond, drop, within }) => {
    const step = `from ${lengthText(edge.length)} to ${lengthText(beyond.length)}`;
    return `${series} loses ${scoreText(drop)} ${step}, at most ${within.toFixed(1)} a step before`;
  });
  const verdict = allOf(found.map(({ drop, within }) => judge(drop, Math.max(LARGE, within))));
  return { verdict, observed: `${texts.join("; ")}.` };
}

/** Checks that the scores of models are near a straight line over the logarithm of the length. */
function straightFinding(lines: readonly ModelLine[]): Finding {
  const found = lines.flatMap(({ series, points, trained }) => {
    const within = points.filter(({ length }) => trained === null || length <= trained);
    if (within.length < 3) return [];
    const places = within.map(({ length, score }) => [Math.log2(length), score]);
    const line = simpleStatistics.linearRegressionLine(simpleStatistics.linearRegression(places));
    const misses = within.map((point, at) => ({ point, miss: Math.abs(point.score - line(places[at]![0]!)) }));
    const worst = misses.reduce((most, next) => next.miss > most.miss ? next : most);
    // A flat line has no variance to explain.
    const isFlat = within.every(({ score }) => score === within[0]!.score);
    const change = Math.abs(line(places.at(-1)![0]!) - line(places[0]![0]!));
    return [{ series, worst, change, square: isFlat ? null : simpleStatistics.rSquared(places, line) }];
  });
  if (found.length === 0) return cannotTell("No model was asked at three lengths that it was trained on.");
  const agrees = found.map(({ worst: { point, miss }, change, square }) => {
    if (square === null) return true;
    const reach = Math.max(point.score - point.low, point.high - point.score);
    // Intervals as wide as the whole change hide its shape; one that reaches the line does not contradict it.
    if (2 * reach >= change) return null;
    if (square >= NEARLY_STRAIGHT) return true;
    return miss <= reach ? null : false;
  });
  const texts = found.map(({ series, worst, square }) =>
    `${series} within ${worst.miss.toFixed(1)} points${square === null ? "" : ` (R² ${square.toFixed(2)})`}`
  );
  return decidedByCases(agrees, `${texts.join(", ")}.`);
}
