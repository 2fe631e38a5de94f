/**
 * Needle Threading (Roberts et al. 2024): published numbers, claims and figures.
 *
 * @module
 */
import { THREADING_CLAIMS } from "./claims.ts";
import { openThreadingPublished } from "./published.ts";
import { THREADING_RUN_CLAIMS } from "./run_claims.ts";
import { pairTokens } from "@/lib/benchmarks/needle_threading/pairs.ts";
import { NEEDLE_THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import type { Paper } from "@/lib/papers/paper.ts";
import { claimSet } from "@/lib/statistics/mod.ts";
import { openEncoding } from "@/lib/text/mod.ts";

export {
  accuracyCurves,
  type AccuracyCurvesOptions,
  contextChart,
  knobMap,
  limitCurves,
  type LimitCurvesOptions,
  limitHeatmap,
  needleDepthMaps,
} from "./figures.ts";
export {
  contourFigure,
  knobLimits,
  type KnobLimitsOptions,
  type LimitPoint,
  pairCharactersPerToken,
  publishedLimit,
  type TaskLimit,
  taskLimit,
  type TaskLimitOptions,
} from "./limits.ts";
export {
  type ModelContextLimit,
  modelContextLimits,
  type ModelThreadingScore,
  modelThreadingScores,
  partialRows,
  threadingPart,
  threadingRows,
  type ThreadingRun,
} from "./model_scores.ts";
export {
  openThreadingPublished,
  PUBLISHED_THREADING_TASKS,
  type PublishedContextLimit,
  type PublishedContourPoint,
  type ThreadingPublished,
  type ThreadingTableScore,
} from "./published.ts";
export {
  type LimitTableOptions,
  modelLimitTable,
  publishedLimitTable,
  publishedScoreTable,
  taskLimitTable,
} from "./tables.ts";
export { countTexts, type FamilyCost, type TokenizerCost, tokenizerFamilies } from "./tokenizer_families.ts";
export type { ThreadingEvidence } from "./figure_claims.ts";
export { THREADING_CLAIMS } from "./claims.ts";

/** The paper of Needle Threading: its claims about published scores and about runs. */
export const NEEDLE_THREADING_PAPER: Paper = {
  benchmark: NEEDLE_THREADING,
  claims: [
    claimSet({
      name: "text",
      title: "Statements of Needle Threading, checked on its own numbers",
      claims: THREADING_CLAIMS,
      evidence: async () => ({
        published: await openThreadingPublished(),
        gpt4oPairTokens: pairTokens(await openEncoding("o200k_base")),
      }),
    }),
  ],
  runClaims: THREADING_RUN_CLAIMS,
};
