/**
 * The simulated reader: a control that answers tasks without a model, and loses what a profile says.
 *
 * @module
 */
export {
  type Difficulty,
  type FactForm,
  type LossSetting,
  type MistakeRates,
  openProfile,
  type Profile,
  PROFILE_NAMES,
  PUBLISHED_PROFILES,
  type PublishedProfile,
  type ReplyForm,
  type Residual,
  type Strength,
} from "./profiles.ts";
export {
  continueWith,
  FAMOUS_ANSWERS,
  FREQUENT_WORDS,
  inventLike,
  inventName,
  lastMatch,
  listTexts,
  rankWords,
  readNumber,
  writeNumber,
} from "./words.ts";
export { estimateTokens, type FactFeatures, type PromptFeatures, type Recall, recallOf } from "./reading.ts";
export { type Mistake, type MistakeKind, type PromptRead, readAs, readPrompt, type SimulatedReply } from "./reader.ts";
