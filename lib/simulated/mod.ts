/**
 * The simulated reader: a control that answers samples from their facts without a model, and loses what a profile says.
 *
 * @module
 */
export {
  type Difficulty,
  type FactForm,
  type LostReply,
  type MistakeRates,
  openProfile,
  type Profile,
  PROFILE_NAMES,
  PUBLISHED_PROFILES,
  type Strength,
} from "./profiles.ts";
export { type FactFeatures, type PromptFeatures, type Recall, recallOf } from "./recall.ts";
export { simulatedModel } from "./reader.ts";
