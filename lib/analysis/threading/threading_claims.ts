import { decided } from "../_claim_words.ts";
import type { Claim, Finding } from "../claims.ts";
import { CLAIMS_OF_MODELS } from "./_claims_of_models.ts";
import { CLAIMS_OF_SIZE } from "./_claims_of_size.ts";
import { curvesOf, type ThreadingEvidence } from "./_threading_words.ts";
import { PUBLISHED_THREADING_TASKS } from "./published_threading.ts";

export type { ThreadingEvidence };

/** Half of the last printed digit of a mean, and of each score that it is made of. */
const ROUNDING = 0.1;

/**
 * What Needle Threading (arXiv 2411.05000) says, each with a check against its printed numbers, and two checks of those
 * numbers among themselves.
 *
 * The abstract and the repository's page are quoted as they are; for the rest only a translation was at hand, of which quotes are
 * our translation back.
 */
export const THREADING_CLAIMS: readonly Claim<ThreadingEvidence>[] = [
  ...CLAIMS_OF_SIZE,
  ...CLAIMS_OF_MODELS,
  {
    id: "N15",
    source: "table 1 against tables 3 to 7",
    kind: "check",
    statement: "The overall scores are the plain means of the five tasks.",
    check: checkMeans,
  },
  {
    id: "N16",
    source: "table 2",
    kind: "check",
    statement: "The percentages are the effective limits as shares of the supported ones, to the last digit printed.",
    check: ({ published }) => {
      const misses = published.limits.filter(({ supported, effective, percent }) => {
        // Both are rounded to thousands of characters.
        const [low, high] = [(effective - 0.5) / (supported + 0.5), (effective + 0.5) / (supported - 0.5)];
        return 100 * low > percent + 0.5 || 100 * high < percent - 0.5;
      });
      const texts = misses.map(({ model, task, percent }) => `${model}, ${task}: ${percent}%`).join("; ");
      return decided(misses.length === 0, `${published.limits.length} rows; those that are not: ${texts || "none"}.`);
    },
  },
];

function checkMeans({ published }: ThreadingEvidence): Finding {
  const tasks = PUBLISHED_THREADING_TASKS.map((task) => curvesOf(published, task));
  const misses = [...curvesOf(published, "overall").values()].flat().flatMap(({ model, length, score }) => {
    const parts = tasks.flatMap((curves) => curves.get(model)?.find((point) => point.length === length)?.score ?? []);
    return parts.length < 5 ? [] : [Math.abs(score - parts.reduce((sum, part) => sum + part, 0) / 5)];
  });
  const all = published.scores.filter(({ task }) => task === "overall").length;
  const most = Math.max(...misses);
  return decided(
    most <= ROUNDING,
    `${misses.length} of ${all} overall scores have all five tasks printed; the largest difference is ${
      most.toFixed(2)
    } points, within rounding.`,
  );
}
