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
export { FRAMING_WORDS } from "./_framing_words.ts";
export { STAR_SCORERS, type StarScore, starScore, type StarScoreOptions, type StarScorer } from "./counting_stars.ts";
export { type StarSumScore, starSumScore } from "./star_sum.ts";
export type { SumCause } from "./_star_sum.ts";
export type { StarForm } from "./_star_reply.ts";
export type { NumberRun } from "./_number_run.ts";
export { editMatch, type EditMatchOptions, type EditScore } from "./edit_match.ts";
export { keywordMatch, type KeywordReference, type KeywordScore } from "./keyword_match.ts";
export { REPLY_KINDS, type ReplyKind, replyKind } from "./reply_kind.ts";
export { type OpencompassDetail, type OpencompassResult, opencompassResult } from "./opencompass_result.ts";
export { valueMatch, type ValueMatchOptions, type ValueScore } from "./value_match.ts";
export { readValueReply, type ValueForm, type ValueReply } from "./value_reply.ts";
export { threadProgress, type ThreadScore } from "./thread_progress.ts";
export { type RecallGrade, recallRubric, type RubricScore } from "./recall_rubric.ts";
export { type JudgePrompt, judgePrompt, parseVerdict } from "./recall_judge.ts";
export { contentWords, stemWords, wantedWords } from "./needle_words.ts";
