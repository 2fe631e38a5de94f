/**
 * Scores of replies: how much of the right answer was found, and why.
 *
 * @module
 */
export { isSpace, removeSpace, stripEnd, stripText } from "./_python_text.ts";
export {
  editMatch,
  type EditMatchOptions,
  type EditScore,
  keywordMatch,
  type KeywordReference,
  type KeywordScore,
  WITHOUT_KEYWORD,
} from "./edit_match.ts";
export { type FileScore, type Prediction, readPredictions, scorePredictions } from "./prediction_file.ts";
export { FRAMING_WORDS, REPLY_KINDS, type ReplyKind, replyKind } from "./reply_kind.ts";
export { answerMatch, type AnswerScore, setMatch, type SetMatchOptions, type SetScore } from "./set_match.ts";
export { cleanPrediction, type Score, stringMatchAll, stringMatchPart } from "./string_match.ts";
export {
  allFound,
  type Answerable,
  anyFound,
  edits,
  type Grading,
  keywordFound,
  type Scorer,
  trimmedEdits,
  trimmedKeyword,
} from "./scorer.ts";
