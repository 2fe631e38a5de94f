import type { Claim, Finding } from "../claims.ts";
import { differenceInterval } from "../intervals/difference_interval.ts";
import { lengthText } from "../length_text.ts";
import { allOf, at, judge, meanGap, meanPoint, panelOf, sharedLengths, written } from "./_line_findings.ts";
import { extrapolationFinding, sizeFindings, straightFinding } from "./_model_findings.ts";
import { type ModelLine, publishedModelLines } from "./model_lines.ts";
import type { ScoreLine } from "./score_line.ts";
import type { RulerPublished } from "../published/published.ts";
import { readLengthText } from "../length_text.ts";

/** An abrupt drop, in points. */
const SHARP = 10;
/** A large margin, in points. */
const LARGE = 10;
/** How far from a straight line is "almost linear", in points. */
const NEARLY_STRAIGHT = 2;
const [AT_4K, AT_8K, AT_256K] = [4096, 8192, 262_144];
const TRAINING = "section 6, training length; Figure 4";

/** What section 6 of the RULER paper says about the models of Figure 4, each checked on the lines of the figure. */
export const MODEL_CLAIMS: readonly Claim<RulerPublished>[] = claimsOfLines().map(({ check, ...claim }) => ({
  ...claim,
  check: (published) => check(publishedModelLines(published)),
}));

type ModelLines = readonly ModelLine[];

function claimsOfLines(): readonly Claim<ModelLines>[] {
  return [
    {
      id: "R22",
      source: `${TRAINING}, left`,
      kind: "paper",
      quote: "the model trained with 1M context size (LWM-1M) is worse than the one with 512K at length of 256K",
      statement: "LWM-1M is worse than LWM-512K at 256K.",
      check: (lines) => above(lines, ["LWM-512K", "LWM-1M"], [AT_256K]),
    },
    {
      id: "R22-overall",
      source: `${TRAINING}, left and middle left`,
      kind: "paper",
      quote: "larger context sizes overall lead to better performance",
      statement:
        "Training on longer contexts gives better scores overall (our measure: the longest-trained LWM against the " +
        "shortest-trained, on average over the lengths, beyond chance).",
      check: (lines) => longerAgainstShorter(lines, () => true),
    },
    {
      id: "R22-within",
      source: `${TRAINING}, left and middle left`,
      kind: "check",
      statement:
        "The longest-trained LWM is better than the shortest-trained at the lengths that both were trained on.",
      check: (lines) => longerAgainstShorter(lines, ({ length, shorter }) => length <= trainedOn(shorter)),
    },
    {
      id: "R23",
      source: `${TRAINING}, left and middle left`,
      kind: "paper",
      quote: "we observe abrupt performance drops when models need to extrapolate to unseen lengths",
      statement:
        `Scores drop abruptly at a length never trained on (our measure: ${SHARP} points or more at once, and more than at any step before).`,
      check: (lines) => extrapolationFinding(lines.filter(({ series }) => series.startsWith("LWM")), SHARP),
    },
    {
      id: "R24",
      source: `${TRAINING}, left and middle left`,
      kind: "paper",
      quote: "almost linear degradation with input length on log scale within the max training context size",
      statement:
        `Within the training length scores fall almost linearly in the logarithm of the length (our measure: each within ${NEARLY_STRAIGHT} points of a line).`,
      check: (lines) => straightFinding(lines.filter(({ series }) => series.startsWith("LWM")), NEARLY_STRAIGHT),
    },
    {
      id: "R25",
      source: "section 6, model size; Figure 4, middle right",
      kind: "paper",
      quote:
        "the 34B model is significantly better than the 6B model on Ruler for both performance at length of 4K and the relative degradation",
      statement: "Yi-34B is significantly better than Yi-6B at 4K (our measure: beyond chance).",
      check: (lines) => yiSizes(lines).atShortest,
    },
    {
      id: "R25-loss",
      source: "section 6, model size; Figure 4, middle right",
      kind: "paper",
      quote:
        "the 34B model is significantly better than the 6B model on Ruler for both performance at length of 4K and the relative degradation",
      statement:
        "Yi-34B's relative degradation is significantly less than Yi-6B's (our measure: it loses a smaller share of its " +
        "score from 4K to 256K, beyond chance).",
      check: (lines) => yiSizes(lines).relative,
    },
    {
      id: "R26",
      source: "section 6, architecture; Figure 4, right",
      kind: "paper",
      quote: "both models demonstrate significant degradation when extending context size to 8K",
      statement: "RWKV and Mamba degrade significantly when going on to 8K (our measure: from 4K, beyond chance).",
      check: (lines) => {
        const losses = ["RWKV", "Mamba"].map((name) => {
          const line = named(lines, name);
          return { name, loss: differenceInterval(at(line, AT_4K)!, at(line, AT_8K)!) };
        });
        const said = losses.map(({ name, loss }) => `${name} ${written(loss)}`).join(", ");
        return { verdict: allOf(losses.map(({ loss }) => judge(loss, 0))), observed: `Points lost: ${said}.` };
      },
    },
    {
      id: "R26-below",
      source: "section 6, architecture; Figure 4, right",
      kind: "paper",
      quote: "both underperform the Transformer baseline Llama2-7B by large margins up till the length of 4K",
      statement:
        `Up to 4K both are below Llama2-7B by large margins (our measure: at each length beyond chance, and by ${LARGE} points or more on average).`,
      check: (lines) => {
        const lengths = [1024, 2048, AT_4K];
        const findings = ["RWKV", "Mamba"].map((name) => above(lines, ["Llama2", name], lengths));
        const margins = ["RWKV", "Mamba"].map((name) => {
          const gaps = lengths.map((length) =>
            differenceInterval(at(named(lines, "Llama2"), length)!, at(named(lines, name), length)!)
          );
          return judge(meanPoint(gaps), LARGE);
        });
        return {
          verdict: allOf([...findings.map(({ verdict }) => verdict), ...margins]),
          observed: findings.map(({ observed }) => observed).join(" "),
        };
      },
    },
    {
      id: "R26-llama",
      source: "section 6, architecture; Figure 4, right",
      kind: "paper",
      quote: "up till the length of 4K, beyond which Llama2 shows poor length extrapolation performance",
      statement: "Beyond 4K Llama2-7B extrapolates poorly (our measure: at 8K it is below RWKV, beyond chance).",
      check: (lines) => above(lines, ["RWKV", "Llama2"], [AT_8K]),
    },
  ];
}

function yiSizes(lines: ModelLines): ReturnType<typeof sizeFindings> {
  return sizeFindings(named(lines, "Yi-34B"), named(lines, "Yi-6B"));
}

function named(lines: ModelLines, start: string): ModelLine {
  return lines.find(({ series }) => series.startsWith(start))!;
}

/** Whether the first of two models is above the second at each of some lengths. */
function above(
  lines: ModelLines,
  [first, second]: readonly [string, string],
  lengths: readonly number[],
): Finding {
  const [upper, lower] = [named(lines, first), named(lines, second)];
  const gaps = lengths.map((length) => ({ length, gap: differenceInterval(at(upper, length)!, at(lower, length)!) }));
  const said = gaps.map(({ length, gap }) => `${written(gap)} at ${lengthText(length)}`).join(", ");
  return {
    verdict: allOf(gaps.map(({ gap }) => judge(gap, 0))),
    observed: `${upper.series} is above ${lower.series} by ${said}.`,
  };
}

/** Compares the longest-trained LWM with the shortest-trained, chat and base models apart, at the lengths that are wanted. */
function longerAgainstShorter(
  lines: ModelLines,
  isWanted: (at: { readonly length: number; readonly shorter: ScoreLine }) => boolean,
): Finding {
  const findings = ["LWM chat", "LWM base"].map((panel) => {
    const family = panelOf(lines, panel).toSorted((left, right) => trainedOn(left) - trainedOn(right));
    const [shorter, longer] = [family[0]!, family.at(-1)!];
    const lengths = sharedLengths([shorter, longer]).filter((length) => isWanted({ length, shorter }));
    const pick = (line: ScoreLine): ScoreLine => ({
      ...line,
      points: line.points.filter(({ length }) => lengths.includes(length)),
    });
    return { shorter, longer, gap: meanGap(pick(longer), pick(shorter))! };
  });
  const said = findings.map(({ shorter, longer, gap }) =>
    `${longer.series} is above ${shorter.series} by ${written(gap)} on average`
  );
  return { verdict: allOf(findings.map(({ gap }) => judge(gap, 0))), observed: `${said.join("; ")}.` };
}

/** The length that an LWM was trained on, which its name ends in. */
function trainedOn({ series }: ScoreLine): number {
  return readLengthText(series.split("-").at(-1)!);
}
