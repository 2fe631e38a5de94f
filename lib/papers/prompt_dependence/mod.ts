/**
 * LLM In-Context Recall is Prompt Dependent (Machlab and Battle 2024): published numbers, claims and figures.
 *
 * @module
 */
export { RECALL_CLAIMS } from "./claims.ts";
export {
  promptDependenceChart,
  promptFactorTable,
  recallGradeTable,
  recallModelTable,
  recallTestTable,
} from "./figures.ts";
export { PROMPT_DEPENDENCE_PAPER } from "./paper.ts";
export { type PriorKnowledge, priorKnowledge, priorKnowledgeTable } from "./prior_knowledge.ts";
export { type GradedPrompt, type PromptDependence, promptDependence, type PromptFactor } from "./prompt_dependence.ts";
export {
  type NeedleCell,
  openRecallPublished,
  type PublishedGrade,
  type PublishedRecall,
  type RecallModel,
  recallPercent,
  type RecallPublished,
} from "./published.ts";
export { type RecallCell, recallCells, type RecallRun } from "./recall_cells.ts";
export {
  modelRecalls,
  publishedModelRecalls,
  readComparisons,
  RECALL_COMPARISONS,
  type RecallComparison,
  recallComparisonFigure,
  recallMaps,
  type RecallReplies,
} from "./recall_figures.ts";
export type { VarianceShare, VarianceShares } from "./variance_shares.ts";
