/**
 * LLM In-Context Recall is Prompt Dependent (Machlab and Battle 2024): published numbers, claims and figures.
 *
 * @module
 */
import { RECALL_CLAIMS } from "./claims.ts";
import { openRecallPublished } from "./published.ts";
import { RECALL_RUN_CLAIMS } from "./run_claims.ts";
import { PROMPT_DEPENDENCE } from "@/lib/benchmarks/prompt_dependence/prompt_dependence.ts";
import type { Paper } from "@/lib/papers/paper.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

export {
  modelRecalls,
  promptParts,
  publishedModelRecalls,
  readComparisons,
  RECALL_COMPARISONS,
  type RecallCell,
  recallCells,
  type RecallComparison,
  recallComparisonFigure,
  recallMaps,
  type RecallReplies,
} from "./figures.ts";
export { type PriorKnowledge, priorKnowledge, priorKnowledgeTable } from "./prior_knowledge.ts";
export {
  type NeedleCell,
  openRecallPublished,
  type PublishedGrade,
  type PublishedRecall,
  type RecallModel,
  recallPercent,
  type RecallPublished,
} from "./published.ts";
export { RECALL_CLAIMS } from "./claims.ts";

/** The paper on prompt dependence: its claims about published scores and about runs. */
export const PROMPT_DEPENDENCE_PAPER: Paper = {
  benchmark: PROMPT_DEPENDENCE,
  claims: [
    claimSet({
      name: "text",
      title: "Statements of the paper, checked on Tables 1 and 5",
      claims: RECALL_CLAIMS,
      evidence: () => openRecallPublished(),
    }),
  ],
  runClaims: RECALL_RUN_CLAIMS,
};
