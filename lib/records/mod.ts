/**
 * Records: the run folder stored, read, verified and listed.
 *
 * @module
 */
export { type EarlierRun, type EarlierRunOptions, findEarlierRun } from "./earlier_run.ts";
export { type MeasuredFolderOptions } from "./measured_files.ts";
export { openMeasured, type OpenMeasuredOptions } from "./measured_runs.ts";
export {
  bareSuite,
  checkScored,
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
  answeredSamples,
  compareMark,
  type FileState,
  markRecords,
  type RecordProblem,
  recordProblems,
} from "./integrity.ts";
export { confirmAddress, isConfirmed, recordedModel, recordedOptions } from "./recorded_model.ts";
export {
  type ByteSource,
  heldBytes,
  type Line,
  placeKey,
  readLines,
  readRecords,
  type SamplePlace,
  type TornEnd,
} from "./records_file.ts";
export {
  type CutRow,
  cutRows,
  cutTable,
  isAnswerCut,
  isAtBudget,
  isFiltered,
  isUnfinished,
  scoredPart,
  wentOn,
} from "./reply_cuts.ts";
export { type RetryReason, retryReasons, retryTable } from "./retries.ts";
export { type CallCost, type CallCostRow, priceOfRecords, type RunCost, runCost, runCostTable } from "./run_cost.ts";
export { describeRuns, type ListedRun, runListTable, type UnreadableRun } from "./run_list.ts";
export { listRuns, runFolder, type RunFolderOptions } from "./run_files.ts";
export { modelName, nameRuns } from "./run_names.ts";
export { isSameTask, runsOfStudy } from "./runs_of_study.ts";
export {
  type DifferingSetting,
  differingSettings,
  openStore,
  placeOf,
  type RunStore,
  type StoreOptions,
} from "./store.ts";
export { targetDepth } from "./target_depth.ts";
export { NO_VERDICTS, openVerdicts, type Verdict, verdictFile, type Verdicts } from "./verdicts.ts";
export { type BrokenLine, repairRun, type RunCheck, type RunRepair, verifyRun } from "./verify_run.ts";
