/**
 * Scores of replies: how much of the right answer was found, and why.
 *
 * @module
 */
export {
  editDistance,
  editMatch,
  type EditMatchOptions,
  edits,
  type EditScore,
  keywordFound,
  keywordMatch,
  trimmedEdits,
  trimmedKeyword,
  WITHOUT_KEYWORD,
  wordDistance,
} from "./edit_match.ts";
export { type AnswerEnd, type FirstAnswer, firstAnswer, isAnnouncement } from "./first_answer.ts";
export { type FileScore, type Prediction, type ScoredTask, scorePredictions } from "./prediction_file.ts";
export { checkReferences, guardScorer } from "./reference_parts.ts";
export { findRefusal, FRAMING_WORDS, type ReplyKind, replyKind } from "./reply_kind.ts";
export {
  type Answerable,
  type AnswerPattern,
  type AnswerRule,
  type AnswerShape,
  cleanPrediction,
  findAll,
  type Grading,
  holdsText,
  isSpace,
  type OwnFailure,
  type ReferenceParts,
  removeSpace,
  type Score,
  type Scorer,
  shapeOf,
  splitText,
  stripEnd,
  stripText,
} from "./scorer.ts";
export { answerMatch, setMatch, type SetScore } from "./set_match.ts";
export { allFound, anyFound, stringMatchAll, stringMatchPart } from "./string_match.ts";
