/**
 * Benchmark samples of exact length, each a pure function of its recipe.
 *
 * @module
 */
export type { Fact, FactRole, Prompt, Sample } from "./sample.ts";
export { BASE_FRAME, type Frame } from "./frame.ts";
export type { Materials, WordLists } from "./materials.ts";
export type { Document, DocumentSet, Question } from "./documents.ts";
export type { Category, SampleRequest, Scoring, Task } from "./task.ts";
export { type Variant, VARIANTS } from "./variant.ts";
export { depthGrid, type DepthGridOptions, type DepthSpacing } from "./depth_grid.ts";
export { COUNTING_STARS_SUITE, RULER_SUITE } from "./suite.ts";
export { type HaystackType, type NiahOptions, niahTask } from "./niah.ts";
export type { NeedleType } from "./_needles.ts";
export { worldDocuments, type WorldOptions } from "./world.ts";
export {
  answerWorldQuestion,
  readWorldFacts,
  readWorldQuestion,
  type WorldFact,
  type WorldQuestion,
} from "./world_facts.ts";
export { type VtOptions, vtTask } from "./variable_tracking.ts";
export { type CweOptions, cweTask } from "./common_words.ts";
export { type FweOptions, fweTask } from "./frequent_words.ts";
export { type QaOptions, qaTask } from "./qa.ts";
export { documentsFromSquad } from "./documents_from_squad.ts";
export { documentsFromHotpotqa } from "./documents_from_hotpotqa.ts";
export { RULER_STUDY_TASK_NAMES, RULER_TASK_NAMES, type RulerOptions, rulerTask, type RulerTaskName } from "./ruler.ts";
export {
  NEEDLE_THREADING_SUITE,
  type NeedlePlacement,
  type ThreadDirection,
  type ThreadingKind,
  type ThreadingOptions,
  threadingTask,
} from "./threading.ts";
export { COUNTING_STARS_KNOBS, type CountingStarsOptions, countingStarsTask } from "./counting_stars.ts";
export type { StarAsk, StarEdition } from "./_star_question.ts";
export type { StarLanguage, StarSentence } from "./_star_sentences.ts";
export type { StarOrder } from "./_star_values.ts";
export {
  COUNTING_STARS_TASK_NAMES,
  type CountingStarsKind,
  type CountingStarsTaskName,
  namedCountingStarsTask,
} from "./counting_stars_tasks.ts";
export { COUNTING_STARS_VERSIONS, countingStarsLengths } from "./counting_stars_lengths.ts";
export {
  namedThreadingTask,
  THREADING_KNOBS,
  THREADING_TASK_NAMES,
  type ThreadingTaskName,
} from "./threading_tasks.ts";
export { CDME_SUITE } from "./suite.ts";
export { CDME_KNOBS } from "./_cdme_settings.ts";
export type { CdmeEdition, CdmeItemName } from "./_cdme_items.ts";
export type { CdmeLanguage } from "./_cdme_wording.ts";
export { type CdmeOptions, cdmeTask } from "./cdme.ts";
export { CDME_TASK_NAMES, type CdmeTaskName, namedCdmeTask } from "./cdme_tasks.ts";
export { type CdmeGrid, cdmeGrid, type CdmeGridName } from "./cdme_grids.ts";
export { type CdmePlaces, cdmePlaces, type CdmePlacesOptions } from "./cdme_places.ts";
export { PROMPT_RECALL_SUITE } from "./suite.ts";
export { PROMPT_RECALL_KNOBS } from "./_prompt_recall_settings.ts";
export {
  type PromptRecallOptions,
  promptRecallTask,
  type RecallAsking,
  type RecallSystem,
  type RecallTemplate,
  type RecallTest,
} from "./prompt_recall.ts";
export { namedPromptRecallTask, PROMPT_RECALL_TASK_NAMES, type PromptRecallTaskName } from "./prompt_recall_tasks.ts";
export { lengthGrid } from "./length_grid.ts";
