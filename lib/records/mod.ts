/**
 * Records: the run folder stored, read, verified and listed.
 *
 * @module
 */
export { nominalLengthNotes } from "./nominal_lengths.ts";
export { confirmAddress, isConfirmed, recordedModel } from "./addresses.ts";
export {
  type Chunks,
  type Line,
  type LineFile,
  type LineWriter,
  openLineFile,
  readChunks,
  readLines,
} from "./line_files.ts";
export { answeredSamples, type CheckedFile, type FileState, markRecords, repairTexts } from "./marks.ts";
export {
  modelName,
  nameRuns,
  openMeasured,
  readRun,
  type ReadRunOptions,
  readScoredRun,
  type RecordedRun,
  type RecordedScores,
  runOrigin,
  type ScoredRun,
  withScores,
} from "./read_run.ts";
export {
  type AnsweredReply,
  placeKey,
  placeOf,
  type PromptCut,
  type RunRecord,
  type SamplePlace,
  scoredAnswer,
  type ScoredPart,
  type ScoredReply,
  sentTokens,
  targetDepth,
} from "./record.ts";
export { repairRun, type RunRepair } from "./repair_run.ts";
export {
  answerNotes,
  isAnswerCut,
  isAtBudget,
  isFiltered,
  isTruncated,
  isUnfinished,
  scoredPart,
  wentOn,
} from "./cuts.ts";
export { cachedShare, type CallCost, priceOfRecords, type RunCost, runCost, runCostTable } from "./run_cost.ts";
export {
  listRuns,
  type MeasuredName,
  readMeasuredName,
  type RecordsFile,
  runFolder,
  type RunFolderOptions,
  runOf,
} from "./run_folders.ts";
export { describeRuns, findEarlierPace, type ListedRun, runListTable } from "./run_list.ts";
export { bareSuite, scoreRecords, type ScoringOptions } from "./score_records.ts";
export { type DifferingSetting, differingSettings } from "./settings.ts";
export { openStore, type RunStore, type StoreOptions } from "./store.ts";
export { type RunCheck, verifyRun } from "./verify_run.ts";
