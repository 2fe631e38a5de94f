/**
 * Samples, knobs and families of tasks; layouts filled to an exact length, fillers and documents.
 *
 * @module
 */
export {
  type ChatTemplate,
  countPrompt,
  joinMessages,
  PLAIN_TEMPLATE,
  promptText,
  SYSTEM_PLACE,
  templateWords,
  textsAround,
  type TurnTexts,
  wrapMessages,
} from "./chat_template.ts";
export { cannotMake, checkWhole, ownNames, splitTexts, unlessRefused } from "./knob_values.ts";
export {
  also,
  type GivenKnobs,
  joinTexts,
  type Knob,
  type KnobOptions,
  type Knobs,
  type KnobValue,
  type KnobValues,
  maybe,
  number,
  type NumberRange,
  oneOf,
  text,
  texts,
  whole,
} from "./knobs.ts";
export { contextCluster, knobInId, questionOf, QUESTIONS, questionsInId, TEXTS } from "./questions.ts";
export {
  answerRoomAt,
  type Category,
  type Fact,
  type FactRole,
  type Materials,
  type PromptWords,
  type ReplyForm,
  type Sample,
  type SamplePlace,
  type SampleRequest,
  type Task,
  type TaskChoice,
  type TurnedTask,
  type WordLists,
  type WriteReply,
} from "./task.ts";
export { depthGrid, type DepthSpacing, lengthGrid, placeInGrid } from "./depth_grid.ts";
export {
  type Document,
  type DocumentPieces,
  type DocumentSet,
  documentsFromHotpotqa,
  documentsFromSquad,
  type Question,
} from "./documents.ts";
export {
  breakAt,
  checkEssays,
  essayFiller,
  type Filler,
  type Forbidden,
  lineFiller,
  type LineSource,
  type Part,
  type PartFact,
  type Planted,
  plantFacts,
  plantOnce,
  type SeeFact,
} from "./fillers.ts";
export {
  askAll,
  type Asked,
  fillBy,
  type HiddenFact,
  hideFacts,
  type HideFactsOptions,
  largestFit,
  type Recipe,
  type RecipeRequest,
} from "./recipe.ts";
export { finalAnswer, firstAlone, formOf, jsonList, keepForm, type SampleForm, writeReply } from "./replies.ts";
export { firstTargetOffset, type Layout, measureOnce, type PromptParts, splitPrompt, startMessage } from "./layout.ts";
export {
  type Difficulty,
  type Family,
  family,
  type FamilyOptions,
  identify,
  type LeastLengthRequest,
  type Named,
} from "./family.ts";
export {
  checkMessages,
  hashPrompt,
  isSingleTurn,
  lastText,
  type Message,
  messageFields,
  type Prompt,
  promptFields,
  type Role,
  systemText,
  turnsOf,
  userPrompt,
  userText,
  withoutSystem,
  type Wrapping,
} from "./prompt.ts";
export { type KeepCounts, WORLD_NAMES, type WorldDocuments, worldDocuments, type WorldOptions } from "./world/world.ts";
