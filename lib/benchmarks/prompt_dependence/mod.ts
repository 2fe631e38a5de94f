/**
 * LLM In-Context Recall is Prompt Dependent (Machlab and Battle 2024): its tests and grades.
 *
 * @module
 */
export { RECALL_GRADES } from "./judge.ts";
export { PROMPT_RECALL, RECALL_TESTS, type RecallPair, type RecallTest } from "./prompt_recall.ts";
export { PROMPT_DEPENDENCE } from "./recall_benchmark.ts";
export { type RecallGrade, recallRubric, recallRubricScorer, type RubricScore } from "./rubric.ts";
export { contentWords } from "./wanted_words.ts";
