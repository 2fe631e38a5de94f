/**
 * Scores of replies: what was wanted, what was found, and why.
 *
 * @module
 */
export type { Score } from "./score.ts";
export { cleanPrediction, stringMatchAll, stringMatchPart } from "./string_match.ts";
export { taskScore } from "./task_score.ts";
export { setMatch, type SetMatchOptions, type SetScore } from "./set_match.ts";
export { answerMatch, type AnswerScore } from "./answer_match.ts";
export { type FileScore, type Prediction, readPredictions, scorePredictions, scoringOf } from "./prediction_file.ts";
