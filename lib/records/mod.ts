/**
 * Records: the run folder stored, read, verified and listed.
 *
 * @module
 */
export { nominalLengthNotes } from "./nominal_lengths.ts";
export {
  answeredSamples,
  type CheckedFile,
  type FileState,
  listRuns,
  markRecords,
  type RecordsFile,
  runFolder,
  type RunFolderOptions,
} from "./run_files.ts";
export {
  bareSuite,
  checkScored,
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
  scoreRecords,
  type ScoringOptions,
  withScores,
} from "./read_run.ts";
export {
  type AnsweredReply,
  type PromptCut,
  type RunRecord,
  scoredAnswer,
  type ScoredPart,
  type ScoredReply,
  sentTokens,
} from "./record.ts";
export {
  type ByteSource,
  heldBytes,
  type Line,
  placeKey,
  placeOf,
  readLines,
  type SamplePlace,
  targetDepth,
} from "./records_file.ts";
export {
  answerNotes,
  type CutCounts,
  type CutRow,
  cutRows,
  cutTable,
  isAnswerCut,
  isAtBudget,
  isFiltered,
  isTruncated,
  isUnfinished,
  scoredPart,
  wentOn,
} from "./reply_cuts.ts";
export {
  cachedShare,
  type CallCost,
  describeRuns,
  findEarlierPace,
  type ListedRun,
  priceOfRecords,
  type RunCost,
  runCost,
  runCostTable,
  runListTable,
  type UnreadableRun,
} from "./run_cost.ts";
export {
  confirmAddress,
  type DifferingSetting,
  differingSettings,
  isConfirmed,
  isSameTask,
  openStore,
  recordedModel,
  type RunStore,
  type StoreOptions,
} from "./store.ts";
export { NO_VERDICTS, openVerdicts, type Verdict, verdictFile, type Verdicts } from "./verdicts.ts";
export { repairRun, type RunCheck, type RunRepair, verifyRun } from "./verify_run.ts";
