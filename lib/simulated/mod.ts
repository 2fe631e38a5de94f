/**
 * The simulated reader: a control that answers samples from their facts without a model, and loses what a profile says.
 *
 * @module
 */
export { type Difficulty, PROFILE_NAMES } from "./profiles.ts";
export { simulatedModel } from "./reader.ts";
