/**
 * Needle Threading (Roberts et al. 2024): published numbers, claims and figures.
 *
 * @module
 */
import { THREADING_CLAIMS } from "./claims.ts";
import { openThreadingPublished } from "./published.ts";
import { THREADING_RUN_CLAIMS } from "./run_claims.ts";
import { NEEDLE_THREADING, pairTokens } from "@/lib/benchmarks/needle_threading/mod.ts";
import type { Paper } from "@/lib/papers/paper.ts";
import { claimSet } from "@/lib/statistics/mod.ts";
import { openEncoding } from "@/lib/text/mod.ts";

export { openThreadingPublished, THREADING_CLAIMS };
export { accuracyCurves, contextChart, knobMap, limitCurves, limitHeatmap, needleDepthMaps } from "./figures.ts";
export {
  contourFigure,
  knobLimits,
  pairCharactersPerToken,
  publishedLimit,
  type TaskLimit,
  taskLimit,
} from "./limits.ts";
export {
  modelContextLimits,
  modelThreadingScores,
  partialRows,
  threadingPart,
  threadingRows,
  type ThreadingRun,
} from "./model_scores.ts";
export { PUBLISHED_THREADING_TASKS } from "./published.ts";
export { threadingSchematic } from "./schematic.ts";
export {
  modelLimitTable,
  publishedLimitTable,
  publishedRepeatTable,
  publishedScoreTable,
  taskLimitTable,
} from "./tables.ts";
export { countTexts, tokenizerFamilies, tokenizerFamilyChart, tokenizerFitTable } from "./tokenizer_families.ts";

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
