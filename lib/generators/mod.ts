/**
 * Benchmark samples of exact length, each a pure function of its recipe.
 *
 * @module
 */
export type { Fact, FactRole, Prompt, Sample } from "./sample.ts";
export { BASE_FRAME, type Frame, type Wrapping } from "./frame.ts";
export type { Materials, WordLists } from "./materials.ts";
export type { Document, DocumentSet, Question } from "./documents/documents.ts";
export type { Category, SampleRequest, Scoring, Task } from "./task.ts";
export { type Variant, VARIANTS } from "./ruler/variant.ts";
export { depthGrid, type DepthGridOptions, type DepthSpacing } from "./depth_grid.ts";
export { COUNTING_STARS_SUITE, RULER_SUITE } from "./suite.ts";
export { type HaystackType, type NiahOptions, niahTask } from "./ruler/niah.ts";
export type { NeedleType } from "./_needles.ts";
export { worldDocuments, type WorldOptions } from "./world/world.ts";
export {
  answerWorldQuestion,
  readWorldFacts,
  readWorldQuestion,
  type WorldFact,
  type WorldQuestion,
} from "./world/world_facts.ts";
export { type VtOptions, vtTask } from "./ruler/variable_tracking.ts";
export { type CweOptions, cweTask } from "./ruler/common_words.ts";
export { type FweOptions, fweTask } from "./ruler/frequent_words.ts";
export { type QaOptions, qaTask } from "./ruler/qa.ts";
export { documentsFromSquad } from "./documents/documents_from_squad.ts";
export { documentsFromHotpotqa } from "./documents/documents_from_hotpotqa.ts";
export {
  RULER_STUDY_TASK_NAMES,
  RULER_TASK_NAMES,
  type RulerOptions,
  rulerTask,
  type RulerTaskName,
} from "./ruler/ruler.ts";
export {
  NEEDLE_THREADING_SUITE,
  type NeedlePlacement,
  type ThreadDirection,
  type ThreadingKind,
  type ThreadingOptions,
  threadingTask,
} from "./threading/threading.ts";
export { COUNTING_STARS_KNOBS, type CountingStarsOptions, countingStarsTask } from "./stars/counting_stars.ts";
export type { StarAsk, StarEdition } from "./stars/_star_question.ts";
export type { StarLanguage, StarSentence } from "./stars/_star_sentences.ts";
export type { StarOrder } from "./stars/_star_values.ts";
export {
  COUNTING_STARS_TASK_NAMES,
  type CountingStarsKind,
  type CountingStarsTaskName,
  namedCountingStarsTask,
} from "./stars/counting_stars_tasks.ts";
export { COUNTING_STARS_VERSIONS, countingStarsLengths } from "./stars/counting_stars_lengths.ts";
export {
  namedThreadingTask,
  THREADING_KNOBS,
  THREADING_TASK_NAMES,
  type ThreadingTaskName,
} from "./threading/threading_tasks.ts";
export { CDME_SUITE } from "./suite.ts";
export { CDME_KNOBS } from "./cdme/_cdme_settings.ts";
export type { CdmeEdition, CdmeItemName } from "./cdme/_cdme_items.ts";
export type { CdmeLanguage } from "./cdme/_cdme_wording.ts";
export { type CdmeOptions, cdmeTask } from "./cdme/cdme.ts";
export { CDME_TASK_NAMES, type CdmeTaskName, namedCdmeTask } from "./cdme/cdme_tasks.ts";
export { type CdmeGrid, cdmeGrid, type CdmeGridName } from "./cdme/cdme_grids.ts";
export { type CdmePlaces, cdmePlaces, type CdmePlacesOptions } from "./cdme/cdme_places.ts";
export { PROMPT_RECALL_SUITE } from "./suite.ts";
export { PROMPT_RECALL_KNOBS } from "./recall/_prompt_recall_settings.ts";
export {
  type PromptRecallOptions,
  promptRecallTask,
  type RecallAsking,
  type RecallSystem,
  type RecallTemplate,
  type RecallTest,
} from "./recall/prompt_recall.ts";
export {
  namedPromptRecallTask,
  PROMPT_RECALL_TASK_NAMES,
  type PromptRecallTaskName,
} from "./recall/prompt_recall_tasks.ts";
export { lengthGrid } from "./length_grid.ts";
