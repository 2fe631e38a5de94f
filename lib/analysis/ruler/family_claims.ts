import type { Claim } from "../claims.ts";
import { cannotTell } from "./_line_findings.ts";
import { extrapolationFinding, sizeFindings, straightFinding } from "./_model_findings.ts";
import type { ModelLine } from "./model_lines.ts";

/** An abrupt drop, in points. */
const SHARP = 10;
/** How far from a straight line is "almost linear", in points. */
const NEARLY_STRAIGHT = 2;

/**
 * The claims of section 6 as they can be asked of any family of models, given from the largest to the smallest, each with
 * the length it was trained on where that is known.
 */
export const FAMILY_CLAIMS: readonly Claim<readonly ModelLine[]>[] = [
  {
    id: "F1",
    source: "section 6, model size; as R25",
    kind: "paper",
    quote:
      "the 34B model is significantly better than the 6B model on Ruler for both performance at length of 4K and the relative degradation",
    statement:
      "The first model is significantly better than the last at the shortest length (our measure: beyond chance).",
    check: (lines) => ofFamily(lines)?.atShortest ?? cannotTell("Fewer than two models have scores."),
  },
  {
    id: "F2",
    source: "section 6, model size; as R25-loss",
    kind: "paper",
    quote:
      "the 34B model is significantly better than the 6B model on Ruler for both performance at length of 4K and the relative degradation",
    statement:
      "The first model's relative degradation is significantly less than the last one's (our measure: it loses a smaller " +
      "share of its score from the shortest to the longest length, beyond chance).",
    check: (lines) => ofFamily(lines)?.relative ?? cannotTell("Fewer than two models have scores."),
  },
  {
    id: "F3",
    source: "section 6, training length; as R23",
    kind: "paper",
    quote: "we observe abrupt performance drops when models need to extrapolate to unseen lengths",
    statement:
      `Scores drop abruptly at a length never trained on (our measure: ${SHARP} points or more at once, and more than at any step before).`,
    check: (lines) => extrapolationFinding(lines, SHARP),
  },
  {
    id: "F4",
    source: "section 6, training length; as R24",
    kind: "paper",
    quote: "almost linear degradation with input length on log scale within the max training context size",
    statement:
      `Within the training length scores fall almost linearly in the logarithm of the length (our measure: each within ${NEARLY_STRAIGHT} points of a line).`,
    check: (lines) => straightFinding(lines, NEARLY_STRAIGHT),
  },
];

function ofFamily(lines: readonly ModelLine[]): ReturnType<typeof sizeFindings> | undefined {
  const scored = lines.filter(({ points }) => points.length > 0);
  return scored.length < 2 ? undefined : sizeFindings(scored[0]!, scored.at(-1)!);
}
