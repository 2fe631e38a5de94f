/**
 * Samples, knobs and families of tasks; layouts filled to an exact length, fillers and documents.
 *
 * @module
 */
export {
  also,
  cannotMake,
  checkWhole,
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
  ownNames,
  splitTexts,
  text,
  texts,
  whole,
} from "./knobs.ts";
export { contextCluster, QUESTIONS, questionsInId } from "./questions.ts";
export { depthGrid, type DepthSpacing, lengthGrid, placeInGrid, spreadDepths } from "./depth_grid.ts";
export {
  type Document,
  type DocumentPieces,
  type DocumentSet,
  documentsFromHotpotqa,
  documentsFromSquad,
  type Question,
} from "./documents.ts";
export {
  checkEssays,
  essayFiller,
  type Filler,
  type Forbidden,
  lineFiller,
  type LineSource,
  type Part,
  type PartFact,
  type SeeFact,
} from "./fillers.ts";
export {
  askAll,
  type Asked,
  fillBy,
  type HiddenFact,
  hideFacts,
  type HideFactsOptions,
  type Recipe,
  type RecipeRequest,
} from "./recipe.ts";
export {
  breakAt,
  firstTargetOffset,
  type Layout,
  measureOnce,
  type Planted,
  plantFacts,
  type PromptParts,
  splitPrompt,
  startMessage,
} from "./layout.ts";
export {
  type Difficulty,
  type Family,
  family,
  type FamilyOptions,
  hashPrompt,
  identify,
  type LeastLengthRequest,
  type Named,
} from "./family.ts";
export {
  type ChatTemplate,
  checkMessages,
  countPrompt,
  isSingleTurn,
  joinMessages,
  lastText,
  type Message,
  messageFields,
  PLAIN_TEMPLATE,
  type Prompt,
  promptFields,
  promptLength,
  promptText,
  type Role,
  SYSTEM_PLACE,
  systemText,
  templateWords,
  type TextRequest,
  textsAround,
  turnsOf,
  type TurnTexts,
  userPrompt,
  userText,
  withoutSystem,
  wrapMessages,
  type Wrapping,
} from "./prompt.ts";
export {
  answerRoomAt,
  type Category,
  type Fact,
  type FactRole,
  type Finding,
  knobInId,
  type Materials,
  type PromptWords,
  type Reading,
  type Sample,
  type SamplePlace,
  type SampleRequest,
  type Task,
  type TaskChoice,
  type TaskReader,
  type TurnedTask,
  type WordLists,
} from "./task.ts";
export {
  answerWorldQuestion,
  readWorldFacts,
  readWorldQuestion,
  type WorldFact,
  type WorldQuestion,
} from "./world/world_facts.ts";
export { type KeepCounts, type WorldDocuments, worldDocuments, type WorldOptions } from "./world/world.ts";
