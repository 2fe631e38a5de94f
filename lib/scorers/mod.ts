/**
 * Scores of replies: how much of the right answer was found, and why.
 *
 * @module
 */
export {
  editDistance,
  editMatch,
  edits,
  type EditScore,
  keywordFound,
  keywordMatch,
  trimmedEdits,
  trimmedKeyword,
} from "./edit_match.ts";
export { type AnswerEnd, findAll, type FirstAnswer, firstAnswer, isAnnouncement, shapeOf } from "./first_answer.ts";
export type { FileScore, Prediction } from "./prediction_file.ts";
export {
  answerInReply,
  answerProbability,
  type Likelihood,
  type LikelihoodWay,
  type RightAnswer,
  tokensAtEnd,
  type WeighedAnswer,
  type WeighedToken,
} from "./likelihood.ts";
export { checkReferences, guardScorer, nothingToScore } from "./reference_parts.ts";
export { findRefusal, FRAMING_WORDS } from "./reply_words.ts";
export { cleanPrediction, holdsText, splitText, stripText } from "./python_text.ts";
export type {
  Answerable,
  AnswerPattern,
  AnswerRule,
  AnswerShape,
  Grading,
  OwnFailure,
  ReferenceParts,
  Score,
  Scorer,
} from "./scorer.ts";
export { answerMatch, setMatch, type SetScore } from "./set_match.ts";
export { allFound, anyFound, stringMatchAll, stringMatchPart } from "./string_match.ts";
